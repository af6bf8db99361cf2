/// Incomplete factors applied by sweeps of Jacobi's iteration in place of triangular solves (H. Anzt, E. Chow and
/// J. Dongarra, Iterative sparse triangular solves for preconditioning, Euro-Par 2015).
#pragma once

#include <memory>
#include <optional>

#include "device/assembled_matrix.hpp"
#include "device/preconditioner.hpp"
#include "inverses/triangular_factors.hpp"

namespace glsolve::inline v0_1 {

/// z <- G (I + U)^-1 D^-1 (I + L)^-1 F r,  where a sweep for I + L is  y <- r - L y  from y = r. Always so many sweeps,
/// so M^-1 is linear; with U = L^T and D > 0 it is symmetric, and definite with an even number of products in each sum.
class SweptFactors final : public Preconditioner {
  public:
    /// `before` and `after` are F and G, null where they are the identity.
    SweptFactors(Backend& backend, const TriangularFactors& factors, int sweeps, const CsrMatrix* before,
                 const CsrMatrix* after, int products);
    /// The same with factors that are on the device already.
    struct OnDevice {
        std::unique_ptr<AssembledMatrix> L, U;
        std::unique_ptr<AssembledMatrix> inverse_D;  ///< of blocks; null: reciprocal
        std::optional<Vector> reciprocal;            ///< 1 / D
    };
    SweptFactors(Backend& backend, OnDevice factors, Index size, int sweeps, const CsrMatrix* before,
                 const CsrMatrix* after, int products);

    void apply(Vector& z, const Vector& r) override;
    int products() const override { return products_; }
    bool takes_fields() const override { return true; }
    void apply(MultiVector& z, const MultiVector& r) override;

  private:
    /// For several right-hand sides; nobody reads the sums.
    struct Fields {
        MultiVector b, y, turn;
        PartialSums sums;
    };
    void sweep(AssembledMatrix& T, MultiVector& y, const MultiVector& b);

    OnDevice factors_;
    std::unique_ptr<AssembledMatrix> before_, after_;
    Vector y_, v_;
    std::optional<Fields> fields_;  // made when they are needed
    int sweeps_, products_;
};

}  // namespace glsolve::inline v0_1
