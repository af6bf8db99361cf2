/// What a grid's solution is judged by: its operator as the device has it, read back, as a matrix on the host.
#pragma once

#include <span>
#include <vector>

#include "grid/grid_operator.hpp"

namespace glsolve::inline v0_1 {

class GridTruth {
  public:
    /// Reads the couplings; waits.
    explicit GridTruth(const GridOperator& grid);

    /// In the order of the device's vectors; rows of cells without an unknown are empty.
    const CsrMatrix& matrix() const { return A_; }
    bool has_unknown(std::size_t cell) const { return A_.offsets[cell] < A_.offsets[cell + 1]; }

    /// Takes off b, which has zeros in cells without an unknown, what no x makes: its mean in each set of cells that is
    /// connected with no given value. Returns the norm of what that was.
    double project(std::span<double> b) const;

  private:
    void find_closed(std::span<const double> given);

    CsrMatrix A_;
    std::vector<std::vector<Index>> closed_;  // such sets
};

}  // namespace glsolve::inline v0_1
