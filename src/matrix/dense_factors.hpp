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
class DenseLu final : public DenseFactors {
  public:
    DenseLu(Index n, const Place& place);
    ~DenseLu() override;

    std::vector<double> solve(std::span<const double> r) const override;
    std::vector<double> inverse() const;  ///< column by column
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
    /// B has a rank up to pivots of `least_pivot` times the largest one; 0: to within rounding.
    OrthogonalFactors(Index n, const Place& place, double least_pivot = 0);
    ~OrthogonalFactors() override;

    std::vector<double> solve(std::span<const double> r) const override;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// Least squares problems  min |B x - e_k|  with small dense B, one after the other in the same memory, by QR with
/// pivoted columns. For one thread.
class SmallLeastSquares {
  public:
    SmallLeastSquares();
    ~SmallLeastSquares();

    /// B, zeros at first, column by column. It stays valid until the next call, as all that is returned here.
    std::span<double> begin(Index rows, Index columns);
    std::span<double> solve(Index k);          ///< x; B stays
    std::span<const double> residual() const;  ///< B x - e_k, of the last solution

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

/// An orthonormal basis, column by column, of what `numbers` span, columns of so many rows: as many vectors as there
/// are pivots above `least_pivot` times the largest one.
std::vector<double> orthonormal_basis(std::span<const double> numbers, Index rows, double least_pivot);

}  // namespace glsolve::inline v0_1
