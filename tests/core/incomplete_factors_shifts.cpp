// Pivots that are not safe, and the shifts that make them so; in all factorisations.
#include <glsolve/generate.hpp>

#include "factors/incomplete.hpp"
#include "factors/shifts.hpp"
#include "support/catch.hpp"
#include "support/factors.hpp"

namespace tests_of_incomplete_factors_shifts {

using namespace glsolve;
using test::MatrixXd;

namespace {

bool is_sound(const Factors& M) {
    bool sound = M.failure.empty() && test::is_finite(M.L) && test::is_finite(M.U);
    for (const double d : M.D) sound = sound && std::isfinite(d) && d != 0 && (!M.symmetric || (d > 0) == (M.D[0] > 0));
    return sound && std::isfinite(estimate_of_inverse(M));
}
bool is_sound(const BlockFactors& M) {
    return M.failure.empty() && test::is_finite(M.L) && test::is_finite(M.U) && test::is_finite(M.inverse_D)
           && std::isfinite(estimate_of_inverse(M));
}

/// visit(name, factors, are they symmetric) for all factorisations.
template <class Visit>
void each_kind(const CsrMatrix& A, const FactorOptions& options, const Visit& visit) {
    visit("ILU", factor_ilu(A, options), false);
    visit("ILUT", factor_ilut(A, options), false);
    visit("IC", factor_ic(A, options), true);
    visit("ICT", factor_ict(A, options), true);
    for (const Index b : {2, 3, 4}) {
        visit("block ILU", factor_block_ilu(A, b, options), false);
        visit("block IC", factor_block_ic(A, b, options), true);
    }
}

}  // namespace

TEST_CASE("Kershaw's matrix is shifted by IC(0), and by that alone", "[core][factors]") {
    const CsrMatrix A = test::kershaw();
    const Factors M = factor_ic(A);
    REQUIRE(is_sound(M));
    CHECK(M.attempts > 1);
    CHECK(M.shift == 1e-3 * std::exp2(M.attempts - 2));
    CHECK_THAT(M.remark(), ContainsSubstring("the diagonal was shifted by"));
    const MatrixXd shifted = test::dense(A) + M.shift * 3 * test::unit(4), made = test::product(M);
    for (Index i = 0; i < 4; ++i) {
        for (Index j = 0; j < 4; ++j) {
            if (shifted(i, j) != 0) CHECK(made(i, j) == Approx(shifted(i, j)));
        }
    }
    CHECK(factor_ic(A, {.shift = M.shift / 2}).attempts == 2);
    CHECK(factor_ic(A, {.shift = M.shift}).attempts == 1);
    CHECK(factor_ic(A, {.level = 1}).shift == 0);
    CHECK(factor_ilu(A).shift == 0);  // its last pivot is -5
    CHECK(factor_ilu(A).remark().empty());
    CHECK(factor_ict(A, {.drop_tolerance = 0}).shift == 0);
}

TEST_CASE("negative definite matrices have negative pivots, and shifts away from zero", "[core][factors]") {
    const CsrMatrix A = random_spd(60, 400), K = test::kershaw();
    const FactorOptions options{.level = 60, .drop_tolerance = 0, .fill = 1e6};
    each_kind(negated(A), options, [&](const char* name, const auto& made, bool) {
        INFO(name);
        CHECK(made.shift == 0);
        CHECK(test::difference(-test::dense(A), test::product(made)) < 1e-14);
    });
    const Factors plus = factor_ic(K), minus = factor_ic(negated(K));
    CHECK(minus.shift == plus.shift);
    CHECK(test::product(minus) == -test::product(plus));
    CHECK(is_sound(negated(minus)));
    // Both signs on the diagonal: no sign will do, until the shift has made all of it positive.
    for (const auto& made :
         {factor_ic(test::from_rows({{2, 0}, {0, -2}})), factor_ict(test::from_rows({{2, 0}, {0, -2}}))}) {
        CHECK(made.attempts == 12);  // 1.024 is the first shift above 1
        CHECK(is_sound(made));
    }
}

TEST_CASE("attempts end where they shall, and the failure names row and pivot", "[core][factors]") {
    const Factors M = factor_ic(test::kershaw(), {.most_attempts = 1});
    CHECK(M.failure
          == "IC: the pivot of row 4 is -5, with the diagonal shifted by 0 of each row's largest entry (attempt 1, the "
             "last)");
    CHECK(M.remark() == M.failure);
    CHECK(M.attempts == 1);
    each_kind(test::from_rows({{1, 1}, {1, 1}}), {.drop_tolerance = 0, .most_attempts = 1},
              [](const char* name, const auto& made, bool) { CHECK_THAT(made.failure, StartsWith(name)); });
}

TEST_CASE("a shift leads away from zero, by the size of the row", "[core][factors]") {
    const CsrMatrix A = test::from_rows({{-2, 4, 0}, {4, 0, 1}, {0, 1, 3}});
    MatrixXd shifted = test::dense(A);
    shifted.diagonal() += 8 * Eigen::Vector3d(-4, 4, 3);
    const FactorOptions options{.level = 3, .drop_tolerance = 0, .shift = 8};
    CHECK(test::difference(shifted, test::product(factor_ilu(A, options))) < 1e-15);
    CHECK(test::difference(shifted, test::product(factor_ilut(A, options))) < 1e-15);
    CHECK(test::difference(shifted, test::product(factor_block_ilu(A, 2, options))) < 1e-14);
    shifted(0, 0) = -2 + 8 * 4;
    CHECK(test::difference(shifted, test::product(factor_ic(A, options))) < 1e-15);
    CHECK(test::difference(shifted, test::product(factor_ict(A, options))) < 1e-15);
    CHECK(test::difference(shifted, test::product(factor_block_ic(A, 2, options))) < 1e-14);
}

TEST_CASE("singular matrices, zeros on the diagonal, indefinite ones: factors with a shift", "[core][factors]") {
    const std::vector<CsrMatrix> matrices{
        test::from_rows({{1, 1}, {1, 1}}),                      // singular
        test::from_rows({{0, 1}, {1, 0}}),                      // no diagonal
        test::from_rows({{2, 1, 1}, {1, 0, 0}, {1, 0, 0}}),     // structurally singular
        test::from_rows({{-1, 0, 0}, {0, -1, 5}, {0, 5, -1}}),  // indefinite
        test::from_rows({{1e-14, 1}, {1, 1e-14}}),              // tiny pivots
        test::from_rows({{1, 1e300}, {1e300, 1}}),              // numbers too large to multiply
        test::from_rows({{0, 0, 0, 0, 1}, {0, 0, 0, 1, 0}, {0, 0, 0, 0, 0}, {0, 1, 0, 0, 0}, {1, 0, 0, 0, 0}}),
    };
    for (std::size_t m = 0; m < matrices.size(); ++m) {
        each_kind(matrices[m], {}, [m](const char* name, const auto& made, bool symmetric) {
            INFO("matrix " << m << ", " << name << ": " << made.remark());
            CHECK(is_sound(made));
            if (symmetric) CHECK((made.shift > 0 && made.attempts > 1));
        });
    }
    for (const std::size_t m : {0, 1, 4, 5, 6}) CHECK(factor_ilu(matrices[m]).shift > 0);
    CHECK(factor_block_ilu(matrices[1], 2).shift == 0);  // as a block it can be inverted
    const CsrMatrix A = test::random_matrix(80, 2, -0.5, 9), S = test::random_matrix(80, 2, -0.5, 9, true);
    each_kind(test::without_some_diagonal(A), {}, [](const char* name, const auto& made, bool) {
        INFO(name << ": " << made.remark());
        CHECK(is_sound(made));
    });
    each_kind(test::without_some_diagonal(S), {}, [](const char* name, const auto& made, bool) {
        INFO(name << ": " << made.remark());
        CHECK(is_sound(made));
    });
}

TEST_CASE("a row of zeros has the pivot 1", "[core][factors]") {
    CsrMatrix A =
        test::from_rows({{4, 0, 1, 0, 1}, {0, 0, 0, 0, 0}, {1, 0, 4, 0, 2}, {0, 0, 0, 0, 0}, {1, 0, 2, 0, 5}});
    MatrixXd expected = test::dense(A);
    expected(1, 1) = expected(3, 3) = 1;
    const FactorOptions options{.level = 5, .drop_tolerance = 0, .modified = 0.5};
    each_kind(A, options, [&](const char* name, const auto& made, bool) {
        INFO(name);
        CHECK(made.shift == 0);
        CHECK(test::difference(expected, test::product(made)) < 1e-14);
        CHECK(test::error_of_solve(made) < 1e-14);
    });
    // Its column need not be empty where factors are not symmetric.
    A = test::from_rows({{4, 2, 1}, {0, 0, 0}, {1, 1, 3}});
    expected = test::dense(A);
    expected(1, 1) = 1;
    CHECK(test::difference(expected, test::product(factor_ilu(A, options))) < 1e-15);
    CHECK(test::difference(expected, test::product(factor_ilut(A, options))) < 1e-15);
    CHECK(test::difference(expected, test::product(factor_block_ilu(A, 2, options))) < 1e-15);
}

TEST_CASE("no rows, one row, only zeros", "[core][factors]") {
    each_kind(CsrMatrix{}, {}, [](const char*, const auto& made, bool) {
        CHECK(is_sound(made));
        CHECK(made.nonzeros() == 0);
        CHECK(made.L.offsets == std::vector<Offset>{0});
    });
    each_kind(test::from_rows({{4}}), {}, [](const char*, const auto& made, bool) {
        CHECK(test::product(made)(0, 0) == 4);
        CHECK(made.attempts == 1);
    });
    each_kind(test::from_rows({{-4}}), {}, [](const char*, const auto& made, bool) {
        CHECK(test::product(made)(0, 0) == -4);
        CHECK(made.attempts == 1);
    });
    each_kind(csr_from_triplets(7, 7, {}), {}, [](const char*, const auto& made, bool) {
        CHECK(test::product(made) == test::unit(7));
        CHECK(made.shift == 0);
    });
}

TEST_CASE("the estimate of the inverse is the largest element of M^-1 e", "[core][factors]") {
    const Factors M = factor_ilu(test::from_rows({{1, 0}, {-9, 2}}));
    CHECK(estimate_of_inverse(M) == 5);
    CHECK(estimate_of_inverse(factor_block_ilu(test::from_rows({{1, 0, 0}, {-9, 2, 0}, {0, 0, 0.1}}), 2))
          == Approx(10));
}

TEST_CASE("substitutions that grow without bounds end an attempt, even if pivots are safe", "[core][factors]") {
    std::vector<Triplet> entries{{0, 0, 1}};
    for (Index i = 1; i < 60; ++i) entries.insert(entries.end(), {{i, i, 1}, {i, i - 1, -9}});
    const CsrMatrix A = csr_from_triplets(60, 60, entries);
    const Factors unstable = factor_ilu(A, {.most_growth = 1e100});
    CHECK(unstable.shift == 0);
    CHECK(estimate_of_inverse(unstable) > 1e50);
    each_kind(A, {}, [&](const char* name, const auto& made, bool symmetric) {
        if (symmetric) return;
        INFO(name);
        CHECK(made.shift > 0);
        CHECK(estimate_of_inverse(made) < 1e12);
    });
    CHECK(factor_ilu(A, {.most_attempts = 1}).failure
          == "ILU: the inverse of the factors has grown to 4.24e+56, with the diagonal shifted by 0 of each row's largest "
             "entry (attempt 1, the last)");
    for (Index i = 60; i < 400; ++i) entries.insert(entries.end(), {{i, i, 1}, {i, i - 1, -9}});
    const CsrMatrix longer = csr_from_triplets(400, 400, entries);
    const Factors failed = factor_ilu(longer, {.most_attempts = 1});
    CHECK_THAT(failed.failure, ContainsSubstring("has grown to inf"));
    CHECK(std::isinf(estimate_of_inverse(failed)));
    // The size of rows does not matter.
    CHECK(factor_ilu(test::from_rows({{1e-200, 0, 0}, {0, 1e200, 0}, {0, 0, 0}})).shift == 0);
}

TEST_CASE("levels that would fill the memory are a failure", "[core][factors]") {
    // An arrow whose head comes first fills everything.
    std::vector<Triplet> entries;
    for (Index i = 0; i < 150; ++i) entries.push_back({i, i, 300});
    for (Index i = 1; i < 150; ++i) entries.insert(entries.end(), {{0, i, 1}, {i, 0, 1}});
    const CsrMatrix A = csr_from_triplets(150, 150, entries);
    CHECK(factor_ilu(A, {.level = 1, .most_fill = 30}).failure == "");
    CHECK(factor_ilu(A, {.level = 1, .most_fill = 20}).failure
          == "ILU: factors of level 1 have more than 8960 entries on a side of the diagonal");
    const FactorOptions options{.level = 1, .most_fill = 1};
    CHECK_THAT(factor_ic(A, options).failure, StartsWith("IC: factors of level 1"));
    CHECK_THAT(factor_block_ilu(A, 2, options).failure, StartsWith("block ILU: factors of level 1"));
    CHECK_THAT(factor_block_ic(A, 2, options).failure, EndsWith("in blocks"));
    CHECK_THROWS_WITH(factor_ilu(A, ilu_pattern(A, 1, 100)), ContainsSubstring("a pattern with places"));
}

}  // namespace tests_of_incomplete_factors_shifts
