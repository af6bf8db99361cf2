// Block ILU and block IC: what defines them is that M is A at the places of blocks.
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>

#include "base/parallel.hpp"
#include "factors/incomplete.hpp"
#include "support/catch.hpp"
#include "support/factors.hpp"

namespace tests_of_incomplete_factors_blocks {

using namespace glsolve;
using test::MatrixXd;

namespace {

bool same(const BlockFactors& a, const BlockFactors& b) {
    return test::same(a.L, b.L) && test::same(a.inverse_D, b.inverse_D) && test::same(a.U, b.U) && a.shift == b.shift;
}

/// Does the block with the entry (i, j) hold an entry of A?
bool in_blocks(const MatrixXd& A, Index b, Index i, Index j) {
    const auto n = static_cast<Index>(A.rows());
    const Index I = i - i % b, J = j - j % b;
    return (A.block(I, J, std::min(b, n - I), std::min(b, n - J)).array() != 0).any();
}

void check_blocks(const CsrMatrix& T, Index b, const char* which) {
    INFO(which);
    check(T);
    for (Index i = 0; i < T.rows; ++i) {
        for (Offset e = T.offsets[i]; e < T.offsets[i + 1];) {
            const Index J = T.column[e] / b;
            if (which[0] == 'L') CHECK(J < i / b);
            if (which[0] == 'D') CHECK(J == i / b);
            if (which[0] == 'U') CHECK(J > i / b);
            for (Index j = J * b; j < std::min(J * b + b, T.rows); ++j) CHECK(T.column[e++] == j);
        }
        const Index first = i - i % b;
        CHECK(T.offsets[i + 1] - T.offsets[i] == T.offsets[first + 1] - T.offsets[first]);
    }
}

void check_factors(const CsrMatrix& A, Index b, const BlockFactors& M) {
    REQUIRE(M.failure.empty());
    REQUIRE(M.shift == 0);
    CHECK(M.block == b);
    check_blocks(M.L, b, "L");
    check_blocks(M.inverse_D, b, "D");
    check_blocks(M.U, b, "U");
    const MatrixXd dense = test::dense(A), made = test::product(M);
    const MatrixXd L = test::dense(M.L), U = test::dense(M.U);
    double most = 0;
    for (Index i = 0; i < A.rows; ++i) {
        for (Index j = 0; j < A.rows; ++j) {
            if (i / b == j / b || in_blocks(dense, b, i, j)) most = std::max(most, std::abs(dense(i, j) - made(i, j)));
            if (!in_blocks(dense, b, i, j)) CHECK((L(i, j) == 0 && U(i, j) == 0));
        }
    }
    CHECK(most < 1e-12);
    CHECK(test::difference(dense, made) > 1e-6);  // something was dropped
    CHECK(test::error_of_solve(M) < 1e-10);
    CHECK(M.nonzeros() == M.L.nonzeros() + M.inverse_D.nonzeros() + M.U.nonzeros());
}

}  // namespace

TEST_CASE("block ILU(0) and block IC(0): M is A in its blocks, the last of which may be smaller", "[core][factors]") {
    for (const Index b : {2, 3, 4}) {
        for (const Index n : {36, 37, 38, 39}) {
            INFO("blocks of " << b << ", " << n << " rows");
            const CsrMatrix A = test::random_matrix(n, 2, 4, 21), S = test::random_matrix(n, 2, 6, 22, true);
            check_factors(A, b, factor_block_ilu(A, b));
            const BlockFactors ic = factor_block_ic(S, b);
            check_factors(S, b, ic);
            CHECK(ic.symmetric);
            CHECK(test::same(transpose(ic.L), ic.U));
            CHECK(test::same(transpose(ic.inverse_D), ic.inverse_D));
            CHECK(test::is_positive_definite(test::dense(ic.inverse_D)));
        }
    }
}

TEST_CASE("block factors of a high level are exact", "[core][factors]") {
    for (const Index b : {2, 3, 4}) {
        const CsrMatrix A = test::random_matrix(41, 2, 4, 23), S = test::random_matrix(41, 2, 6, 24, true);
        CHECK(test::difference(test::dense(A), test::product(factor_block_ilu(A, b, {.level = 50}))) < 1e-13);
        CHECK(test::difference(test::dense(S), test::product(factor_block_ic(S, b, {.level = 50}))) < 1e-13);
    }
}

TEST_CASE("blocks with one entry each are no fill", "[core][factors]") {
    std::vector<Triplet> entries;
    for (Index i = 0; i < 60; ++i) {
        for (Index j = i; j < 60; j += 4) entries.push_back({i, j, j == i ? 2.0 : 0.25});
    }
    const CsrMatrix A = csr_from_triplets(60, 60, entries);
    CHECK(test::difference(test::dense(A), test::product(factor_block_ilu(A, 4, {.most_fill = 1}))) < 1e-15);
}

TEST_CASE("block factors need no shift where a block can be inverted and its entries cannot", "[core][factors]") {
    const CsrMatrix A = test::from_rows({{0, 2, 1, 0}, {3, 0, 0, 0}, {0, 1, 0, 4}, {0, 0, 5, 0}});
    const BlockFactors M = factor_block_ilu(A, 2);
    CHECK(M.shift == 0);
    CHECK(test::difference(test::dense(A), test::product(M)) < 1e-15);
    CHECK(factor_block_ic(test::kershaw(), 2).shift == 0);
    const BlockFactors indefinite = factor_block_ic(test::from_rows({{1, 2}, {2, 1}}), 2);
    CHECK(indefinite.shift == Approx(0.512));  // 1 + 2 s > 2
    CHECK_THAT(indefinite.remark(), ContainsSubstring("0.512"));
}

TEST_CASE("modified block factors keep the row sums", "[core][factors]") {
    const CsrMatrix A = convection_diffusion(10), S = poisson2d(10);
    for (const Index b : {2, 3, 4}) {
        const auto lost = [](const CsrMatrix& matrix, const BlockFactors& M) {
            return (test::dense(matrix) - test::product(M)).rowwise().sum().cwiseAbs().maxCoeff();
        };
        CHECK(lost(A, factor_block_ilu(A, b, {.modified = 1})) < 1e-15);
        CHECK(lost(S, factor_block_ic(S, b, {.modified = 1})) < 1e-13);
        CHECK(lost(A, factor_block_ilu(A, b)) > 1e-6);
        CHECK(lost(S, factor_block_ic(S, b)) > 1e-2);
    }
}

TEST_CASE("blocks: threads make no difference, the upper triangle none to IC", "[core][factors]") {
    CsrMatrix S = random_spd(9000, 20000);
    const BlockFactors ilu = factor_block_ilu(S, 3), ic = factor_block_ic(S, 3);
    BlockFactors ilu_alone, ic_alone;
    parallel_for(2, 1, [&](int range, Offset, Offset) {
        if (range != 0) return;
        ilu_alone = factor_block_ilu(S, 3);
        ic_alone = factor_block_ic(S, 3);
    });
    CHECK(same(ilu, ilu_alone));
    CHECK(same(ic, ic_alone));
    for (Index i = 0; i < S.rows; ++i) {
        for (Offset e = S.offsets[i]; e < S.offsets[i + 1]; ++e) {
            if (S.column[e] > i) S.value[e] = 1e9;
        }
    }
    CHECK(same(factor_block_ic(S, 3), ic));
}

TEST_CASE("block factorisations refuse wrong input", "[core][factors]") {
    const CsrMatrix A = csr_from_triplets(2, 3, std::vector<Triplet>{{0, 0, 1}}), square = poisson2d(3);
    CHECK_THROWS_WITH(factor_block_ilu(A, 2), ContainsSubstring("2 x 3"));
    CHECK_THROWS_WITH(factor_block_ic(A, 2), ContainsSubstring("2 x 3"));
    CHECK_THROWS_WITH(factor_block_ilu(square, 1), ContainsSubstring("2, 3 or 4"));
    CHECK_THROWS_WITH(factor_block_ic(square, 5), ContainsSubstring("2, 3 or 4"));
    CHECK_THROWS_AS(factor_block_ic(square, 2, {.level = -1}), InvalidInput);
}

}  // namespace tests_of_incomplete_factors_blocks
