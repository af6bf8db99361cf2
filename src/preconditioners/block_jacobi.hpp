#pragma once

#include <glsolve/csr.hpp>
#include <glsolve/solver.hpp>
#include <memory>
#include <span>

#include "core/operator.hpp"
#include "core/preconditioner.hpp"

namespace glsolve::inline v0_1 {

/// M is what A has in square blocks along the diagonal, of 2 to 4 rows each: the unknowns of one point of a mesh, say.
/// The blocks are inverted in double precision on the host; applying them is a product like any other.
class BlockJacobi final : public Preconditioner {
  public:
    /// For S A S, with the scaling factors `scale`. Throws InvalidInput that names the rows of a singular block.
    BlockJacobi(Backend& backend, const CsrMatrix& A, std::span<const double> scale, int rows_of_block);

    void apply(Vector& z, const Vector& r) override { inverse_->multiply(z, r); }

  private:
    std::unique_ptr<Operator> inverse_;
};

}  // namespace glsolve::inline v0_1
