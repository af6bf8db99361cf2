/// The coarsest grid, solved by one product: with what a polynomial makes of each unit vector. Its columns are made all
/// at once, on copies of the grid that nothing couples with each other, so new cells cost a few dozen small passes,
/// once, and each cycle one.
#pragma once

#include "grid/grid_operator.hpp"
#include "multigrid/coarse_solver.hpp"
#include "smoothers/polynomial.hpp"

namespace glsolve::inline v0_1 {

class CoarsestGrid final : public CoarseSolver {
  public:
    static constexpr Offset most = 64;  ///< numbers of such a grid's vectors

    /// `grid` has at most so many, couplings that are not constant, and must outlive the object; it is never made: its
    /// copies are.
    CoarsestGrid(Backend& backend, const GridOperator& grid);
    CoarsestGrid(const CoarsestGrid&) = delete;  // the polynomial knows where the copies are
    CoarsestGrid& operator=(const CoarsestGrid&) = delete;

    /// The couplings of the finer grid have changed, of which the coarsest one is made.
    void update(const GridOperator& fine, const std::array<Index, 3>& joined);
    /// x <- p(D^-1 A) D^-1 b, symmetric, and near A^-1 b
    void solve(Vector& x, const Vector& b) override;
    void solve(MultiVector& x, const MultiVector& b);

  private:
    Backend& backend_;
    const GridOperator& grid_;
    GridOperator copies_;
    Vector units_, columns_;
    Polynomial polynomial_;
};

}  // namespace glsolve::inline v0_1
