/// Solving A x = b.
///
///     glsolve::Device device = glsolve::Device::open();
///     glsolve::Solver solver(device, A);                  // chooses a format, uploads, compiles
///     glsolve::Report report = solver.solve(b, x);        // x: the initial guess on entry, the solution on return
///     if (!report.converged()) std::puts(report.reason.c_str());
#pragma once

#include <glsolve/choice.hpp>
#include <glsolve/csr.hpp>
#include <glsolve/dense.hpp>
#include <glsolve/device.hpp>
#include <glsolve/export.hpp>
#include <glsolve/operator.hpp>
#include <glsolve/options.hpp>
#include <glsolve/report.hpp>
#include <glsolve/spectrum.hpp>
#include <glsolve/texture.hpp>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace glsolve::inline v0_1 {

class TextureWork;

/// A matrix made ready on a device. Move-only; belongs to the device's thread, and may outlive the Device. An empty
/// one, made so or moved from, may be assigned to, asked whether it is empty, and destroyed; whatever else is done with
/// it throws InvalidInput.
class GLSOLVE_API Solver {
  public:
    /// Empty.
    Solver() noexcept;
    /// Throws InvalidInput for a matrix the method cannot take (not square, except for Method::cgnr, a zero on the
    /// diagonal for Jacobi, values that are not finite, ...), DeviceError when the device runs out of memory.
    Solver(Device& device, CsrMatrix A, Options options = {});
    /// The same for a dense matrix; FormatKind::automatic is FormatKind::dense here, if the matrix is square.
    Solver(Device& device, const DenseMatrix& A, Options options = {});
    /// The same for a function in GLSL, on OpenGL: nothing but its inputs is stored there. What preconditioners and the
    /// judgement in double precision need of A comes from probes of the function. Throws InvalidInput with the
    /// compiler's words and the source's lines where it does not compile, and where it is not linear. Not with
    /// Slicing::sort_window, FormatKind, or minres with jacobi; single precision has to hold A as it is.
    Solver(Device& device, GlslOperator A, Options options = {});
    Solver(Solver&&) noexcept;
    Solver& operator=(Solver&&) noexcept;
    ~Solver();

    /// Is there a matrix?
    explicit operator bool() const noexcept { return impl_ != nullptr; }

    /// Solves A x = b and blocks until it is done. b has as many elements as A has rows, x as A has columns.
    /// Nothing is allocated on the device after the first call.
    Report solve(std::span<const double> b, std::span<double> x);
    /// Solves A X = B for `count` right-hand sides, columns one behind the other in b and x: a report for each, judged
    /// as `solve` judges one. Conjugate gradients in single precision (Precision::automatic stays single here) take
    /// four at a time: one product serves all four, and none waits long for another. The reports of such four share
    /// passes, reads, seconds and profile, and their histories hold the corrections only. Whatever else there is,
    /// another method, Precision::two_float or a column left over, is solved one after the other.
    std::vector<Report> solve_several(std::span<const double> b, std::span<double> x, int count);
    /// Goes on where the last solve has ended, as at its max_iterations or cancelled: for as many iterations again,
    /// which the report counts by themselves. `b` and `x` are those of that solve. Conjugate gradients, Chebyshev and
    /// stationary methods go on as if they had not stopped, from their latest iterate even where the solve has handed
    /// back a better one that it had seen before (after few iterations |r| is often larger than at first). The others
    /// begin a new Krylov space from it, as they do after each correction.
    Report resume(std::span<const double> b, std::span<double> x);

    // On textures of a program in whose OpenGL context the device works (Device::adopt_current_opengl). b is only read,
    // x holds a guess and becomes the solution; both may be the same texture. All checks come before the first pass:
    // InvalidInput says what does not fit. Methods: cg, pipelined_cg, minres, bicgstab, bicgstab2, gmres, fgmres,
    // chebyshev, bicgstab_chebyshev and stationary ones; not with Slicing::sort_window. Where `automatic` has chosen
    // direct or cgnr, gmres stands in for it here, and Report::remarks says so. The first call refuses direct, cgnr and
    // LeastSquares::host, which a Solver takes for vectors. What meets the tolerance by the residual that the device
    // computes in two floats, before x is rounded to the texture, is Outcome::met_on_device. Numbers may be so large
    // that |b| is from 1e-15 to 1e15.

    /// Encodes a solve and returns at once; nothing is read but the outcome's copy (Budget::report). The first call
    /// for a solver allocates and compiles, unless `warm_up` has.
    void enqueue(const TextureView& b, const TextureView& x, const Budget& budget = {});
    /// The outcome of the oldest `enqueue` that has not been told yet; none as long as it has not arrived. Never waits.
    /// Report::solve_seconds is what `enqueue` took, Report::device_seconds what the device took for it, by passes in
    /// Report::profile where Options::profile asks for that, and how the residual has fallen in Report::history where
    /// Budget::history does. Of several right-hand sides the outcome is that of the worst, and the history that of the
    /// first. At most eight are kept, and none through `update_values`.
    std::optional<Report> poll();
    /// Solves until the tolerance is met, or max_iterations are used up, and blocks.
    Report solve(const TextureView& b, const TextureView& x);
    /// Makes ready all that `enqueue` needs for textures of this kind, so that no frame waits for a compiler; b and x
    /// keep what they hold. Of one kind are as many right-hand sides and, in the compute stage, an x of the same format
    /// that is as much or as little in need of mipmaps.
    void warm_up(const TextureView& b, const TextureView& x);

    /// Gives A new numbers in the same places, one for each of `matrix().value`, in that order, as time steps and
    /// Newton's method need it. From now on the solver is as a new one for that matrix, usually in less time than it
    /// takes to make one: the format stays (and what `format` says of the first numbers), and of
    /// PreconditionerKind::amg the coarse unknowns, so its cycles may be weaker than those of a new one where numbers
    /// have changed much (a grid's matrix that is no longer symmetric, or has become so, gets new ones). All else is
    /// found anew: symmetry, scaling, bounds of the spectrum, with Method::automatic the method. While it works, the
    /// device holds both matrices. References to what the solver has told before are no longer valid. Throws
    /// InvalidInput for another number of values, for what is not finite, and for all that a new Solver with this
    /// format would refuse; DeviceError when the device runs out of memory. The solver is as it was then.
    void update_values(std::span<const double> values);

    /// Of a GlslOperator: other numbers for an input, or a constant. The next solve of vectors is as one by a new
    /// solver, which probes the function again and forgets outcomes that have not been polled; so is the next on
    /// textures where the method or the preconditioner is made of A's entries.
    void set_input(std::string_view name, std::span<const float> numbers);
    void set_constant(std::string_view name, float value);
    /// The same from a texture, on the device alone, for `enqueue` and `solve` on textures: cg, pipelined_cg, bicgstab,
    /// bicgstab2 with no preconditioner, or jacobi where the source has `diagonal`; minres with none.
    void set_input(std::string_view name, const TextureView& numbers);

    /// Where the eigenvalues of M^-1 A lie, from so many steps of Lanczos on the device; A should be symmetric. Blocks.
    Spectrum spectrum(int lanczos_steps = 32) const;

    /// Of Method::automatic the one whose answer was handed back last.
    const MethodChoice& method() const;
    const FormatChoice& format() const;
    /// The levels of PreconditionerKind::amg; else none.
    const HierarchyReport& hierarchy() const;
    /// Of a GlslOperator what the latest probes have found.
    const CsrMatrix& matrix() const;

  private:
    struct Impl;
    Impl& impl() const;
    void probe_again();
    TextureWork& on_textures();
    std::unique_ptr<Impl> impl_;
};

/// The one-liner: a Solver for one right-hand side.
GLSOLVE_API Report solve(Device& device, const CsrMatrix& A, std::span<const double> b, std::span<double> x,
                         const Options& options = {});
GLSOLVE_API Report solve(Device& device, const DenseMatrix& A, std::span<const double> b, std::span<double> x,
                         const Options& options = {});

}  // namespace glsolve::inline v0_1
