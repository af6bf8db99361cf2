/// Incomplete factors as dense matrices, and matrices to factor.
#pragma once

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <glsolve/csr.hpp>
#include <vector>

#include "base/random.hpp"
#include "factors/block_factors.hpp"
#include "factors/factors.hpp"
#include "support/dense.hpp"

namespace glsolve::test {

using Eigen::MatrixXd;
using Eigen::VectorXd;

inline MatrixXd unit(Index n) { return MatrixXd::Identity(n, n); }

/// (I + L) D (I + U)
inline MatrixXd product(const Factors& M) {
    const VectorXd D = Eigen::Map<const VectorXd>(M.D.data(), static_cast<Eigen::Index>(M.D.size()));
    return (unit(M.L.rows) + dense(M.L)) * D.asDiagonal() * (unit(M.U.rows) + dense(M.U));
}
inline MatrixXd product(const BlockFactors& M) {
    return (unit(M.L.rows) + dense(M.L)) * inverse(dense(M.inverse_D)) * (unit(M.U.rows) + dense(M.U));
}

/// Values in [-1, 1) at random places, about `per_row` in a row, and  diagonal + [0, 1)  on the diagonal.
inline CsrMatrix random_matrix(Index n, double per_row, double diagonal, std::uint64_t seed, bool symmetric = false) {
    Random random(seed);
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) {
            if (i == j) entries.push_back({i, i, diagonal + random.uniform()});
            if (i == j || (symmetric && j > i) || random.uniform() * n > per_row) continue;
            const double a = 2 * random.uniform() - 1;
            entries.push_back({i, j, a});
            if (symmetric) entries.push_back({j, i, a});
        }
    }
    return csr_from_triplets(n, n, entries);
}

/// Every third entry of the diagonal is no longer stored.
inline CsrMatrix without_some_diagonal(CsrView A) {
    std::vector<Triplet> entries;
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
            if (A.column[e] != i || i % 3 != 1) entries.push_back({i, A.column[e], A.value[e]});
        }
    }
    return csr_from_triplets(A.rows, A.columns, entries);
}

inline CsrMatrix from_rows(const std::vector<std::vector<double>>& rows) {
    std::vector<Triplet> entries;
    const auto n = static_cast<Index>(rows.size());
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) {
            const double a = rows[static_cast<std::size_t>(i)][static_cast<std::size_t>(j)];
            if (a != 0) entries.push_back({i, j, a});
        }
    }
    return csr_from_triplets(n, n, entries);
}

/// Positive definite, but IC(0) meets a negative pivot (D. S. Kershaw, J. Comput. Phys. 26, 1978).
inline CsrMatrix kershaw() { return from_rows({{3, -2, 0, 2}, {-2, 3, -2, 0}, {0, -2, 3, -2}, {2, 0, -2, 3}}); }

inline bool is_finite(CsrView A) {
    for (const double a : A.value) {
        if (!std::isfinite(a)) return false;
    }
    return true;
}

inline bool same(CsrView A, CsrView B) {
    return A.rows == B.rows && A.columns == B.columns && std::ranges::equal(A.offsets, B.offsets)
           && std::ranges::equal(A.column, B.column) && std::ranges::equal(A.value, B.value);
}
inline bool same(const Factors& a, const Factors& b) {
    return same(a.L, b.L) && a.D == b.D && same(a.U, b.U) && a.shift == b.shift && a.attempts == b.attempts;
}

/// |A - B| relative to A
inline double difference(const MatrixXd& A, const MatrixXd& B) { return (A - B).norm() / A.norm(); }

/// M^-1 r on the host and with dense matrices, in one place and in two.
template <class AnyFactors>
double error_of_solve(const AnyFactors& M) {
    Random random(5);
    std::vector<double> r(static_cast<std::size_t>(M.L.rows));
    for (double& each : r) each = random.normal();
    std::vector<double> z(r.size());
    solve(M, r, z);
    const VectorXd expected =
        solution(product(M), Eigen::Map<const VectorXd>(r.data(), static_cast<Eigen::Index>(r.size())));
    solve(M, r, r);
    const double error = (Eigen::Map<const VectorXd>(z.data(), expected.size()) - expected).norm() / expected.norm();
    return r == z ? error : 1;
}

}  // namespace glsolve::test
