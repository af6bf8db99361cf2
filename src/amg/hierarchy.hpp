/// The levels of algebraic multigrid on the host, in double precision.
///
/// Source:  K. Stüben, J. Comput. Appl. Math. 128 (2001), section 2 (A_c = P^T A P, level by level).
#pragma once

#include <glsolve/multigrid.hpp>
#include <vector>

#include "amg/near_null_space.hpp"
#include "amg/splitting.hpp"

namespace glsolve::inline v0_1 {

/// A level and the way to the next coarser one; on the coarsest there is no such way, and only A and its bound.
struct AmgLevel {
    CsrMatrix A;              ///< of the finest level: empty, the caller has it
    CsrMatrix P, Pt;          ///< prolongation from the next level, restriction to it
    double radius = 0;        ///< a bound of the spectral radius of D^-1 A
    Splitting splitting;      ///< of classical coarsening
    Strength strong;          ///< between unknowns, or between points (`point_of`)
    CsrMatrix tentative;      ///< of aggregation
    Lattice points, blocks;   ///< ... whose aggregates are blocks of a grid: that grid, and the one they are; or empty
    NearNullSpace near_null;  ///< ... what the tentative prolongation keeps
    std::vector<Index> point_of;  ///< ... unknowns that stay together; empty: each is a point
};

class Hierarchy {
  public:
    /// Levels until one has at most `coarsest` rows, or coarsening gets no further. A must outlive this.
    Hierarchy(const CsrMatrix& A, AmgOptions options, Index coarsest);

    int count() const { return static_cast<int>(levels_.size()); }
    const AmgLevel& level(int k) const { return levels_[static_cast<std::size_t>(k)]; }
    const CsrMatrix& matrix(int k) const { return k == 0 ? A_ : level(k).A; }
    HierarchyReport report() const;

    /// Adds a level below the last; false where coarsening gets no further.
    bool extend();

    /// A holds new numbers in the same places: they go through all levels, whose coarse unknowns stay.
    void update();

  private:
    void look_at_symmetry();
    void find_radius();
    bool split(AmgLevel& fine, const CsrMatrix& A);
    bool gather(AmgLevel& fine, AmgLevel& coarse, const CsrMatrix& A);
    Aggregates find_aggregates(const Strength& S, const CsrMatrix& A) const;
    void interpolate(AmgLevel& fine, const CsrMatrix& A);
    void make_product(int fine);

    const CsrMatrix& A_;
    AmgOptions options_;
    std::vector<AmgLevel> levels_;
    Lattice lattice_;          // behind the coarsest level so far
    bool symmetric_ = false;   // where there is a lattice: A, but for rounding
    HierarchyReport seconds_;  // only these
};

}  // namespace glsolve::inline v0_1
