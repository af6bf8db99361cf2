/// Interpolation as two matrices that passes have made.
#pragma once

#include "multigrid/device_rows.hpp"
#include "multigrid/level.hpp"

namespace glsolve::inline v0_1 {

class RowsTransfer final : public LevelTransfer {
  public:
    RowsTransfer(const AssembledSystem& fine, DeviceRows P, DeviceRows Pt)
        : A_(fine.A),
          r_(fine.backend, fine.size, "r"),
          coarse_(Pt.at.rows),
          prolongation_(rows_transfer(std::move(P), coarse_)),
          restriction_(rows_transfer(std::move(Pt), fine.size)) {}

    void restrict_residual(Vector& coarse_b, Vector& /*coarse_x*/, const Vector& b, const Vector& x) override {
        A_.residual(r_, b, x);
        restriction_.multiply(coarse_b, r_);
    }
    void prolong(Vector& fine, const Vector& coarse) override { prolongation_.add(fine, coarse); }

    /// P^T A P 1, where what cancels does so in the products with A.
    Vector row_sums() {
        Backend& backend = r_.backend();
        Vector ones(backend, coarse_, "ones"), sums(backend, coarse_, "row sums"),
            x(backend, r_.layout().length, "P 1");
        upload_floats(ones, static_cast<std::size_t>(coarse_), [](std::size_t) { return 1.0; });
        prolongation_.multiply(x, ones);
        A_.multiply(r_, x);
        restriction_.multiply(sums, r_);
        return sums;
    }

  private:
    AssembledMatrix& A_;
    Vector r_;
    Index coarse_;
    Transfer prolongation_, restriction_;
};

}  // namespace glsolve::inline v0_1
