/// Factors of a sparse matrix on the host, in double precision (by Eigen).
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "matrix/factor_plan.hpp"

namespace glsolve::inline v0_1 {

/// L U with pivots on the diagonal unless another one of the column is a hundred times as large (X. S. Li, ACM Trans.
/// Math. Softw. 31, 2005). Of what may be positive definite, L U or L D L^T with all pivots on the diagonal.
class SparseFactors {
  public:
    /// `shift`: times the largest entry of the matched and scaled matrix; is added to its diagonal. It makes factors of
    /// singular matrices: corrections with them converge where a solution exists, the slower the larger the shift.
    explicit SparseFactors(const FactorPlan& plan, double shift = 0);
    SparseFactors(SparseFactors&&) noexcept;
    SparseFactors& operator=(SparseFactors&&) noexcept;
    ~SparseFactors();

    /// The smallest pivot over the largest one in size; 0: a column has none, and there are no factors. Below zero: a
    /// pivot is, of what may be positive definite.
    double pivot_ratio() const;
    std::string_view name() const;  ///< "L U" or "L D L^T"
    double entries() const;
    /// A x = r
    std::vector<double> solve(std::span<const double> r) const;

    /// (I + L) D (I + U) = P C, without the zeros that are stored.
    struct Triangles {
        CsrMatrix L, U;           ///< strictly lower, strictly upper
        std::vector<double> D;    ///< pivots
        std::vector<Index> from;  ///< P: row k is this row of C
    };
    Triangles triangles() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

inline constexpr double usual_shift = 1e-8;

/// A plan that led to factors; none: it is impossible.
struct Factored {
    FactorPlan plan;
    std::optional<SparseFactors> factors = {};
    double shift = 0;  ///< which they have, since a pivot vanished
};

/// By a plan for A. What was taken for positive definite and is not is planned anew, for factors of at most so many
/// bytes; where a pivot vanishes there is a shift.
Factored factor(CsrView A, FactorPlan plan, double most_bytes);

}  // namespace glsolve::inline v0_1
