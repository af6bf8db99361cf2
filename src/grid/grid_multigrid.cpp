#include "grid/grid_multigrid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>

#include "smoothers/polynomial.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int usual_steps = 4;
// D^-1 A has its spectrum in [0, 2], since the rows of A are diagonally dominant.
constexpr double largest_smoothed = 2, smallest_smoothed = 0.5;  // of what is smoothed
constexpr double smallest_of_all = 0.15;                         // where smoothing is all there is
constexpr Index coarsest_side = 2;                               // cells
constexpr float strong = 0.5;  // couplings from this share of the strongest on make cells join

/// Which cells join: pairs along those axes whose couplings are strong. Cells coupled weakly along an axis differ there
/// whatever has been smoothed.
std::array<Index, 3> to_join(const GridOperator& grid) {
    const std::array<Index, 3> sides{grid.cells().width, grid.cells().height, grid.cells().depth};
    float strongest = 0;
    for (std::size_t a = 0; a < 3; ++a) {
        if (sides[a] > coarsest_side) strongest = std::max(strongest, grid.weight()[a]);
    }
    std::array<Index, 3> joined{1, 1, 1};
    for (std::size_t a = 0; a < 3; ++a) {
        if (sides[a] > 1 && grid.weight()[a] >= strong * strongest) joined[a] = 2;
    }
    return joined;
}

GridCells coarse_cells(const GridCells& fine, const std::array<Index, 3>& joined) {
    const auto side = [](Index cells, Index together) { return (cells + together - 1) / together; };
    return GridCells::of(side(fine.width, joined[0]), side(fine.height, joined[1]), side(fine.depth, joined[2]),
                         fine.space, false);
}

/// `finest`: nothing coarser has been made yet. Its couplings may be constant, which the product for a coarsest grid
/// does not take.
bool is_coarsest(const GridCells& cells, bool finest) {
    return std::max({cells.width, cells.height, cells.depth}) <= coarsest_side
           || (!finest && cells.size() <= CoarsestGrid::most);
}

class JoinedCells final : public LevelTransfer {
  public:
    /// `weight`: of the first step of smoothing on the coarse grid; 0: something else solves there.
    JoinedCells(Backend& backend, GridOperator& fine, const GridOperator& coarse, const std::array<Index, 3>& joined,
                float weight)
        : backend_(backend), fine_(fine), coarse_(coarse), joined_(joined), weight_(weight) {}

    void restrict_residual(Vector& coarse_b, Vector& coarse_x, const Vector& b, const Vector& x) override {
        fine_.restrict_residual(coarse_b, coarse_x, weight_, coarse_, b, x, joined_);
    }
    bool begins() const override { return weight_ != 0; }
    void prolong(Vector& fine, const Vector& coarse) override {
        prolong_cells(backend_, fine.id(), fine_.cells(), coarse.id(), coarse_.cells(), joined_,
                      fine_.reciprocal_diagonal().diagonal()->id());
    }

  private:
    Backend& backend_;
    GridOperator& fine_;
    const GridOperator& coarse_;
    std::array<Index, 3> joined_;
    float weight_;
};

}  // namespace

AssembledSystem system_of(Backend& backend, GridOperator& grid) {
    return {System{.backend = backend,
                   .A = grid.matrix(),
                   .M = &grid.reciprocal_diagonal(),
                   .size = static_cast<Index>(grid.cells().size())},
            grid.matrix()};
}

void check_grid_multigrid(const AmgOptions& options) {
    if (options.smoother != MultigridSmoother::automatic && options.smoother != MultigridSmoother::chebyshev) {
        throw InvalidInput(
            fmt::format("preconditioner multigrid smooths by chebyshev, and not by {}", name(options.smoother)));
    }
    if (options.host_rows > 0) {
        throw InvalidInput("multigrid on grids stays on the device on all levels; host_rows is for preconditioner amg");
    }
    // Constant interpolation makes corrections that may be twice as long as they should be where a grid has narrow
    // passages; made twice on each level they would no longer be those of a definite M.
    if (options.cycle == MultigridCycle::w)
        throw InvalidInput("preconditioner multigrid has cycles v and k, and not w");
}

GridMultigrid::GridMultigrid(Backend& backend, GridOperator& finest, const AmgOptions& options)
    : backend_(backend), grids_{&finest}, kind_(options.cycle) {
    while (!is_coarsest(grids_.back()->cells(), grids_.size() == 1)
           && static_cast<int>(grids_.size()) < options.levels) {
        const GridOperator& fine = *grids_.back();
        const std::array<Index, 3> joined = to_join(fine);
        coarse_.push_back(std::make_unique<GridOperator>(backend, coarse_cells(fine.cells(), joined),
                                                         fine.coarse_weight(joined), false));
        joined_.push_back(joined);
        grids_.push_back(coarse_.back().get());
    }
    std::unique_ptr<CoarsestGrid> coarsest;
    if (grids_.size() > 1 && grids_.back()->cells().size() <= CoarsestGrid::most) {
        coarsest = std::make_unique<CoarsestGrid>(backend, *grids_.back());
        coarsest_ = coarsest.get();
    }
    const int steps = options.steps > 0 ? options.steps : usual_steps;
    std::vector<std::unique_ptr<Polynomial>> smoothers;  // of the last level, if nothing else solves there
    for (GridOperator* grid : grids_) {
        const bool last = grid == grids_.back();
        smoothers.push_back(last && coarsest ? nullptr
                                             : std::make_unique<Polynomial>(system_of(backend, *grid),
                                                                            last ? smallest_of_all : smallest_smoothed,
                                                                            largest_smoothed));
    }
    for (const auto& smoother : smoothers) {
        const int count = smoother == smoothers.back() ? steps_without_inverse : steps;
        const std::span<const float> weights = smoother ? smoother->weights(count) : std::span<const float>();
        weights_.emplace_back(weights.begin(), weights.end());
    }
    std::vector<Level> levels;
    for (std::size_t k = 0; k < grids_.size(); ++k) {
        GridOperator& grid = *grids_[k];
        const auto vector = [&](const char* what, bool is_used) {
            return Vector(backend, is_used ? grid.cells().size() : 0, fmt::format("{} of grid {}", what, k));
        };
        std::unique_ptr<JoinedCells> transfer;
        if (k + 1 < grids_.size()) {
            const bool smooths = k + 2 < grids_.size();
            transfer = std::make_unique<JoinedCells>(backend, grid, *grids_[k + 1], joined_[k],
                                                     smooths ? smoothers[k + 1]->weights(steps).front() : 0.0f);
        }
        levels.push_back({system_of(backend, grid), std::move(smoothers[k]), std::move(transfer), vector("x", k > 0),
                          vector("b", k > 0)});
    }
    cycle_ = std::make_unique<Cycle>(std::move(levels), std::move(coarsest), options.cycle, steps);
}

void GridMultigrid::update() {
    const std::size_t made = coarsest_ != nullptr ? grids_.size() - 1 : grids_.size();
    for (std::size_t k = 1; k < made; ++k) grids_[k]->coarsen(*grids_[k - 1], joined_[k - 1]);
    if (coarsest_ != nullptr) coarsest_->update(*grids_[made - 1], joined_[made - 1]);
}

void GridMultigrid::apply(MultiVector& z, const MultiVector& r) {
    if (!of_fields_) {
        std::vector<GridMultiVectorCycle::Smoothed> grids;
        for (std::size_t k = 0; k < grids_.size(); ++k) {
            const bool last = k + 1 == grids_.size();
            grids.push_back({*grids_[k], weights_[k], last ? std::array<Index, 3>{1, 1, 1} : joined_[k]});
        }
        of_fields_ = std::make_unique<GridMultiVectorCycle>(backend_, std::move(grids), coarsest_);
    }
    of_fields_->apply(z, r);
}

HierarchyReport GridMultigrid::report() const {
    HierarchyReport report;
    report.set_up = MultigridSetup::device;
    for (const GridOperator* grid : grids_) {
        const GridCells& cells = grid->cells();
        const Index rows = cells.width * cells.height * cells.depth;
        report.levels.push_back({.rows = rows,
                                 .nonzeros = Offset{rows} * (1 + 2 * cells.dimensions()),
                                 .transfer_nonzeros = grid == grids_.back() ? 0 : rows});  // one of each cell
    }
    report.coarsest = fmt::format("{} cells, {}", report.levels.back().rows,
                                  coarsest_ != nullptr ? "by a product with a polynomial of their matrix" : "smoothed");
    return report;
}

}  // namespace glsolve::inline v0_1
