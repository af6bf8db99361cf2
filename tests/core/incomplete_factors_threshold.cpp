// ILUT and ICT against their algorithms, written down once more with dense matrices.
#include <algorithm>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <numeric>

#include "factors/incomplete.hpp"
#include "support/catch.hpp"
#include "support/factors.hpp"

namespace tests_of_incomplete_factors_threshold {

using namespace glsolve;
using test::MatrixXd;
using test::VectorXd;

namespace {

/// Zeros for all but the p largest of w(begin) ... w(end - 1).
template <class Row>
void keep_largest_of(Row&& w, Index begin, Index end, Index p) {
    std::vector<Index> by_size(static_cast<std::size_t>(end - begin));
    std::iota(by_size.begin(), by_size.end(), begin);
    std::stable_sort(by_size.begin(), by_size.end(), [&](Index a, Index b) { return std::abs(w(a)) > std::abs(w(b)); });
    for (std::size_t k = static_cast<std::size_t>(p); k < by_size.size(); ++k) w(by_size[k]) = 0;
}

/// Saad 2003, algorithm 10.6, in terms of D and a unit U.
MatrixXd dense_ilut(const MatrixXd& A, double tau, Index p) {
    MatrixXd LDU = A;
    const auto n = static_cast<Index>(A.rows());
    for (Index i = 0; i < n; ++i) {
        auto w = LDU.row(i);
        const double tau_i = tau * A.row(i).norm();
        for (Index k = 0; k < i; ++k) {
            if (std::abs(w(k)) <= tau_i) w(k) = 0;
            for (Index j = k + 1; j < n; ++j) w(j) -= w(k) * LDU(k, j);
        }
        for (Index j = i + 1; j < n; ++j) {
            if (std::abs(w(j)) <= tau_i) w(j) = 0;
        }
        keep_largest_of(w, 0, i, p);
        keep_largest_of(w, i + 1, n, p);
        for (Index k = 0; k < i; ++k) w(k) /= LDU(k, k);
        for (Index j = i + 1; j < n; ++j) w(j) /= w(i);
    }
    return LDU;
}

/// U with D on its diagonal, by right-looking elimination: step i takes row i off all that remains.
MatrixXd dense_ict(MatrixXd S, double tau, Index p) {
    const auto n = static_cast<Index>(S.rows());
    const VectorXd size = S.cwiseAbs().rowwise().maxCoeff();
    for (Index i = 0; i < n; ++i) {
        auto w = S.row(i);
        for (Index j = i + 1; j < n; ++j) {
            if (std::abs(w(j)) <= tau * std::sqrt(size(i) * size(j))) w(j) = 0;
        }
        keep_largest_of(w, i + 1, n, p);
        for (Index j = i + 1; j < n; ++j) {
            for (Index k = i + 1; k < n; ++k) S(j, k) -= w(j) * w(k) / w(i);
        }
        for (Index j = i + 1; j < n; ++j) w(j) /= w(i);
    }
    return S.triangularView<Eigen::Upper>();
}

MatrixXd diagonal(const Factors& M) {
    return Eigen::Map<const VectorXd>(M.D.data(), static_cast<Eigen::Index>(M.D.size())).asDiagonal();
}

Offset longest_row(const CsrMatrix& A) {
    Offset most = 0;
    for (std::size_t i = 1; i < A.offsets.size(); ++i) most = std::max(most, A.offsets[i] - A.offsets[i - 1]);
    return most;
}

/// The fill for which p is what is wanted, for n rows.
double fill_for(Index p, const CsrMatrix& A) { return 2.0 * (p - 0.5) * A.rows / static_cast<double>(A.nonzeros()); }

}  // namespace

TEST_CASE("ILUT without dropping is LU, ICT LDL^T", "[core][factors]") {
    const FactorOptions all{.drop_tolerance = 0, .fill = 1e6};
    const CsrMatrix A = test::random_matrix(50, 4, 5, 11), S = test::random_matrix(50, 4, 9, 12, true);
    const Factors ilut = factor_ilut(A, all), ict = factor_ict(S, all);
    CHECK(test::difference(test::dense(A), test::product(ilut)) < 1e-14);
    CHECK(test::difference(test::dense(S), test::product(ict)) < 1e-14);
    CHECK(test::error_of_solve(ilut) < 1e-12);
    CHECK(test::error_of_solve(ict) < 1e-13);
    CHECK(ict.symmetric);
    CHECK(test::same(transpose(ict.L), ict.U));
    // Exact zeros are no entries.
    CHECK(factor_ilut(test::from_rows({{1, 1, 0}, {1, 2, 1}, {0, 1, 1}}), {.most_attempts = 1}).L.nonzeros() == 2);
}

TEST_CASE("ILUT and ICT drop what their definitions drop", "[core][factors]") {
    const CsrMatrix A = test::random_matrix(60, 5, 4, 13), S = test::random_matrix(60, 5, 8, 14, true);
    for (const double tau : {0.0, 1e-3, 0.03}) {
        for (const Index p : {2, 5, 60}) {
            INFO("tau = " << tau << ", p = " << p);
            const Factors ilut = factor_ilut(A, {.drop_tolerance = tau, .fill = fill_for(p, A), .least_pivot = 0});
            REQUIRE(ilut.shift == 0);
            const MatrixXd made = test::dense(ilut.L) + diagonal(ilut) + test::dense(ilut.U);
            CHECK((made.array() == dense_ilut(test::dense(A), tau, p).array()).all());
            CHECK(std::max(longest_row(ilut.L), longest_row(ilut.U)) <= p);

            const Factors ict = factor_ict(S, {.drop_tolerance = tau, .fill = fill_for(p, S)});
            REQUIRE(ict.shift == 0);
            CHECK(test::difference(dense_ict(test::dense(S), tau, p), diagonal(ict) + test::dense(ict.U)) < 1e-13);
            CHECK(longest_row(ict.U) <= p);
        }
    }
}

TEST_CASE("fill counts the entries of all of A, as often as they are stored", "[core][factors]") {
    const CsrMatrix S = random_spd(300, 3000);
    const FactorOptions options{.drop_tolerance = 0, .fill = 2};
    const Offset p = 1 + S.nonzeros() / 300;
    CHECK(longest_row(factor_ilut(S, options).U) == p);
    CHECK(longest_row(factor_ict(S, options).U) == p);
    CHECK(longest_row(factor_ilut(S, {.drop_tolerance = 0, .fill = 0}).L) == 1);
}

TEST_CASE("modified threshold factors keep the row sums", "[core][factors]") {
    const CsrMatrix A = convection_diffusion(12), S = poisson2d(12);
    for (const double fill : {1.0, 10.0}) {
        const auto lost = [&](const CsrMatrix& matrix, const Factors& M) {
            return (test::dense(matrix) - test::product(M)).rowwise().sum().cwiseAbs().maxCoeff();
        };
        FactorOptions options{.drop_tolerance = 0.02, .fill = fill, .modified = 1};
        CHECK(lost(A, factor_ilut(A, options)) < 1e-15);
        CHECK(lost(S, factor_ilut(S, options)) < 1e-13);
        CHECK(lost(S, factor_ict(S, options)) < 1e-13);
        options.modified = 0;
        CHECK(lost(A, factor_ilut(A, options)) > 1e-5);
        CHECK(lost(S, factor_ict(S, options)) > 1e-2);
    }
}

TEST_CASE("ICT looks at the lower triangle only", "[core][factors]") {
    CsrMatrix A = poisson2d(8);
    const Factors M = factor_ict(A);
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
            if (A.column[e] > i) A.value[e] = 1e9;
        }
    }
    CHECK(test::same(factor_ict(A), M));
}

TEST_CASE("threshold factorisations refuse wrong input", "[core][factors]") {
    const CsrMatrix A = csr_from_triplets(2, 3, std::vector<Triplet>{{0, 0, 1}}), square = poisson2d(3);
    CHECK_THROWS_WITH(factor_ilut(A), ContainsSubstring("2 x 3"));
    CHECK_THROWS_WITH(factor_ict(A), ContainsSubstring("2 x 3"));
    CHECK_THROWS_WITH(factor_ilut(square, {.drop_tolerance = -1}), ContainsSubstring("drop_tolerance is -1"));
    CHECK_THROWS_WITH(factor_ict(square, {.fill = -2}), ContainsSubstring("fill is -2"));
}

}  // namespace tests_of_incomplete_factors_threshold
