// Sparse approximate inverses against their definitions, in dense matrices.
#include <Eigen/Core>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>

#include "factors/isai.hpp"
#include "factors/spai.hpp"
#include "support/catch.hpp"
#include "support/inverses.hpp"

namespace tests_of_approximate_inverses {

using namespace glsolve;
using namespace glsolve::test;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

CsrMatrix empty_matrix(Index size) { return matrix(size, {}); }

CsrMatrix strict_triangle(const CsrMatrix& A, bool lower) {
    std::vector<Triplet> entries;
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset e = A.offsets.data()[i]; e < A.offsets.data()[i + 1]; ++e) {
            const Index j = A.column.data()[e];
            if (lower ? j < i : j > i) entries.push_back({i, j, A.value.data()[e]});
        }
    }
    return matrix(A.rows, entries);
}

SpaiOptions spai_power(int p) {
    SpaiOptions options;
    options.pattern.power = p;
    options.adaptive_steps = 0;
    return options;
}

}  // namespace

TEST_CASE("the pattern of A^p is what a product of dense matrices shows", "[core][inverses]") {
    for (const int p : {0, 1, 2, 3, 5}) {
        const CsrMatrix A = random_square(40, 0.04, 11);
        const MatrixXd B = (dense(A).array() != 0).cast<double>();
        MatrixXd P = MatrixXd::Identity(40, 40);
        for (int k = 0; k < p; ++k) P = P * B;
        const std::vector<double> scale = entry_scale(A);
        for (const PatternPart part : {PatternPart::all, PatternPart::lower, PatternPart::upper}) {
            const SparsityPattern pattern = power_pattern(A, scale, power(p), part, "test");
            REQUIRE(pattern.rows() == 40);
            for (Index i = 0; i < 40; ++i) {
                for (Index j = 0; j < 40; ++j) {
                    const bool in_part = part == PatternPart::all || i == j || (part == PatternPart::lower) == (j < i);
                    CHECK(has(pattern, i, j) == (in_part && P(i, j) != 0));
                }
            }
            CHECK_NOTHROW(check(pattern.zeros()));
            CHECK_NOTHROW(require_fitting(A, pattern, part, "test"));
        }
    }
}

TEST_CASE("small entries and stored zeros are no part of patterns", "[core][inverses]") {
    // 0 - 1 strong, 1 - 2 weak, 0 - 3 a stored zero; |a_12| / sqrt(a_11 a_22) = 0.1
    const CsrMatrix A = matrix(4, {{0, 0, 4},
                                   {0, 1, -8},
                                   {0, 3, 0},
                                   {1, 0, -8},
                                   {1, 1, 100},
                                   {1, 2, 1},
                                   {2, 1, 1},
                                   {2, 2, 1},
                                   {3, 0, 0},
                                   {3, 3, 1}});
    const auto row = [&](double drop, int p, Index i) {
        const InversePattern options{.power = p, .drop = drop};
        return columns_of(power_pattern(A, entry_scale(A), options, PatternPart::all, "test"), i);
    };
    CHECK(row(0, 1, 1) == std::vector<Index>{0, 1, 2});
    CHECK(row(0.0999, 1, 1) == std::vector<Index>{0, 1, 2});
    CHECK(row(0.1001, 1, 1) == std::vector<Index>{0, 1});
    CHECK(row(0, 2, 0) == std::vector<Index>{0, 1, 2});
    CHECK(row(0.1001, 2, 0) == std::vector<Index>{0, 1});
    CHECK(row(0, 8, 3) == std::vector<Index>{3});
}

TEST_CASE("of too many places the near ones stay, then the strong ones", "[core][inverses]") {
    // 0 depends on 1 (strongly), 2, 3 (weakly); 1 on 4; 3 on 5 (strongly)
    const CsrMatrix A = matrix(6, {{0, 0, 1},
                                   {0, 1, 0.9},
                                   {0, 2, -0.5},
                                   {0, 3, 0.1},
                                   {1, 1, 1},
                                   {1, 4, 0.2},
                                   {2, 2, 1},
                                   {3, 3, 1},
                                   {3, 5, 0.9},
                                   {4, 4, 1},
                                   {5, 5, 1}});
    const auto row = [&](Index most) {
        const InversePattern options{.power = 2, .most_entries = most};
        return columns_of(power_pattern(A, entry_scale(A), options, PatternPart::all, "test"), 0);
    };
    CHECK(row(1) == std::vector<Index>{0});
    CHECK(row(2) == std::vector<Index>{0, 1});
    CHECK(row(3) == std::vector<Index>{0, 1, 2});
    CHECK(row(4) == std::vector<Index>{0, 1, 2, 3});
    CHECK(row(5) == std::vector<Index>{0, 1, 2, 3, 4});  // 0.9 x 0.2 > 0.1 x 0.9
    CHECK(row(6) == std::vector<Index>{0, 1, 2, 3, 4, 5});
    const SparsityPattern limited = fsai_pattern(poisson3d(6), fixed({.power = 3, .most_entries = 7}));
    CHECK(limited.longest_row() == 7);
}

TEST_CASE("columns of SPAI are solutions of dense least squares", "[core][inverses]") {
    for (const CsrMatrix& A : {random_square(50, 0.06, 41), convection_diffusion(8), poisson2d(6)}) {
        SpaiOptions grown = spai_power(0);
        grown.adaptive_steps = 3;
        grown.tolerance = 0.2;
        for (const SpaiOptions& options : {spai_power(0), spai_power(1), spai_power(2), grown}) {
            const SparsityPattern pattern = spai_pattern(A, options);
            const ApproximateInverse made = spai(A, pattern);
            check(made.M);
            CHECK(made.fallback_columns == 0);
            CHECK(made.M.nonzeros() == static_cast<Offset>(pattern.column.size()));
            const MatrixXd M = dense(made.M), D = dense(A);
            for (Index k = 0; k < A.rows; ++k) {
                const std::vector<Index> J = columns_of(pattern, k);
                const MatrixXd block = D(Eigen::all, J);
                const VectorXd e = VectorXd::Unit(A.rows, k);
                const VectorXd m = least_squares(block, e);
                CHECK((M(J, k) - m).norm() <= 1e-8 * m.norm());
                CHECK(M.col(k).norm() == Approx(m.norm()));  // nothing elsewhere
            }
            CHECK(made.residual == Approx((D * M - MatrixXd::Identity(A.rows, A.rows)).norm()));
        }
    }
}

TEST_CASE("SPAI on a full pattern is the inverse; its pattern serves for new values", "[core][inverses]") {
    const CsrMatrix A = random_square(20, 0.4, 51, 4);
    const SparsityPattern pattern = spai_pattern(A, spai_power(8));
    REQUIRE(pattern.column.size() == 400);
    CHECK(spai(A, pattern).residual < 1e-10);
    CHECK((dense(spai(A, pattern).M) * dense(A) - MatrixXd::Identity(20, 20)).norm() < 1e-10);
    CHECK(spai(random_square(20, 0.5, 52, 4), pattern).residual < 1e-10);
}

TEST_CASE("adaptive SPAI takes the places that gain most, and stops at the tolerance", "[core][inverses]") {
    const CsrMatrix A = random_square(60, 0.05, 61, 2);
    const MatrixXd D = dense(A);
    SpaiOptions options = spai_power(1);
    options.entries_a_step = 1;
    options.adaptive_steps = 1;
    options.tolerance = 0;
    const SparsityPattern start = spai_pattern(A, spai_power(1)), grown = spai_pattern(A, options);
    const MatrixXd R = D * dense(spai(A, start).M) - MatrixXd::Identity(60, 60);
    int columns_that_grew = 0;
    for (Index k = 0; k < 60; ++k) {
        const VectorXd gains = (D.transpose() * R.col(k)).cwiseQuotient(D.colwise().norm().transpose()).cwiseAbs();
        double best = 0;
        for (Index j = 0; j < 60; ++j) {
            if (!has(start, k, j)) best = std::max(best, gains(j));
        }
        std::vector<Index> added = columns_of(grown, k);
        std::erase_if(added, [&](Index j) { return has(start, k, j); });
        if (best < 1e-6) continue;
        REQUIRE(added.size() == 1);
        CHECK(gains(added[0]) == Approx(best));
        ++columns_that_grew;
    }
    CHECK(columns_that_grew > 50);
    options.tolerance = 0.3;
    options.adaptive_steps = 60;
    const MatrixXd M = dense(spai(A, options).M);
    CHECK((D * M - MatrixXd::Identity(60, 60)).colwise().norm().maxCoeff() <= 0.3 + 1e-9);
    options.tolerance = 1;
    CHECK(spai_pattern(A, options).column == start.column);
}

TEST_CASE("SPAI of singular matrices has no column of zeros", "[core][inverses]") {
    // Row 1 and column 2 are empty.
    const CsrMatrix A = matrix(4, {{0, 0, 2}, {0, 1, 1}, {2, 1, 1}, {3, 3, 3}, {2, 3, 4}});
    const ApproximateInverse made = spai(A, spai_power(1));
    check(made.M);
    const MatrixXd M = dense(made.M);
    for (Index k = 0; k < 4; ++k) CHECK(M.col(k).norm() > 0);
    CHECK(made.fallback_columns == 2);
    CHECK(M(1, 1) == Approx(1 / std::sqrt(2.0)));
    CHECK(M(2, 2) == 1);
    const ApproximateInverse of_zero = spai(empty_matrix(3));
    CHECK(of_zero.fallback_columns == 3);
    CHECK((dense(of_zero.M) - MatrixXd::Identity(3, 3)).norm() == 0);
    // Equal columns.
    const CsrMatrix B = matrix(2, {{0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {1, 1, 1}});
    const MatrixXd N = dense(spai(B).M), D = dense(B);
    CHECK((D * N - MatrixXd::Identity(2, 2)).norm() == Approx(1));
    CHECK(N.allFinite());
}

TEST_CASE("ISAI inverts unit triangles on their patterns", "[core][inverses]") {
    for (const std::uint64_t seed : {71u, 72u, 73u}) {
        const CsrMatrix A = random_square(60, 0.08, seed);
        for (const bool lower : {true, false}) {
            const CsrMatrix T = strict_triangle(A, lower);
            const MatrixXd I = MatrixXd::Identity(60, 60), with_ones = dense(T) + I;
            for (const InversePattern& options :
                 {power(0), power(1), power(2), power(3), InversePattern{.power = 2, .drop = 0.5, .most_entries = 6}}) {
                const SparsityPattern pattern = isai_pattern(T, options);
                const CsrMatrix W = lower ? isai_lower(T, pattern) : isai_upper(T, pattern);
                check(W);
                CHECK(W.column == pattern.column);
                CHECK(W.offsets == pattern.offsets);
                const MatrixXd D = dense(W), product = D * with_ones;
                each_place(pattern, [&](Index i, Index j) {
                    const double size = (D.row(i).cwiseAbs() * with_ones.col(j).cwiseAbs())(0);
                    CHECK(std::abs(product(i, j) - I(i, j)) <= 1e-13 * size);
                });
                for (Index i = 0; i < 60; ++i) CHECK(D(i, i) == 1);
            }
        }
    }
}

TEST_CASE("ISAI on full triangles is the inverse", "[core][inverses]") {
    std::vector<Triplet> chain;
    for (Index i = 0; i < 8; ++i) chain.push_back({i + 1, i, -0.5});
    const CsrMatrix L = matrix(9, chain), U = transpose(L);
    const MatrixXd I = MatrixXd::Identity(9, 9);
    CHECK((dense(isai_lower(L, power(8))) * (dense(L) + I) - I).norm() < 1e-15);
    CHECK((dense(isai_upper(U, power(8))) * (dense(U) + I) - I).norm() < 1e-15);
    CHECK((dense(isai_lower(L, power(1))) - I + dense(L)).norm() == 0);  // I - L
}

TEST_CASE("approximate inverses of matrices with no row, one row, and empty triangles", "[core][inverses]") {
    CHECK(fsai(CsrMatrix{}).failure.empty());
    CHECK(fsai(CsrMatrix{}, fsai_power(1)).lower.rows == 0);
    CHECK(nonsymmetric_fsai(CsrMatrix{}).lower.rows == 0);
    CHECK(spai(CsrMatrix{}).M.rows == 0);
    CHECK(isai_lower(CsrMatrix{}).rows == 0);
    const CsrMatrix one = matrix(1, {{0, 0, 4}});
    CHECK(fsai(one).lower.value == std::vector<double>{0.5});
    CHECK(fsai(one, fsai_power(1)).upper.value == std::vector<double>{0.5});
    CHECK(nonsymmetric_fsai(one).lower.value == std::vector<double>{0.5});
    CHECK(spai(one).M.value[0] == Approx(0.25));
    CHECK(dense(isai_lower(empty_matrix(4))).isIdentity(0));
    CHECK(dense(isai_upper(empty_matrix(4))).isIdentity(0));
}

TEST_CASE("approximate inverses refuse what they cannot use", "[core][inverses]") {
    const CsrMatrix wide = csr_from_triplets(2, 3, {});
    CHECK_THROWS_AS(fsai(wide), InvalidInput);
    CHECK_THROWS_AS(nonsymmetric_fsai(wide), InvalidInput);
    CHECK_THROWS_AS(spai(wide), InvalidInput);
    CHECK_THROWS_AS(isai_lower(wide), InvalidInput);
    const CsrMatrix A = poisson2d(3);
    CHECK_THROWS_WITH(fsai(A, fsai_pattern(poisson2d(2))), ContainsSubstring("4 rows for a matrix of 9"));
    CHECK_THROWS_WITH(isai_lower(A), ContainsSubstring("row 1 has an entry in column 4"));
    CHECK_THROWS_WITH(isai_upper(A), ContainsSubstring("row 1 has an entry in column 1"));
    CHECK_THROWS_WITH(fsai(A, spai_pattern(A)), ContainsSubstring("row 1") && ContainsSubstring("diagonal"));
    CHECK_THROWS_WITH(fsai(A, fsai_power(9)), ContainsSubstring("power is 9"));
    CHECK_THROWS_WITH(fsai(A, {.pattern = {.drop = -1}}), ContainsSubstring("drop"));
    CHECK_THROWS_WITH(fsai(A, {.pattern = {.most_entries = 0}}), ContainsSubstring("most_entries"));
    CHECK_THROWS_WITH(fsai(A, {.adaptive_steps = -1}), ContainsSubstring("adaptive_steps"));
    CHECK_THROWS_WITH(fsai(A, steps(30, 100)), ContainsSubstring("adaptive_steps * entries_a_step is 3000"));
    SparsityPattern without_diagonal = spai_pattern(A);
    without_diagonal.column[0] = 2;
    CHECK_THROWS_WITH(spai(A, without_diagonal), ContainsSubstring("row 1 of the pattern has to have the diagonal"));
}

TEST_CASE("approximate inverses of many rows are made in parallel, the same each time", "[core][inverses]") {
    const CsrMatrix A = scaled(poisson2d(60), 81);
    const FactorisedInverse first = fsai(A, steps(2, 2)), second = fsai(A, steps(2, 2));
    CHECK(first.lower.value == second.lower.value);
    const CsrMatrix L = strict_triangle(A, true);
    const CsrMatrix W = isai_lower(L, power(2));
    const CsrMatrix flipped = isai_upper(transpose(L), power(2));
    // ((I + L)^T)^-1 by its rows is not W^T in general, but both have the same places.
    CHECK(transpose(flipped).column == W.column);
    CHECK(spai(A).residual == spai(A).residual);
}

}  // namespace tests_of_approximate_inverses
