/// Matrices on the host in double precision, as far as residuals go.
#pragma once

#include <cstdint>
#include <glsolve/csr.hpp>
#include <span>
#include <vector>

#include "base/compensated_sum.hpp"
#include "base/exact_sum.hpp"
#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {

class HostMatrix {
  public:
    virtual ~HostMatrix() = default;

    /// Of rows begin ... end - 1:  sum[i - begin] <- (A x)_i,  size[i - begin] <- (|A| |x|)_i
    virtual void multiply(std::size_t begin, std::size_t end, std::span<const double> x, double* sum,
                          double* size) const = 0;
    /// r <- r - (A x)_i, as if computed in twice the precision; and exactly
    virtual void subtract(CompensatedSum& r, std::size_t i, std::span<const double> x) const = 0;
    virtual void subtract(ExactSum& r, std::size_t i, std::span<const double> x) const = 0;
    /// Products behind a number of A x at most: what bounds of rounding errors grow with.
    virtual Offset most_terms() const = 0;
    /// As many rows of a product as are worth a thread.
    virtual Offset grain() const = 0;
};

/// A in compressed rows, which must outlive the object and keep its numbers. Where most rows are alike, as those of
/// grids with constant coefficients are, products read the others only: for who multiplies more than once, as all rows
/// are read to see which these are.
class HostCsr final : public HostMatrix {
  public:
    enum class Again : std::uint8_t { never, often };
    explicit HostCsr(CsrView A, Again again = Again::often);

    /// How many rows products do not read.
    Index alike() const;

    void multiply(std::size_t begin, std::size_t end, std::span<const double> x, double* sum,
                  double* size) const override;
    void subtract(CompensatedSum& r, std::size_t i, std::span<const double> x) const override;
    void subtract(ExactSum& r, std::size_t i, std::span<const double> x) const override;
    Offset most_terms() const override { return longest_row_; }
    Offset grain() const override { return row_grain(A_); }

  private:
    template <class Sum>
    void subtract_row(Sum& r, std::size_t i, std::span<const double> x) const;
    void take_as_model(Index row);
    bool is_like_model(Index row) const;
    std::size_t first_unlike(std::size_t begin, std::size_t end) const;
    void multiply_row(std::size_t i, std::span<const double> x, double& sum, double& size) const;
    void multiply_alike(std::size_t begin, std::size_t end, std::span<const double> x, double* sum, double* size) const;

    CsrView A_;
    Offset longest_row_;
    std::vector<Index> distance_;  // of the columns of the model from its diagonal, and their numbers
    std::vector<double> number_;
    std::vector<std::uint8_t> alike_;  // 1 for each row that is like the model; empty: too few are
};

}  // namespace glsolve::inline v0_1
