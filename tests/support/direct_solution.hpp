/// What tests of generated systems ask of Eigen: solutions, and the signs of eigenvalues.
#pragma once

#include <Eigen/Eigenvalues>
#include <Eigen/SparseLU>
#include <cmath>
#include <glsolve/csr.hpp>
#include <vector>

#include "support/dense.hpp"

namespace glsolve::test {

/// A^-1 b, by a sparse LU factorization.
inline Eigen::VectorXd direct_solution(const CsrMatrix& A, const Eigen::VectorXd& b) {
    std::vector<Eigen::Triplet<double>> entries;
    for (Index row = 0; row < A.rows; ++row) {
        for (Offset k = A.offsets[row]; k < A.offsets[row + 1]; ++k) {
            entries.emplace_back(row, A.column[k], A.value[k]);
        }
    }
    Eigen::SparseMatrix<double> S(A.rows, A.columns);
    S.setFromTriplets(entries.begin(), entries.end());
    const Eigen::SparseLU<Eigen::SparseMatrix<double>> factors(S);
    if (factors.info() != Eigen::Success) return Eigen::VectorXd::Constant(b.size(), NAN);
    return factors.solve(b);
}

/// How many eigenvalues have which sign.
struct Inertia {
    Index negative = 0, zero = 0, positive = 0;
    bool operator==(const Inertia&) const = default;
};

/// Of a symmetric matrix. What is below 1e-12 of the largest counts as zero.
inline Inertia inertia(const CsrMatrix& A) {
    const Eigen::VectorXd values = Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(dense(A)).eigenvalues();
    const double rounding = 1e-12 * values.cwiseAbs().maxCoeff();
    Inertia result;
    for (const double value : values) {
        ++(value < -rounding ? result.negative : value > rounding ? result.positive : result.zero);
    }
    return result;
}

}  // namespace glsolve::test
