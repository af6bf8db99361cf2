/// Factors of a sparse matrix on the host, in double precision (by Eigen).
#pragma once

#include <memory>
#include <string_view>

#include "matrix/factor_plan.hpp"
#include "matrix/host_factors.hpp"

namespace glsolve::inline v0_1 {

/// L U with pivots on the diagonal unless another one of the column is a hundred times as large (X. S. Li, ACM Trans.
/// Math. Softw. 31, 2005); or L D L^T, whose pivots are all on the diagonal: where one is not positive it becomes L U.
class SparseFactors final : public HostFactors {
  public:
    explicit SparseFactors(const FactorPlan& plan);
    ~SparseFactors() override;

    /// False: a column has no pivot, A is singular.
    bool exist() const;
    std::string_view name() const;  ///< "L U" or "L D L^T"
    double entries() const;
    /// A x = r
    std::vector<double> solve(std::span<const double> r) const override;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace glsolve::inline v0_1
