/// Matrices on the host in double precision, as far as residuals go.
#pragma once

#include <glsolve/csr.hpp>
#include <span>

namespace glsolve::inline v0_1 {

class HostMatrix {
  public:
    virtual ~HostMatrix() = default;

    /// Of rows begin ... end - 1:  sum[i - begin] <- (A x)_i,  size[i - begin] <- (|A| |x|)_i
    virtual void multiply(std::size_t begin, std::size_t end, std::span<const double> x, double* sum,
                          double* size) const = 0;
};

/// A in compressed rows, which must outlive the object.
class HostCsr final : public HostMatrix {
  public:
    explicit HostCsr(const CsrMatrix& A) : A_(A) {}

    void multiply(std::size_t begin, std::size_t end, std::span<const double> x, double* sum,
                  double* size) const override;

  private:
    const CsrMatrix& A_;
};

}  // namespace glsolve::inline v0_1
