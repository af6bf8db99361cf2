/// Multigrid cycles over grids for four right-hand sides at once: V cycles as Cycle makes them of vectors, whose passes
/// read the couplings once for all.
#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "grid/coarsest_grid.hpp"
#include "grid/grid_operator.hpp"

namespace glsolve::inline v0_1 {

class GridMultiVectorCycle {
  public:
    /// A grid, and how it is smoothed; on the coarsest one that nothing else solves, steps_without_inverse times.
    struct Smoothed {
        GridOperator& grid;
        std::vector<float> weights;
        std::array<Index, 3> joined;  ///< cells along each axis, to one of the next grid
    };

    /// The finest grid first; they must outlive the object, as must `coarsest`, which solves on the last one. It may be
    /// null.
    GridMultiVectorCycle(Backend& backend, std::vector<Smoothed> grids, CoarsestGrid* coarsest);

    /// z <- what one cycle makes of r, from zero
    void apply(MultiVector& z, const MultiVector& r) { cycle(0, z, r, false); }

  private:
    struct Level {
        Smoothed smoothed;
        std::unique_ptr<MultiVector> x, b;  // none of the finest grid
    };

    void cycle(std::size_t k, MultiVector& x, const MultiVector& b, bool has_begun);
    void smooth_from_zero(Level& level, MultiVector& x, const MultiVector& b);
    void smooth(Level& level, MultiVector& x, const MultiVector& b, std::size_t from);

    std::vector<Level> levels_;
    CoarsestGrid* coarsest_;
};

}  // namespace glsolve::inline v0_1
