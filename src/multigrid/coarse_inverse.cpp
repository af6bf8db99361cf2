#include "multigrid/coarse_inverse.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <cmath>
#include <glsolve/error.hpp>

#include "core/parallel.hpp"

namespace glsolve::inline v0_1 {
namespace {

using Dense = Eigen::MatrixXd;
using Sparse = Eigen::SparseMatrix<double>;

constexpr double singular = 1e-12;  // smallest pivot beside the largest one
constexpr Index columns_at_once = 32;

Sparse to_eigen(const CsrMatrix& A, std::span<const double> scale) {
    std::vector<Eigen::Triplet<double>> entries;
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + std::size_t{1}]; ++k) {
            entries.emplace_back(i, A.column[k], scale[i] * A.value[k] * scale[A.column[k]]);
        }
    }
    Sparse made(A.rows, A.rows);
    made.setFromTriplets(entries.begin(), entries.end());
    return made;
}

/// L D L^T of a symmetric matrix, column by column of the inverse; false where it is singular.
bool invert_symmetric(const Sparse& A, Dense& inverse) {
    const Eigen::SimplicialLDLT<Sparse> factors(A);
    if (factors.info() != Eigen::Success) return false;
    const Eigen::VectorXd d = factors.vectorD().cwiseAbs();
    if (!(d.minCoeff() > singular * d.maxCoeff())) return false;
    inverse.resize(A.rows(), A.cols());
    parallel_for(static_cast<Index>(A.cols()), columns_at_once, [&](int, Index begin, Index end) {
        for (Index j = begin; j < end; j += columns_at_once) {
            const Index count = std::min(columns_at_once, end - j);
            Dense unit = Dense::Zero(A.rows(), count);
            for (Index k = 0; k < count; ++k) unit(j + k, k) = 1;
            inverse.middleCols(j, count) = factors.solve(unit);
        }
    });
    return true;
}

bool invert(const Dense& A, Dense& inverse) {
    const Eigen::PartialPivLU<Dense> factors(A);
    const Eigen::VectorXd d = factors.matrixLU().diagonal().cwiseAbs();
    if (!(d.minCoeff() > singular * d.maxCoeff())) return false;
    inverse = factors.inverse();
    return inverse.allFinite();
}

/// A + unit Q Q^T, with Q an orthonormal basis of S^-1 times the null vectors and `unit` as large as A's diagonal.
Dense without_null_space(const Sparse& A, std::span<const double> scale, std::span<const double> null_space,
                         int vectors) {
    Dense N(A.rows(), vectors);
    for (Eigen::Index i = 0; i < A.rows(); ++i) {
        for (int k = 0; k < vectors; ++k) {
            N(i, k) = null_space[static_cast<std::size_t>(i * vectors + k)] / scale[static_cast<std::size_t>(i)];
        }
    }
    const Dense Q = Eigen::HouseholderQR<Dense>(N).householderQ() * Dense::Identity(A.rows(), vectors);
    return Dense(A) + (A.diagonal().sum() / static_cast<double>(A.rows())) * Q * Q.transpose();
}

Dense inverse_of(const CsrMatrix& A, std::span<const double> scale, std::span<const double> null_space, int vectors) {
    const Sparse sparse = to_eigen(A, scale);
    const Sparse difference = sparse - Sparse(sparse.transpose());
    const bool symmetric = difference.norm() <= 1e-10 * sparse.norm();
    Dense inverse;
    if (symmetric ? invert_symmetric(sparse, inverse) : invert(sparse, inverse)) return inverse;
    if (invert(without_null_space(sparse, scale, null_space, vectors), inverse)) return inverse;
    throw InvalidInput(
        fmt::format("multigrid: the coarsest level's matrix, of {} rows, is singular, and not because of constants "
                    "only; near_null_space may say what else A maps to zero",
                    A.rows));
}

}  // namespace

CoarseInverse::CoarseInverse(Backend& backend, const CsrMatrix& A, std::span<const double> scale,
                             std::span<const double> null_space, int null_vectors)
    : matrix_(backend, A.rows, "inverse of the coarsest level"), product_(matrix_) {
    const Dense inverse = inverse_of(A, scale, null_space, null_vectors);
    matrix_.upload(
        [&](const ZoneMatrix::Entry& at) {
            for (Index j = 0; j < A.rows; ++j) {
                for (Index i = 0; i < A.rows; ++i) at(i, j, inverse(i, j));
            }
        },
        false);
}

}  // namespace glsolve::inline v0_1
