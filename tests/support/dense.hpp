/// Small dense matrices: what tests compute by other means than the library. Eigen's decompositions take many seconds
/// to compile, so that these functions have them once, in dense.cpp.
#pragma once

#include <Eigen/Core>
#include <glsolve/csr.hpp>

namespace glsolve::test {

Eigen::MatrixXd dense(CsrView A);

/// A^-1, and A^-1 B for a square A.
Eigen::MatrixXd inverse(const Eigen::MatrixXd& A);
Eigen::MatrixXd solution(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);
/// A^-1 b by a sparse LU factorization; NaN where there is none.
Eigen::VectorXd direct_solution(CsrView A, const Eigen::VectorXd& b);
/// The shortest x of those with the least |b - A x|.
Eigen::VectorXd least_squares(const Eigen::MatrixXd& A, const Eigen::VectorXd& b);

/// L of A = L L^T.
Eigen::MatrixXd cholesky(const Eigen::MatrixXd& A);
bool is_positive_definite(const Eigen::MatrixXd& A);
/// In ascending order.
Eigen::VectorXd eigenvalues_of_symmetric(const Eigen::MatrixXd& A);
double spectral_radius(const Eigen::MatrixXd& A);
/// In descending order.
Eigen::VectorXd singular_values(const Eigen::MatrixXd& A);

/// How many eigenvalues have which sign.
struct Inertia {
    Index negative = 0, zero = 0, positive = 0;
    bool operator==(const Inertia&) const = default;
};
/// Of a symmetric matrix. What is below 1e-12 of the largest counts as zero.
Inertia inertia(CsrView A);

}  // namespace glsolve::test
