/// Small matrices for Eigen.
#pragma once

#include <Eigen/Core>
#include <glsolve/csr.hpp>

namespace glsolve::test {

inline Eigen::MatrixXd dense(const CsrMatrix& A) {
    Eigen::MatrixXd result = Eigen::MatrixXd::Zero(A.rows, A.columns);
    for (Index row = 0; row < A.rows; ++row) {
        for (Offset k = A.offsets[row]; k < A.offsets[row + 1]; ++k) result(row, A.column[k]) = A.value[k];
    }
    return result;
}

}  // namespace glsolve::test
