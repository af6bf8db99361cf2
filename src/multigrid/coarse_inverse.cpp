#include "multigrid/coarse_inverse.hpp"

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <cmath>
#include <limits>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "core/scaling.hpp"

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

bool invert_dense(const Dense& A, Dense& inverse) {
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

}  // namespace

HostInverse invert(const CsrMatrix& A, std::span<const double> scale, std::span<const double> null_space,
                   int null_vectors) {
    if (A.rows == 0) return {};
    const Sparse sparse = to_eigen(A, scale);
    const Sparse difference = sparse - Sparse(sparse.transpose());
    const bool symmetric = difference.norm() <= 1e-10 * sparse.norm();
    Dense inverse;
    // L D L^T has no pivoting, and may fail where A is not definite.
    if (!(symmetric && invert_symmetric(sparse, inverse)) && !invert_dense(Dense(sparse), inverse)
        && !invert_dense(without_null_space(sparse, scale, null_space, null_vectors), inverse)) {
        return {A.rows, {}, std::numeric_limits<double>::infinity()};
    }
    const double norm_of_inverse = inverse.cwiseAbs().rowwise().sum().maxCoeff();
    return {A.rows, std::vector<double>(inverse.data(), inverse.data() + inverse.size()),
            infinity_norm(A, scale) * norm_of_inverse};
}

std::vector<double> smoothest_error(const HostInverse& inverse) {
    constexpr int steps = 6;
    const Eigen::Map<const Dense> A(inverse.numbers.data(), inverse.size, inverse.size);
    std::vector<double> x(static_cast<std::size_t>(inverse.size));
    Random random(1);
    for (double& number : x) number = random.uniform() + 0.5;
    Eigen::Map<Eigen::VectorXd> w(x.data(), inverse.size);
    for (int step = 0; step < steps; ++step) w = (A * w.normalized()).eval();
    w.normalize();
    return x;
}

CoarseInverse::CoarseInverse(Backend& backend, const HostInverse& inverse)
    : matrix_(backend, inverse.size, "inverse of the coarsest level"), product_(matrix_) {
    matrix_.upload(inverse.numbers);
}

}  // namespace glsolve::inline v0_1
