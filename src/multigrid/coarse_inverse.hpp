/// The coarsest level's system, solved by one product with its inverse: a GPU is as quick with it as with a single
/// sweep over the levels that it stands for, each of which would keep it waiting for a few passes.
#pragma once

#include "dense/product.hpp"
#include "multigrid/coarse_solver.hpp"

namespace glsolve::inline v0_1 {

/// Beyond, the inverse in single precision is no longer definite.
inline constexpr double worst_condition = 1e6;

/// An inverse on the host, in double precision.
struct HostInverse {
    Index size = 0;
    std::vector<double> numbers;  ///< column by column
    double condition = 0;         ///< |A| |A^-1|, of largest row sums
};

/// (S A S)^-1. Where A is singular, the inverse on what is orthogonal to its null space. That is looked for among
/// `null_vectors` numbers for each row (constants, say) on each connected component of A; a matrix of some hundred rows
/// may have any. Where it is not found the condition is infinite, and there are no numbers.
HostInverse invert(CsrView A, std::span<const double> scale, std::span<const double> null_space, int null_vectors);

/// The eigenvector of the inverse's largest eigenvalue, roughly, by a few steps of the power method.
std::vector<double> smoothest_error(const HostInverse& inverse);

class CoarseInverse final : public CoarseSolver {
  public:
    CoarseInverse(Backend& backend, const HostInverse& inverse);
    CoarseInverse(const CoarseInverse&) = delete;  // the product knows where the matrix is
    CoarseInverse& operator=(const CoarseInverse&) = delete;

    void solve(Vector& x, const Vector& b) override { product_.multiply(x, b); }
    std::int64_t bytes() const { return matrix_.bytes(); }

  private:
    ZoneMatrix matrix_;
    DenseProduct product_;
};

}  // namespace glsolve::inline v0_1
