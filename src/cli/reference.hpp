/// A reference answer on the host, in double precision: what errors of an answer are measured against.
#pragma once

#include <glsolve/csr.hpp>
#include <span>
#include <vector>

namespace glsolve::cli {

struct Reference {
    std::vector<double> x;
    double relative_residual = 0;  ///< |b - A x| / |b|, accumulated in long double
    double uncertainty = 0;        ///< how far x may be from the exact answer: |error|_inf / |x|_inf, estimated
    int corrections = 0;
};

/// The answer of A x = b by a sparse LU factorisation with partial pivoting (Eigen::SparseLU), refined with residuals
/// in long double (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 12.1) until a correction
/// changes no more than the last bits. b has as many elements as A has rows. It takes the memory of the
/// factors, which may be many times that of A. Throws InvalidInput with the reason where no answer can be had that is
/// good to 1e-12: the matrix is not square, singular or too ill-conditioned, b is zero or not finite, or the factors do
/// not fit into memory.
Reference reference_answer(CsrView A, std::span<const double> b);

/// |x_i - reference_i| / |reference|_inf for each component.
std::vector<double> componentwise_errors(std::span<const double> x, const Reference& reference);

}  // namespace glsolve::cli
