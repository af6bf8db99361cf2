/// A preconditioner that is products with sparse matrices, one after the other.
#pragma once

#include <glsolve/options.hpp>
#include <memory>
#include <vector>

#include "device/assembled_matrix.hpp"
#include "device/preconditioner.hpp"
#include "inverses/factor_order.hpp"

namespace glsolve::inline v0_1 {

/// z <- A_k ... A_2 A_1 r, each matrix in the format that suits it, rounded to single precision.
class ProductChain final : public Preconditioner {
  public:
    /// At least one matrix, all square and of one size. `products`: what they cost, in products with the system's A.
    ProductChain(Backend& backend, const std::vector<CsrMatrix>& matrices, int products);

    void apply(Vector& z, const Vector& r) override;
    int products() const override { return products_; }
    bool takes_fields() const override { return true; }
    void apply(MultiVector& z, const MultiVector& r) override;

  private:
    Backend& backend_;
    std::vector<std::unique_ptr<AssembledMatrix>> matrices_;
    int products_;
    Index size_;
    std::vector<Vector> between_;        // two at most, which take turns
    std::vector<MultiVector> fields_;    // the same, made when they are needed
    std::unique_ptr<PartialSums> sums_;  // nobody reads them
};

/// G A_k ... A_1 F for matrices in the order of `ordered`: F and G go into the first and the last one. A: the system's
/// matrix, beside which products are counted.
std::unique_ptr<ProductChain> ordered_chain(Backend& backend, CsrView A, const MatrixToFactor& ordered,
                                            std::vector<CsrMatrix> matrices);

/// A matrix of a preconditioner on the device: without low parts.
std::unique_ptr<AssembledMatrix> stored_factor(Backend& backend, CsrView A);

}  // namespace glsolve::inline v0_1
