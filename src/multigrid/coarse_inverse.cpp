#include "multigrid/coarse_inverse.hpp"

#include <Eigen/Dense>
#include <Eigen/SparseCholesky>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "base/random.hpp"
#include "matrix/scaling.hpp"

namespace glsolve::inline v0_1 {
namespace {

using Dense = Eigen::MatrixXd;
using Sparse = Eigen::SparseMatrix<double>;

constexpr double singular = 1e-12;  // smallest pivot beside the largest one
constexpr Index columns_at_once = 32;
constexpr Eigen::Index most_for_pseudo_inverse = 600;  // rows: a second of the host

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

/// The connected components of a matrix, as lists of rows.
std::vector<std::vector<Eigen::Index>> components(const Sparse& A) {
    const Sparse both = A + Sparse(A.transpose());
    std::vector<bool> seen(static_cast<std::size_t>(A.rows()), false);
    std::vector<std::vector<Eigen::Index>> found;
    for (Eigen::Index first = 0; first < A.rows(); ++first) {
        if (seen[static_cast<std::size_t>(first)]) continue;
        std::vector<Eigen::Index> rows{first};
        seen[static_cast<std::size_t>(first)] = true;
        for (std::size_t at = 0; at < rows.size(); ++at) {
            for (Sparse::InnerIterator entry(both, rows[at]); entry; ++entry) {
                if (seen[static_cast<std::size_t>(entry.row())] || entry.value() == 0) continue;
                seen[static_cast<std::size_t>(entry.row())] = true;
                rows.push_back(entry.row());
            }
        }
        found.push_back(std::move(rows));
    }
    return found;
}

/// An orthonormal basis of the null space of A or of its transpose, as far as it is made of the vectors that the null
/// space is expected to hold, each restricted to a component of A: a closed region has constants of its own.
Dense null_space_by_components(const Sparse& A, std::span<const double> scale, std::span<const double> expected,
                               int vectors) {
    const double small = 1e-10 * A.norm();
    std::vector<Eigen::VectorXd> basis;
    for (const std::vector<Eigen::Index>& rows : components(A)) {
        Dense N = Dense::Zero(A.rows(), vectors);
        for (const Eigen::Index i : rows) {
            for (int k = 0; k < vectors; ++k) {
                N(i, k) = expected[static_cast<std::size_t>(i * vectors + k)] / scale[static_cast<std::size_t>(i)];
            }
        }
        Eigen::ColPivHouseholderQR<Dense> factors(N);
        factors.setThreshold(1e-10);
        const Dense Q = factors.householderQ() * Dense::Identity(A.rows(), factors.rank());
        for (Eigen::Index k = 0; k < Q.cols(); ++k) {
            if ((A * Q.col(k)).norm() > small && (A.transpose() * Q.col(k)).norm() > small) continue;
            basis.emplace_back(Q.col(k));
        }
    }
    Dense all(A.rows(), static_cast<Eigen::Index>(basis.size()));
    for (std::size_t k = 0; k < basis.size(); ++k) all.col(static_cast<Eigen::Index>(k)) = basis[k];
    return all;
}

/// A + unit Q Q^T for an orthonormal Q with A Q = 0 or A^T Q = 0, with a `unit` as large as A's diagonal. Where A has
/// an answer for b the inverse finds that which is orthogonal to Q: multiply by the left null vectors.
Dense without_null_space(const Sparse& A, const Dense& Q) {
    return Dense(A) + (A.diagonal().cwiseAbs().sum() / static_cast<double>(A.rows())) * Q * Q.transpose();
}

/// Whatever the null space is: the pseudo-inverse. It takes many times as long.
bool invert_generally(const Dense& A, Dense& inverse) {
    if (A.rows() > most_for_pseudo_inverse) return false;
    Eigen::CompleteOrthogonalDecomposition<Dense> factors(A.rows(), A.cols());
    factors.setThreshold(singular);
    factors.compute(A);
    inverse = factors.pseudoInverse();
    return inverse.allFinite();
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
    if (!(symmetric && invert_symmetric(sparse, inverse)) && !invert_dense(Dense(sparse), inverse)) {
        const Dense Q = null_space_by_components(sparse, scale, null_space, null_vectors);
        if (!(Q.cols() > 0 && invert_dense(without_null_space(sparse, Q), inverse))
            && !invert_generally(Dense(sparse), inverse)) {
            return {A.rows, {}, std::numeric_limits<double>::infinity()};
        }
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
