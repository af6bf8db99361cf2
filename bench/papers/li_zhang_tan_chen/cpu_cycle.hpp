/// The V cycle over a hierarchy on one CPU core or several, in double precision and compressed sparse rows: the peer of
/// a device's cycle (src/multigrid/cycle.hpp), step by step the same.
///
/// Cost:    a smoothing step, a residual, a restriction and an interpolation read their matrix once each; smoothing C
///          and F unknowns one after the other reads it once for both. With several threads the rows of each loop are
///          divided among them (OpenMP); loops that read few numbers stay on one.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "amg/hierarchy.hpp"

namespace glsolve::bench::amg {

class CpuCycle {
  public:
    /// With `steps` of the smoother before and after each correction; the coarsest level, with at most
    /// `largest_inverse` rows, is solved by a product with its inverse. The hierarchy must outlive this. On one thread.
    /// Throws Error for smoothers but chebyshev and cf-jacobi.
    CpuCycle(const Hierarchy& hierarchy, MultigridSmoother smoother, int steps);

    /// From now on; at least one. Without OpenMP it stays one.
    void use_threads(int threads) { threads_ = threads; }

    /// x <- x + what one cycle makes of b - A x. Returns |b - A x| of the x before, and leaves x alone where that is at
    /// most `enough`.
    double improve(std::span<double> x, std::span<const double> b, double enough);

    /// x of the finest level <- what one cycle makes of its b.
    void cycle();

    int count() const { return static_cast<int>(levels_.size()); }
    int steps() const { return steps_; }
    CsrView matrix(int k) const { return levels_[static_cast<std::size_t>(k)].A; }

    // What a cycle does on level k, alone, on the vectors that the level has.
    void smooth_from_zero(int k);   // x <- after smoothing from 0; of the coarsest level: the solution
    void smooth_adjoint(int k);     // x <- after smoothing as on the way up
    void restrict_residual(int k);  // b of the next level <- P^T (b - A x)
    void interpolate(int k);        // x <- x + P x of the next level
    void multiply(int k);           // r <- A x

  private:
    struct Level {
        Level(CsrView A, const AmgLevel& level, MultigridSmoother smoother);

        CsrView A;
        const CsrMatrix &P, &Pt;
        std::vector<double> d;                    // 1 / diagonal
        std::array<std::vector<Index>, 2> kinds;  // the C rows, and all others, for cf-jacobi
        double smallest = 0, largest = 0;         // eigenvalues of D^-1 A that the polynomial damps
        std::vector<double> x, b, r;
        std::vector<double> spare;  // the x before, or new values on their way
    };

    template <class Body>
    void over_rows(std::size_t rows, Offset numbers, const Body& body) const;
    void relax(Level& level, int kind);
    void chebyshev(Level& level, bool from_zero);
    void solve(Level& level);

    MultigridSmoother smoother_;
    int steps_;
    int threads_ = 1;
    std::vector<Level> levels_;
    std::vector<double> inverse_;  // of the coarsest level, column by column
};

}  // namespace glsolve::bench::amg
