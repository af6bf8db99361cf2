/// The system that Chadov's tables are made anew with, and the forms of the iteration on a device.
#pragma once

#include <glsolve/glsolve.hpp>
#include <memory>
#include <string>

#include "bench.hpp"
#include "device/assembled_matrix.hpp"
#include "papers/methods/published.hpp"

namespace glsolve::bench::chebyshev {

/// The 5-point grid of `side` x `side` unknowns, a right-hand side of which a random solution is known, and the exact
/// bounds of D^-1 A.
struct ChadovSystem {
    ChadovSystem(Index side, double tolerance);

    CsrMatrix A;
    std::vector<float> b;
    std::vector<double> b_doubles;  ///< the same numbers
    PublishedChebyshevRule rule;    ///< l = 1 -+ cos(pi / (side + 1)); the norm is read after each step

    /// |b - A x| / |b| in double precision.
    double residual(std::span<const double> x) const;
    double residual(std::span<const float> x) const;
};

/// A solve from x = 0.
struct ChadovRun {
    std::string form;
    std::int64_t steps = 0;
    double seconds = 0;   ///< the least of all rounds
    double residual = 1;  ///< the true one
    std::uint64_t passes = 0, reads = 0, waits = 0;
    std::string remarks = {};  ///< of the library

    double seconds_a_step() const { return seconds / static_cast<double>(steps); }
};

/// As the paper has it, operation by operation.
class NaiveChebyshev {
  public:
    NaiveChebyshev(Device& device, const ChadovSystem& system, FormatKind format);

    PublishedChebyshev solve(const PublishedChebyshevRule& rule);
    ChadovRun run(int rounds);

  private:
    Backend& backend_;
    const ChadovSystem& system_;
    std::unique_ptr<AssembledMatrix> A_;
    std::unique_ptr<Vector> reciprocal_;
};

/// These with Jacobi, the exact bounds and the system's tolerance, from x = 0.
Options chadov_options(const ChadovSystem& system, Options options);
ChadovRun run_solver(Device& device, const ChadovSystem& system, std::string form, const Options& options, int rounds);

}  // namespace glsolve::bench::chebyshev
