/// Matrices on the host in double precision, as far as residuals go.
#pragma once

#include <glsolve/csr.hpp>
#include <span>
#include <vector>

namespace glsolve::inline v0_1 {

class HostMatrix {
  public:
    virtual ~HostMatrix() = default;

    /// Of rows begin ... end - 1:  sum[i - begin] <- (A x)_i,  size[i - begin] <- (|A| |x|)_i
    virtual void multiply(std::size_t begin, std::size_t end, std::span<const double> x, double* sum,
                          double* size) const = 0;
};

/// A in compressed rows, which must outlive the object and keep its numbers. Where most rows are like one in the
/// middle, as those of grids with constant coefficients are, only the others are read.
class HostCsr final : public HostMatrix {
  public:
    explicit HostCsr(const CsrMatrix& A);

    void multiply(std::size_t begin, std::size_t end, std::span<const double> x, double* sum,
                  double* size) const override;

  private:
    bool is_alike(Index row) const;
    void multiply_row(std::size_t i, std::span<const double> x, double& sum, double& size) const;
    void multiply_alike(std::size_t begin, std::size_t end, std::span<const double> x, double* sum, double* size) const;

    const CsrMatrix& A_;
    std::vector<Index> distance_;  // of the columns of such a row from the diagonal, and their numbers
    std::vector<double> number_;
    std::vector<std::uint8_t> alike_;  // of each row; empty: they are too few
};

}  // namespace glsolve::inline v0_1
