/// Geometric multigrid for the matrix of a grid: its couplings go to the device once, coarser grids are made there.
#pragma once

#include <optional>

#include "grid/grid_multigrid.hpp"
#include "preconditioners/matrix_grid.hpp"

namespace glsolve::inline v0_1 {

class GeometricMultigrid final : public Preconditioner {
  public:
    /// For the system on the device, S A S with the same number everywhere on the diagonal of S; `A` is its matrix on
    /// the host. Throws InvalidInput where it is not the matrix of a grid.
    GeometricMultigrid(const System& system, CsrView A, const AmgOptions& options);

    /// z <- one cycle for S A S z = r, and r / a_ii in rows with nothing beside the diagonal
    void apply(Vector& z, const Vector& r) override;
    int products() const override { return products_of_a_cycle; }
    HierarchyReport report() const { return multigrid_.report(); }

  private:
    /// Rows with nothing beside the diagonal, which are no cells.
    struct Alone {
        Alone(Backend& backend, std::span<const float> reciprocal);

        Vector reciprocal;  // 1 / a_ii, and 0 in all other rows
        Vector others;      // 1 in all other rows, and 0 in these
        Vector part;        // of a vector
    };
    /// Vectors as grids have them, each row of cells a whole number of texels long.
    struct Apart {
        Vector z, r;
    };

    GeometricMultigrid(const System& system, const MatrixGrid& grid, const AmgOptions& options);
    void cycle(Vector& z, const Vector& r);

    Backend& backend_;
    GridOperator finest_;
    GridMultigrid multigrid_;
    std::optional<Alone> alone_;
    std::optional<Apart> apart_;  // none: the solver's vectors are the same
};

}  // namespace glsolve::inline v0_1
