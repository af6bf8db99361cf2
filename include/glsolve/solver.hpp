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

/// A matrix prepared on a device, for many right-hand sides. Move-only. It belongs to the device's thread and may
/// outlive the Device. A default-constructed or moved-from Solver is empty. An empty Solver may be assigned to, tested
/// for being empty, and destroyed; any other use throws InvalidInput.
class GLSOLVE_API Solver {
  public:
    /// Empty.
    Solver() noexcept;
    /// Throws InvalidInput for a matrix that the method cannot take: not square (except for Method::cgnr), a zero on
    /// the diagonal for Jacobi, values that are not finite, and so on. Throws DeviceError when the device runs out of
    /// memory.
    Solver(Device& device, CsrMatrix A, Options options = {});
    /// The same without a copy of A: the arrays have to stay as they are until the Solver has ended. After
    /// `update_values` only `offsets` and `column` are still read.
    Solver(Device& device, CsrView A, Options options = {});
    /// The same for a dense matrix. If it is square, FormatKind::automatic means FormatKind::dense here.
    Solver(Device& device, const DenseMatrix& A, Options options = {});
    /// The same for a function in GLSL, on OpenGL. Only the function's inputs are stored on the device. Preconditioners
    /// and the residual in double precision may need entries of A; these come from probes of the function.
    /// Throws InvalidInput if the function is not linear, or does not compile (with the compiler's message and the
    /// source lines). Not available: Slicing::sort_window, FormatKind, and minres with jacobi. Single precision must be
    /// able to hold A without scaling.
    Solver(Device& device, GlslOperator A, Options options = {});
    Solver(Solver&&) noexcept;
    Solver& operator=(Solver&&) noexcept;
    ~Solver();

    /// False if empty.
    explicit operator bool() const noexcept { return impl_ != nullptr; }

    /// Solves A x = b and blocks until it is done. b has one element per row of A, x one per column of A.
    /// Nothing is allocated on the device after the first call.
    Report solve(std::span<const double> b, std::span<double> x);
    /// Solves A X = B for `count` right-hand sides. The columns are stored one after the other in b and x. Each column
    /// gets a report and is tested as in `solve`.
    /// Conjugate gradients in single precision solve four columns at a time (Precision::automatic stays single here).
    /// One product serves all four, and no column waits long for another. The four reports share passes, reads, seconds
    /// and profile; their histories contain the corrections only. All other cases are solved one column after the
    /// other: other methods, Precision::two_float, and a single remaining column.
    std::vector<Report> solve_several(std::span<const double> b, std::span<double> x, int count);
    /// Continues the last solve, for example after max_iterations or a cancellation. It may take as many iterations
    /// again; the report counts only the new ones. `b` and `x` must be those of that solve.
    /// Conjugate gradients, Chebyshev and stationary methods continue as if they had not stopped. They continue from
    /// their latest iterate, even if the solve returned an earlier, better one (after few iterations |r| is often
    /// larger than at the start). Other methods begin a new Krylov space, as they do after each correction.
    Report resume(std::span<const double> b, std::span<double> x);

    /// x = M^-1 b, with the preconditioner of this solver; for iterations of the caller's own. Nothing is judged. The
    /// device computes in its own precision, so single precision is what to expect. PreconditionerKind::none: x = b.
    /// M is linear, unless multigrid has MultigridCycle::k, and symmetric where A and the preconditioner are. With
    /// Method::automatic it is the preconditioner of the first method that was chosen.
    /// Throws InvalidInput if the method takes no preconditioner, as Method::direct and Method::cgnr do not.
    void precondition(std::span<const double> b, std::span<double> x);

    // Work on textures, in the OpenGL context of the calling program (Device::adopt_current_opengl).
    // - b is only read. x holds the initial guess and receives the solution. Both may be the same texture.
    // - All checks are made before the first pass. InvalidInput says what does not fit.
    // - Methods: all that read nothing back on their way. direct, cgnr and LeastSquares::host read: a Solver accepts
    //   them, because they work on vectors; the first call with textures refuses them and lists the others. If
    //   `automatic` chose such a method, gmres is used instead, and Report::remarks says so.
    // - Not available: Slicing::sort_window.
    // - Outcome::met_on_device means: the residual met the tolerance, as the device computes it in two floats, before x
    //   is rounded to the texture's format.
    // - |b| must be between 1e-15 and 1e15.

    /// Encodes a solve and returns without waiting for the GPU. Nothing is read back except the copy of the outcome
    /// (Budget::report). The first call of a solver allocates and compiles, unless `warm_up` was called.
    void enqueue(const TextureView& b, const TextureView& x, const Budget& budget = {});
    /// Returns the oldest outcome of `enqueue` that was not returned yet, or nothing if it has not arrived. Never
    /// waits. Report::solve_seconds is the time of the `enqueue` call. Report::device_seconds is the time on the
    /// device; Report::profile splits it by passes if Options::profile is set. Report::history holds the residuals if
    /// Budget::history is set. With several right-hand sides, the outcome is that of the worst one, and the history is
    /// that of the first one. At most eight outcomes are kept; `update_values` discards them.
    std::optional<Report> poll();
    /// Solves until the tolerance is met, max_iterations are used up, the residual grows too far or stops falling, or
    /// Options::observer returns false. Blocks.
    Report solve(const TextureView& b, const TextureView& x);
    /// x = M^-1 b. Encodes the work and returns; nothing is read back.
    void precondition(const TextureView& b, const TextureView& x);
    /// Prepares everything that `enqueue` needs for textures of this kind, so that no frame waits for a compiler. The
    /// contents of b and x do not change. Textures are of the same kind if the number of right-hand sides is the same
    /// and, in the compute stage, if x has the same format and the same kind of minifying filter (with or without
    /// mipmaps).
    void warm_up(const TextureView& b, const TextureView& x);

    /// Replaces the values of A; their positions stay. `values` has one number for each element of `matrix().value`, in
    /// that order. For time steps and Newton's method.
    /// The solver then behaves like a new one for that matrix; this usually takes less time than making a new one. Two
    /// things are kept: the format (`format` still describes the first values) and, for PreconditionerKind::amg, the
    /// coarse unknowns. So after large changes the multigrid cycles may be weaker than those of a new solver.
    /// Exception: the matrix of a grid gets new coarse unknowns when it becomes symmetric or stops being symmetric.
    /// Everything else is computed again: symmetry, scaling, bounds of the spectrum, and the method if
    /// Method::automatic is set. During the call the device holds both matrices. References that the solver returned
    /// before become invalid. Throws InvalidInput if the number of values is wrong, if a value is not finite, or if a
    /// new Solver with this format would refuse the matrix. Throws DeviceError when the device runs out of memory.
    /// After an exception the solver is unchanged.
    void update_values(std::span<const double> values);

    /// For a GlslOperator: new numbers for an input, or a new value of a constant. The next solve on vectors behaves
    /// like that of a new solver: it probes the function again and discards outcomes that were not polled. The same
    /// holds for the next solve on textures if the method or the preconditioner uses entries of A.
    void set_input(std::string_view name, std::span<const float> numbers);
    void set_constant(std::string_view name, float value);
    /// The same from a texture, on the device only, for `enqueue` and `solve` on textures. For methods that need
    /// nothing of A but its products (cg, for example; the message that refuses others lists them), with no
    /// preconditioner, or with jacobi if the source has `diagonal`.
    void set_input(std::string_view name, const TextureView& numbers);

    /// Estimates where the eigenvalues of M^-1 A lie, by Lanczos steps on the device. Blocks. A should be symmetric.
    Spectrum spectrum(int lanczos_steps = 32) const;

    /// For Method::automatic: the method whose answer was returned last.
    const MethodChoice& method() const;
    const FormatChoice& format() const;
    /// The levels of PreconditionerKind::amg; empty for other preconditioners.
    const HierarchyReport& hierarchy() const;
    /// How incomplete factors or an approximate inverse were made and are applied, in words; empty for other
    /// preconditioners.
    const std::string& preconditioner_remark() const;
    /// For a GlslOperator: the matrix that the latest probes found. Valid until other values are given, or the Solver
    /// ends.
    CsrView matrix() const;

  private:
    struct Impl;
    Impl& impl() const;
    std::unique_ptr<Impl> impl_;
};

/// Makes a Solver and solves for one right-hand side.
GLSOLVE_API Report solve(Device& device, CsrView A, std::span<const double> b, std::span<double> x,
                         const Options& options = {});
GLSOLVE_API Report solve(Device& device, const DenseMatrix& A, std::span<const double> b, std::span<double> x,
                         const Options& options = {});

}  // namespace glsolve::inline v0_1
