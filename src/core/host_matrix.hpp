/// Matrices on the host in double precision, as far as residuals go.
#pragma once

#include <cstdint>
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

/// A in compressed rows, which must outlive the object and keep its numbers. Where most rows are alike, as those of
/// grids with constant coefficients are, only the others are read again once all have been read: for who multiplies
/// more than once. No two threads may multiply the same rows at a time.
class HostCsr final : public HostMatrix {
  public:
    enum class Again : std::uint8_t { never, often };
    explicit HostCsr(const CsrMatrix& A, Again again = Again::often);

    /// How many rows will not be read again, of those seen so far.
    Index alike() const;

    void multiply(std::size_t begin, std::size_t end, std::span<const double> x, double* sum,
                  double* size) const override;

  private:
    void take_as_model(Index row);
    bool is_alike(Index row) const;
    void multiply_row(std::size_t i, std::span<const double> x, double& sum, double& size) const;
    void multiply_alike(std::size_t begin, std::size_t end, std::span<const double> x, double* sum, double* size) const;

    const CsrMatrix& A_;
    std::vector<Index> distance_;  // of the columns of the model from its diagonal, and their numbers
    std::vector<double> number_;
    enum class Seen : std::uint8_t { not_yet, alike, different };
    mutable std::vector<Seen> seen_;  // of each row; empty: too few are alike
};

}  // namespace glsolve::inline v0_1
