/// Factors applied on the host, in double precision: where triangles have many levels that waits less than a device
/// does.
#pragma once

#include <utility>
#include <vector>

#include "device/preconditioner.hpp"
#include "inverses/triangular_factors.hpp"
#include "matrix/moved_matrix.hpp"

namespace glsolve::inline v0_1 {

/// z <- G (I + U)^-1 D^-1 (I + L)^-1 F r.  Each application reads r back.
class FactorsOnHost final : public Preconditioner {
  public:
    FactorsOnHost(TriangularFactors factors, const MovedMatrix& ordered, int products)
        : factors_(std::move(factors)),
          rows_(ordered.rows),
          columns_(ordered.columns),
          row_scale_(ordered.row_scale),
          column_scale_(ordered.column_scale),
          products_(products) {}

    void apply(Vector& z, const Vector& r) override;
    int products() const override { return products_; }
    bool reads() const override { return true; }

  private:
    TriangularFactors factors_;
    std::vector<Index> rows_, columns_;
    std::vector<double> row_scale_, column_scale_;
    int products_;
    std::vector<double> r_, x_, y_;
};

}  // namespace glsolve::inline v0_1
