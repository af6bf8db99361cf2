/// What a grid's solution is judged by: its operator as the device has it, read back, in double precision.
#pragma once

#include <span>
#include <vector>

#include "base/host_array.hpp"
#include "grid/grid_operator.hpp"
#include "matrix/host_matrix.hpp"

namespace glsolve::inline v0_1 {

/// (A x)_i = a_i x_i + sum over the neighbours j of c_ij (x_i - x_j), in the order of the device's vectors; x is zero
/// where there is no unknown. A few bytes for each cell, and no matrix: a program may have new cells each frame.
class GridTruth final : public HostMatrix {
  public:
    /// Reads row sums, and couplings that are not constant; waits.
    explicit GridTruth(const GridOperator& grid);

    void multiply(std::size_t begin, std::size_t end, std::span<const double> x, double* sum,
                  double* size) const override;
    void subtract(CompensatedSum& r, std::size_t i, std::span<const double> x) const override;
    void subtract(ExactSum& r, std::size_t i, std::span<const double> x) const override;
    Offset most_terms() const override { return 1 + 4 * static_cast<Offset>(strides_.size()); }
    Offset grain() const override { return usual_grain; }
    bool has_unknown(std::size_t cell) const;
    /// In compressed rows; those of cells without an unknown are empty.
    CsrMatrix matrix() const;

    /// Takes off b, which has zeros in cells without an unknown, what no x makes: its mean in each set of cells that is
    /// connected with no given value. Returns the norm of what that was.
    double project(std::span<double> b) const;

  private:
    template <class Sum>
    void subtract_cell(Sum& r, std::size_t i, std::span<const double> x) const;
    void multiply_constant(std::size_t begin, std::size_t end, std::span<const double> x, double* sum,
                           double* size) const;
    void multiply_coupled(std::size_t begin, std::size_t end, std::span<const double> x, double* sum,
                          double* size) const;
    /// With the next cell along an axis, and with the one before; 0: with none.
    double next(std::size_t axis, std::size_t cell) const;
    double before(std::size_t axis, std::size_t cell) const;
    /// With given values, and the multiple of the identity.
    double given(std::size_t cell) const;
    void spread(std::size_t axis, std::vector<std::uint8_t>& reached) const;
    std::vector<std::uint8_t> reached_from_given() const;
    void find_closed();

    std::size_t size_;
    std::vector<std::size_t> strides_;  // of each axis
    bool constant_;                     // couplings between unknowns are 1, and row sums make up for missing ones
    HostArray<float> a_;
    std::vector<HostArray<float>> c_;
    std::vector<std::vector<Index>> closed_;  // such sets
};

}  // namespace glsolve::inline v0_1
