/// Factors of a small dense matrix on the host, in double precision (by Eigen).
#pragma once

#include <functional>
#include <glsolve/csr.hpp>
#include <memory>
#include <span>
#include <vector>

namespace glsolve::inline v0_1 {

class DenseFactors {
  public:
    using Entry = std::function<void(Index row, Index column, double value)>;
    /// Calls entry(i, j, b_ij) for what is not zero in an n x n matrix B.
    using Place = std::function<void(const Entry&)>;

    virtual ~DenseFactors() = default;
    virtual std::vector<double> solve(std::span<const double> r) const = 0;
};

/// P B = L U with partial pivoting, 2/3 n^3 operations. Solves B x = r; x is not finite where U has a zero on its
/// diagonal.
class TriangularFactors final : public DenseFactors {
  public:
    TriangularFactors(Index n, const Place& place);
    ~TriangularFactors() override;

    std::vector<double> solve(std::span<const double> r) const override;
    /// The size of the smallest pivot over that of the largest one.
    double pivot_ratio() const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// B P = Q T Z with a triangle T of the rank that B has to within rounding, 4 n^3 operations at most. Of all x with the
/// smallest |r - B x| it takes the shortest one.
class OrthogonalFactors final : public DenseFactors {
  public:
    OrthogonalFactors(Index n, const Place& place);
    ~OrthogonalFactors() override;

    std::vector<double> solve(std::span<const double> r) const override;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace glsolve::inline v0_1
