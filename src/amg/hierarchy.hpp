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
    CsrMatrix tentative;      ///< of aggregation, but where blocks of a symmetric matrix need none
    Lattice points, blocks;   ///< ... whose aggregates are blocks of a grid: that grid, and the one they are; or empty
    NearNullSpace near_null;  ///< ... what the tentative prolongation keeps
    std::vector<Index> point_of;  ///< ... unknowns that stay together; empty: each is a point

    /// Is what lies between the centres of blocks eliminated?
    bool between_centres() const { return blocks && tentative.rows == 0; }
};

class Hierarchy {
  public:
    /// Levels until one has at most `coarsest` rows, or coarsening gets no further. A, which is symmetric or not, must
    /// outlive this, or stay until `forget_numbers`.
    Hierarchy(CsrView A, AmgOptions options, Index coarsest, bool symmetric);

    int count() const { return static_cast<int>(levels_.size()); }
    const AmgLevel& level(int k) const { return levels_[static_cast<std::size_t>(k)]; }
    CsrView matrix(int k) const { return k == 0 ? A_ : CsrView(level(k).A); }
    HierarchyReport report() const;

    /// Adds a level below the last; false where coarsening gets no further.
    bool extend();

    /// Can the numbers of a matrix which is symmetric or not go through these levels? On a grid smoothed
    /// aggregation coarsens and interpolates either in its own way.
    bool takes(bool symmetric) const {
        return symmetric == symmetric_ || !on_lattice_ || options_.coarsening != Coarsening::smoothed_aggregation;
    }
    /// The numbers of `A`, which stand in the same places as those before, go through all levels, whose coarse
    /// unknowns, and the way in which others are interpolated from them, stay. A must outlive this, or stay until
    /// `forget_numbers`.
    void update(CsrView A);
    /// Lets go of A, and of all coarser matrices and transfers: what stays is what `update` needs.
    void forget_numbers();

  private:
    void find_radius(int k);
    bool split(AmgLevel& fine, CsrView A);
    bool gather(AmgLevel& fine, AmgLevel& coarse, CsrView A);
    bool join_blocks(AmgLevel& fine, AmgLevel& coarse, CsrView A);
    Aggregates find_aggregates(const Strength& S, CsrView A) const;
    void interpolate(AmgLevel& fine, CsrView A);
    void make_product(int fine);

    CsrView A_;  // empty: its numbers are forgotten
    AmgOptions options_;
    std::vector<AmgLevel> levels_;
    Lattice lattice_;          // behind the coarsest level so far
    bool on_lattice_ = false;  // the finest level, and the options allow that it matters
    bool symmetric_;
    HierarchyReport seconds_;  // only these
};

}  // namespace glsolve::inline v0_1
