/// Geometric multigrid for grids without a matrix, as a preconditioner: coarser grids and cycles over them, all on the
/// device. Setting it up anew for other cells takes a few passes for each grid, and reads nothing back.
#pragma once

#include <glsolve/multigrid.hpp>
#include <memory>
#include <vector>

#include "device/preconditioner.hpp"
#include "grid/coarsest_grid.hpp"
#include "grid/grid_field_cycle.hpp"
#include "grid/grid_operator.hpp"
#include "multigrid/cycle.hpp"

namespace glsolve::inline v0_1 {

class GridMultigrid final : public Preconditioner {
  public:
    /// `finest` must outlive the object, and be made of cells before `update` is called.
    GridMultigrid(Backend& backend, GridOperator& finest, const AmgOptions& options);

    /// The finest grid's cells have changed.
    void update();
    /// z <- one cycle for A z = r
    void apply(Vector& z, const Vector& r) override { cycle_->apply(z, r); }
    int products() const override { return products_of_a_cycle; }
    /// The same for four right-hand sides, in V cycles only.
    bool takes_fields() const override { return kind_ == MultigridCycle::v; }
    void apply(MultiVector& z, const MultiVector& r) override;
    /// Grids, in cells.
    HierarchyReport report() const;

  private:
    Backend& backend_;
    std::vector<GridOperator*> grids_;  // the finest first
    std::vector<std::unique_ptr<GridOperator>> coarse_;
    std::vector<std::array<Index, 3>> joined_;  // cells of each grid to one of the next
    MultigridCycle kind_;
    std::unique_ptr<Cycle> cycle_;
    std::vector<std::vector<float>> weights_;          // of the smoothing steps on each grid
    std::unique_ptr<GridMultiVectorCycle> of_fields_;  // made when it is first needed
    CoarsestGrid* coarsest_ = nullptr;                 // the cycle's; none: the coarsest grid is smoothed
};

/// Throws InvalidInput for options that grids do not take.
void check_grid_multigrid(const AmgOptions& options);

/// The system of a grid's operator, with its diagonal as preconditioner.
AssembledSystem system_of(Backend& backend, GridOperator& grid);

}  // namespace glsolve::inline v0_1
