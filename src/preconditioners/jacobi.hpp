#pragma once

#include <glsolve/csr.hpp>
#include <span>
#include <string_view>

#include "device/preconditioner.hpp"

namespace glsolve::inline v0_1 {

/// M = diag(A): the reciprocals are taken in double precision on the host, and applied as one product by element.
class Jacobi final : public Preconditioner {
  public:
    /// For S A S, with the scaling factors `scale`. Throws InvalidInput that names the row of a zero on the diagonal,
    /// and `wanted_by`, which divides by the diagonal.
    Jacobi(Backend& backend, const CsrMatrix& A, std::span<const double> scale,
           std::string_view wanted_by = "preconditioner jacobi");

    /// Is the diagonal the same everywhere? M is then a multiple of the identity, and conjugate gradients go the same
    /// way without it.
    bool constant() const { return constant_; }
    /// The first number of M^-1.
    double first() const { return first_; }

    void apply(Vector& z, const Vector& r) override;
    const Vector* diagonal() const override { return &reciprocal_; }

  private:
    Vector reciprocal_;
    bool constant_ = false;
    double first_ = 1;
};

}  // namespace glsolve::inline v0_1
