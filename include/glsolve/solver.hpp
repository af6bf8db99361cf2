/// Solving A x = b.
///
///     glsolve::Device device = glsolve::Device::open();
///     glsolve::Solver solver(device, A);                  // chooses a format, uploads, compiles
///     glsolve::Report report = solver.solve(b, x);        // x: the initial guess on entry, the solution on return
///     if (!report.converged()) std::puts(report.reason.c_str());
#pragma once

#include <cstdint>
#include <functional>
#include <glsolve/csr.hpp>
#include <glsolve/device.hpp>
#include <glsolve/export.hpp>
#include <glsolve/report.hpp>
#include <memory>
#include <span>
#include <string>
#include <string_view>

namespace glsolve::inline v0_1 {

enum class Method : std::uint8_t {
    /// Conjugate gradients, for symmetric positive definite matrices (Hestenes and Stiefel 1952; Saad, Iterative
    /// Methods for
    /// Sparse Linear Systems, 2nd ed., algorithm 9.1), corrected from double precision (van der Vorst and Ye 2000).
    cg
};
enum class PreconditionerKind : std::uint8_t {
    none,
    jacobi  ///< M = diag(A); refused where the diagonal holds a zero
};
enum class FormatKind : std::uint8_t {
    automatic,  ///< the one that reads the fewest texels
    ell,        ///< as many slots for each row as the longest row has nonzeros; takes any matrix
    dia         ///< by diagonals; best for grids
};

GLSOLVE_API std::string_view name(Method method);
GLSOLVE_API std::string_view name(PreconditionerKind preconditioner);
GLSOLVE_API std::string_view name(FormatKind format);

/// How far a solve is; told late, never by making the device wait.
struct Progress {
    std::int64_t iteration = 0;
    double relative_residual = 0;  ///< as the recurrence has it
    std::int64_t corrections = 0;
};

/// Receives what happens; returns false to cancel.
using Observer = std::function<bool(const Progress&)>;

struct Options {
    Method method = Method::cg;
    PreconditionerKind preconditioner = PreconditionerKind::jacobi;
    FormatKind format = FormatKind::automatic;
    double tolerance = 1e-8;          ///< relative: |b - A x| <= tolerance |b| ...
    double absolute_tolerance = 0;    ///< ... or <= this
    std::int64_t max_iterations = 0;  ///< 0: as many as the size suggests (see default_max_iterations)
    bool zero_guess = false;          ///< x is taken as 0 whatever it holds; saves a product
    bool profile = false;             ///< time each pass; slow
    Observer observer = {};
};

/// 100 n + 10000 for n unknowns: ill-conditioned systems need many times n in floating point, and what has stopped
/// getting better ends as `stagnated` or `precision_limit` long before.
GLSOLVE_API std::int64_t default_max_iterations(Index unknowns);

/// The format a matrix was given on the device, and why.
struct FormatChoice {
    FormatKind format = FormatKind::ell;
    std::string reason;
};

/// A matrix made ready on a device. Move-only; belongs to the device's thread and must not outlive the device.
class GLSOLVE_API Solver {
  public:
    /// Throws InvalidInput for a matrix the method cannot take (not square, a zero on the diagonal for Jacobi, values
    /// that are not finite, ...), DeviceError when the device runs out of memory.
    Solver(Device& device, CsrMatrix A, Options options = {});
    Solver(Solver&&) noexcept;
    Solver& operator=(Solver&&) noexcept;
    ~Solver();

    /// Solves A x = b and blocks until it is done. b and x have as many elements as A has rows.
    /// Nothing is allocated on the device after the first call.
    Report solve(std::span<const double> b, std::span<double> x);

    const FormatChoice& format() const;
    const CsrMatrix& matrix() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// The one-liner: a Solver for one right-hand side.
GLSOLVE_API Report solve(Device& device, const CsrMatrix& A, std::span<const double> b, std::span<double> x,
                         const Options& options = {});

}  // namespace glsolve::inline v0_1
