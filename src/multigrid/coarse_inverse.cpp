#include "multigrid/coarse_inverse.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "base/norm.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "matrix/dense_factors.hpp"
#include "matrix/scaling.hpp"

namespace glsolve::inline v0_1 {
namespace {

using Numbers = std::vector<double>;  // of a dense matrix, column by column
using Sparse = Eigen::SparseMatrix<double>;

constexpr double singular = 1e-12;  // smallest pivot beside the largest one
constexpr Index columns_at_once = 32;
constexpr Index most_for_pseudo_inverse = 600;  // rows: a second of the host

Sparse to_eigen(CsrView A, std::span<const double> scale) {
    std::vector<Eigen::Triplet<double>> entries;
    for (Index i = 0; i < A.rows; ++i) {
        for (const auto [j, a] : A.row(i)) entries.emplace_back(i, j, scale[i] * a * scale[j]);
    }
    Sparse made(A.rows, A.rows);
    made.setFromTriplets(entries.begin(), entries.end());
    return made;
}

DenseFactors::Place entries_of(const Sparse& A) {
    return [&A](const DenseFactors::Entry& entry) {
        for (int j = 0; j < A.outerSize(); ++j) {
            for (Sparse::InnerIterator a(A, j); a; ++a) entry(static_cast<Index>(a.row()), j, a.value());
        }
    };
}

bool is_finite(const Numbers& numbers) {
    return std::ranges::all_of(numbers, [](double v) { return std::isfinite(v); });
}

/// L D L^T of a symmetric matrix, column by column of the inverse; false where it is singular.
bool invert_symmetric(const Sparse& A, Numbers& inverse) {
    const Eigen::SimplicialLDLT<Sparse> factors(A);
    if (factors.info() != Eigen::Success) return false;
    const Eigen::VectorXd d = factors.vectorD().cwiseAbs();
    if (!(d.minCoeff() > singular * d.maxCoeff())) return false;
    const auto n = static_cast<Index>(A.rows());
    inverse.resize(static_cast<std::size_t>(A.rows() * A.rows()));
    Eigen::Map<Eigen::MatrixXd> all(inverse.data(), n, n);
    parallel_for(n, columns_at_once, [&](int, Index begin, Index end) {
        for (Index j = begin; j < end; j += columns_at_once) {
            const Index count = std::min(columns_at_once, end - j);
            Eigen::MatrixXd unit = Eigen::MatrixXd::Zero(n, count);
            for (Index k = 0; k < count; ++k) unit(j + k, k) = 1;
            all.middleCols(j, count) = factors.solve(unit);
        }
    });
    return true;
}

bool invert_dense(Index n, const DenseFactors::Place& place, Numbers& inverse) {
    const DenseLu factors(n, place);
    if (!(factors.pivot_ratio() > singular)) return false;
    inverse = factors.inverse();
    return is_finite(inverse);
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
std::vector<Numbers> null_space_by_components(const Sparse& A, std::span<const double> scale,
                                              std::span<const double> expected, int vectors) {
    const double small = 1e-10 * A.norm();
    const auto n = static_cast<std::size_t>(A.rows());
    std::vector<Numbers> basis;
    for (const std::vector<Eigen::Index>& rows : components(A)) {
        Numbers N(n * static_cast<std::size_t>(vectors), 0.0);
        for (const Eigen::Index row : rows) {
            const auto i = static_cast<std::size_t>(row);
            for (std::size_t k = 0; k < static_cast<std::size_t>(vectors); ++k) {
                N[k * n + i] = expected[i * static_cast<std::size_t>(vectors) + k] / scale[i];
            }
        }
        const Numbers Q = orthonormal_basis(N, static_cast<Index>(n), 1e-10);
        for (std::size_t first = 0; first < Q.size(); first += n) {
            const Eigen::Map<const Eigen::VectorXd> q(Q.data() + first, A.rows());
            if ((A * q).norm() > small && (A.transpose() * q).norm() > small) continue;
            basis.emplace_back(q.begin(), q.end());
        }
    }
    return basis;
}

/// A + unit Q Q^T for an orthonormal Q with A Q = 0 or A^T Q = 0, with a `unit` as large as A's diagonal. Where A has
/// an answer for b the inverse finds that which is orthogonal to Q: multiply by the left null vectors.
DenseFactors::Place without_null_space(const Sparse& A, const std::vector<Numbers>& Q) {
    return [&A, &Q](const DenseFactors::Entry& entry) {
        const auto n = static_cast<std::size_t>(A.rows());
        const double unit = A.diagonal().cwiseAbs().sum() / static_cast<double>(n);
        Numbers column(n);
        for (std::size_t j = 0; j < n; ++j) {
            std::ranges::fill(column, 0.0);
            for (const Numbers& q : Q) {
                for (std::size_t i = 0; i < n; ++i) column[i] += unit * q[i] * q[j];
            }
            for (Sparse::InnerIterator a(A, static_cast<Eigen::Index>(j)); a; ++a) {
                column[static_cast<std::size_t>(a.row())] += a.value();
            }
            for (std::size_t i = 0; i < n; ++i) entry(static_cast<Index>(i), static_cast<Index>(j), column[i]);
        }
    };
}

/// Whatever the null space is: the pseudo-inverse. It takes many times as long.
bool invert_generally(Index n, const DenseFactors::Place& place, Numbers& inverse) {
    if (n > most_for_pseudo_inverse) return false;
    const OrthogonalFactors factors(n, place, singular);
    inverse.clear();
    Numbers unit(static_cast<std::size_t>(n), 0.0);
    for (double& one : unit) {
        one = 1;
        const Numbers column = factors.solve(unit);
        inverse.insert(inverse.end(), column.begin(), column.end());
        one = 0;
    }
    return is_finite(inverse);
}

/// The largest sum of sizes of a row.
double infinity_norm(const Numbers& A, std::size_t rows) {
    Numbers sums(rows, 0.0);
    for (std::size_t k = 0; k < A.size(); ++k) sums[k % rows] += std::abs(A[k]);
    return *std::ranges::max_element(sums);
}

}  // namespace

HostInverse invert(CsrView A, std::span<const double> scale, std::span<const double> null_space, int null_vectors) {
    if (A.rows == 0) return {};
    const Sparse sparse = to_eigen(A, scale);
    const Sparse difference = sparse - Sparse(sparse.transpose());
    const bool symmetric = difference.norm() <= 1e-10 * sparse.norm();
    Numbers inverse;
    // L D L^T has no pivoting, and may fail where A is not definite.
    if (!(symmetric && invert_symmetric(sparse, inverse)) && !invert_dense(A.rows, entries_of(sparse), inverse)) {
        const std::vector<Numbers> Q = null_space_by_components(sparse, scale, null_space, null_vectors);
        if (!(!Q.empty() && invert_dense(A.rows, without_null_space(sparse, Q), inverse))
            && !invert_generally(A.rows, entries_of(sparse), inverse)) {
            return {A.rows, {}, std::numeric_limits<double>::infinity()};
        }
    }
    const double norm_of_inverse = infinity_norm(inverse, static_cast<std::size_t>(A.rows));
    return {A.rows, std::move(inverse), infinity_norm(A, scale) * norm_of_inverse};
}

std::vector<double> smoothest_error(const HostInverse& inverse) {
    constexpr int steps = 6;
    const auto n = static_cast<std::size_t>(inverse.size);
    std::vector<double> x(n), product(n);
    Random random(1);
    for (double& number : x) number = random.uniform() + 0.5;
    const auto normalize = [&] {
        const double size = norm_of_short(x);
        for (double& number : x) number /= size > 0 ? size : 1;
    };
    for (int step = 0; step < steps; ++step) {
        normalize();
        std::ranges::fill(product, 0.0);
        for (std::size_t j = 0; j < n; ++j) {
            for (std::size_t i = 0; i < n; ++i) product[i] += inverse.numbers[j * n + i] * x[j];
        }
        x.swap(product);
    }
    normalize();
    return x;
}

CoarseInverse::CoarseInverse(Backend& backend, const HostInverse& inverse)
    : matrix_(backend, inverse.size, "inverse of the coarsest level"), product_(matrix_) {
    matrix_.upload(inverse.numbers);
}

}  // namespace glsolve::inline v0_1
