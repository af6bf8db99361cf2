#include "grid/grid_field_cycle.hpp"

#include <fmt/format.h>

namespace glsolve::inline v0_1 {

GridMultiVectorCycle::GridMultiVectorCycle(Backend& backend, std::vector<Smoothed> grids, CoarsestGrid* coarsest)
    : coarsest_(coarsest) {
    for (Smoothed& smoothed : grids) {
        const auto size = static_cast<Index>(smoothed.grid.cells().size());
        const auto field = [&](const char* what) {
            return std::make_unique<MultiVector>(backend, size, fmt::format("{} of grid {}", what, levels_.size()));
        };
        const bool finest = levels_.empty();
        levels_.push_back({std::move(smoothed), finest ? nullptr : field("X"), finest ? nullptr : field("B")});
    }
}

void GridMultiVectorCycle::cycle(std::size_t k, MultiVector& x, const MultiVector& b, bool has_begun) {
    Level& level = levels_[k];
    GridOperator& grid = level.smoothed.grid;
    if (k + 1 == levels_.size()) {
        if (coarsest_ != nullptr) return coarsest_->solve(x, b);
        smooth_from_zero(level, x, b);
        return smooth(level, x, b, 0);
    }
    has_begun ? smooth(level, x, b, 1) : smooth_from_zero(level, x, b);
    Level& next = levels_[k + 1];
    const bool begins = k + 2 < levels_.size();  // with the first step of smoothing
    grid.restrict_residual(*next.b, *next.x, begins ? next.smoothed.weights.front() : 0.0f, next.smoothed.grid, b, x,
                           level.smoothed.joined);
    cycle(k + 1, *next.x, *next.b, begins);
    prolong_cells(x, grid.cells(), *next.x, next.smoothed.grid.cells(), level.smoothed.joined,
                  grid.reciprocal_diagonal().diagonal()->id());
    smooth(level, x, b, 0);
}

void GridMultiVectorCycle::smooth_from_zero(Level& level, MultiVector& x, const MultiVector& b) {
    const std::span<const float> weights = level.smoothed.weights;
    level.smoothed.grid.relax_twice(x, b, weights[0], weights.size() > 1 ? weights[1] : 0.0f);
    smooth(level, x, b, 2);
}

/// x <- x + w_k D^-1 (b - A x)  for each of the weights from one on
void GridMultiVectorCycle::smooth(Level& level, MultiVector& x, const MultiVector& b, std::size_t from) {
    const std::span<const float> weights = level.smoothed.weights;
    for (std::size_t k = from; k < weights.size(); ++k) level.smoothed.grid.relax(x, b, weights[k]);
}

}  // namespace glsolve::inline v0_1
