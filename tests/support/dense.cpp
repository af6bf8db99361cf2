#include "support/dense.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <Eigen/SVD>
#include <Eigen/SparseLU>
#include <cmath>
#include <vector>

namespace glsolve::test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd dense(CsrView A) {
    MatrixXd result = MatrixXd::Zero(A.rows, A.columns);
    for (Index row = 0; row < A.rows; ++row) {
        for (Offset k = A.offsets[row]; k < A.offsets[row + 1]; ++k) result(row, A.column[k]) = A.value[k];
    }
    return result;
}

MatrixXd inverse(const MatrixXd& A) { return solution(A, MatrixXd::Identity(A.rows(), A.cols())); }

MatrixXd solution(const MatrixXd& A, const MatrixXd& B) { return A.fullPivLu().solve(B); }

VectorXd direct_solution(CsrView A, const VectorXd& b) {
    std::vector<Eigen::Triplet<double>> entries;
    for (Index row = 0; row < A.rows; ++row) {
        for (Offset k = A.offsets[row]; k < A.offsets[row + 1]; ++k) {
            entries.emplace_back(row, A.column[k], A.value[k]);
        }
    }
    Eigen::SparseMatrix<double> S(A.rows, A.columns);
    S.setFromTriplets(entries.begin(), entries.end());
    const Eigen::SparseLU<Eigen::SparseMatrix<double>> factors(S);
    if (factors.info() != Eigen::Success) return VectorXd::Constant(b.size(), NAN);
    return factors.solve(b);
}

VectorXd least_squares(const MatrixXd& A, const VectorXd& b) { return A.completeOrthogonalDecomposition().solve(b); }

MatrixXd cholesky(const MatrixXd& A) { return A.llt().matrixL(); }

bool is_positive_definite(const MatrixXd& A) { return A.llt().info() == Eigen::Success; }

VectorXd eigenvalues_of_symmetric(const MatrixXd& A) {
    return Eigen::SelfAdjointEigenSolver<MatrixXd>(A, Eigen::EigenvaluesOnly).eigenvalues();
}

double spectral_radius(const MatrixXd& A) { return A.eigenvalues().cwiseAbs().maxCoeff(); }

VectorXd singular_values(const MatrixXd& A) { return Eigen::JacobiSVD<MatrixXd>(A).singularValues(); }

Inertia inertia(CsrView A) {
    const VectorXd values = eigenvalues_of_symmetric(dense(A));
    const double rounding = 1e-12 * values.cwiseAbs().maxCoeff();
    Inertia result;
    for (const double value : values) {
        ++(value < -rounding ? result.negative : value > rounding ? result.positive : result.zero);
    }
    return result;
}

}  // namespace glsolve::test
