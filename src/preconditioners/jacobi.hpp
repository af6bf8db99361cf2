#pragma once

#include <glsolve/csr.hpp>
#include <optional>
#include <span>
#include <string_view>

#include "device/preconditioner.hpp"

namespace glsolve::inline v0_1 {

/// M = diag(A): the reciprocals are taken in double precision on the host, and applied as one product by element.
class Jacobi final : public Preconditioner {
  public:
    /// For S A S, with the scaling factors `scale`. Throws InvalidInput that names the row of a zero on the diagonal,
    /// and `wanted_by`, which divides by the diagonal.
    Jacobi(Backend& backend, CsrView A, std::span<const double> scale,
           std::string_view wanted_by = "preconditioner jacobi");

    void apply(Vector& z, const Vector& r) override;
    const Vector* diagonal() const override { return &reciprocal_; }

  private:
    Vector reciprocal_;
};

/// The number on the diagonal of M^-1 where it is the same everywhere: M is then a multiple of the identity, and
/// conjugate gradients go the same way without it.
std::optional<double> constant_reciprocal(CsrView A, std::span<const double> scale);

}  // namespace glsolve::inline v0_1
