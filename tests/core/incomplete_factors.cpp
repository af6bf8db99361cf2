// ILU(k) and IC(k) against their definitions, written down once more with dense matrices.
#include <algorithm>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>

#include "base/parallel.hpp"
#include "factors/incomplete.hpp"
#include "matrix/permutation.hpp"
#include "support/catch.hpp"
#include "support/factors.hpp"

namespace tests_of_incomplete_factors {

using namespace glsolve;
using test::MatrixXd;
using test::VectorXd;

namespace {

using Level = Eigen::MatrixXi;
constexpr int never = 1 << 20;

/// Saad 2003, section 10.3.3: initial levels 0 on entries and the diagonal, then one step of elimination after another.
Level levels_of_fill(const CsrMatrix& A) {
    const Index n = A.rows;
    Level level = Level::Constant(n, n, never);
    for (Index i = 0; i < n; ++i) {
        level(i, i) = 0;
        for (Offset e = A.offsets[i]; e < A.offsets[i + 1]; ++e) level(i, A.column[e]) = 0;
    }
    for (Index i = 1; i < n; ++i) {
        for (Index k = 0; k < i; ++k) {
            for (Index j = k + 1; j < n; ++j) level(i, j) = std::min(level(i, j), level(i, k) + level(k, j) + 1);
        }
    }
    return level;
}

/// Algorithm 10.5 in terms of D and a unit U; entries beyond level k go to the diagonal by the share `modified`.
MatrixXd dense_ilu(const CsrMatrix& A, int k_of_ilu, double modified) {
    const Level level = levels_of_fill(A);
    MatrixXd W = test::dense(A);
    const Index n = A.rows;
    for (Index i = 0; i < n; ++i) {
        double dropped = 0;
        for (Index k = 0; k < i; ++k) {
            if (level(i, k) > k_of_ilu) continue;
            for (Index j = k + 1; j < n; ++j) {
                if (level(k, j) > k_of_ilu) continue;
                (level(i, j) <= k_of_ilu ? W(i, j) : dropped) += -W(i, k) * W(k, j);
            }
            W(i, k) /= W(k, k);
        }
        W(i, i) += modified * dropped;
        for (Index j = i + 1; j < n; ++j) W(i, j) /= W(i, i);
    }
    return W;
}

bool holds(const Places& places, Index i, Index j) {
    const auto begin = places.column.begin() + places.offsets[i], end = places.column.begin() + places.offsets[i + 1];
    return std::binary_search(begin, end, j);
}

/// |A - M| at the places of level k, and M's row sums less those of A, relative to A.
struct Errors {
    double at_places = 0, row_sums = 0;
};
Errors errors_of(const Factors& M, const CsrMatrix& A, int k) {
    const Level level = levels_of_fill(A);
    const MatrixXd R = test::dense(A) - test::product(M);
    Errors errors;
    for (Index i = 0; i < A.rows; ++i) {
        for (Index j = 0; j < A.rows; ++j) {
            if (level(i, j) <= k) errors.at_places = std::max(errors.at_places, std::abs(R(i, j)));
        }
    }
    errors.row_sums = R.rowwise().sum().cwiseAbs().maxCoeff();
    return errors;
}

}  // namespace

TEST_CASE("levels of triangles are the longest ways to a row", "[core][factors]") {
    const CsrMatrix A = test::random_matrix(60, 3, 1, 1);
    std::vector<Triplet> lower, upper;
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
            if (A.column[e] <= i) lower.push_back({i, A.column[e], 1});
            if (A.column[e] >= i) upper.push_back({i, A.column[e], 1});
        }
    }
    const CsrMatrix L = csr_from_triplets(60, 60, lower), U = csr_from_triplets(60, 60, upper);
    for (const auto& [T, triangle] : {std::pair{&L, Triangle::lower}, std::pair{&U, Triangle::upper}}) {
        const Levels levels = level_sets(*T, triangle);
        REQUIRE(levels.begin.size() == static_cast<std::size_t>(levels.count) + 1);
        CHECK(levels.count > 2);
        for (Index i = 0; i < 60; ++i) {
            Index expected = 0;
            for (Offset e = T->offsets[i]; e < T->offsets[i + 1]; ++e) {
                if (T->column[e] != i) expected = std::max(expected, levels.level_of_row[T->column[e]] + 1);
            }
            CHECK(levels.level_of_row[i] == expected);
        }
        std::vector<Index> seen;
        for (Index l = 0; l < levels.count; ++l) {
            CHECK(levels.begin[l + 1] > levels.begin[l]);
            CHECK(levels.begin[l + 1] - levels.begin[l] <= levels.widest());
            for (Index k = levels.begin[l]; k < levels.begin[l + 1]; ++k) {
                CHECK(levels.level_of_row[levels.order[k]] == l);
                CHECK((k == levels.begin[l] || levels.order[k - 1] < levels.order[k]));
                seen.push_back(levels.order[k]);
            }
        }
        std::sort(seen.begin(), seen.end());
        CHECK((seen.size() == 60 && std::unique(seen.begin(), seen.end()) == seen.end()));
    }
    CHECK(level_sets(CsrMatrix{}, Triangle::lower).count == 0);
    CHECK_THROWS_AS(level_sets(L, Triangle::upper), InvalidInput);
    CHECK_THROWS_AS(level_sets(U, Triangle::lower), InvalidInput);
}

TEST_CASE("the pattern of ILU(k) has the places whose level of fill is at most k", "[core][factors]") {
    for (const int k : {0, 1, 2, 3, 100}) {
        for (const bool symmetric : {false, true}) {
            const CsrMatrix A = test::without_some_diagonal(test::random_matrix(50, 1.7, 3, 2, symmetric));
            const Level level = levels_of_fill(A);
            const FactorPattern pattern = symmetric ? ic_pattern(A, k) : ilu_pattern(A, k);
            Offset places = 0;
            for (Index i = 0; i < A.rows; ++i) {
                for (Index j = 0; j < A.rows; ++j) {
                    const Places& side = j < i ? pattern.lower : pattern.upper;
                    INFO("level " << k << ", place " << i << ", " << j);
                    REQUIRE(holds(side, i, j) == (i != j && level(i, j) <= k));
                    places += i != j && level(i, j) <= k;
                }
            }
            CHECK(std::ssize(pattern.lower.column) + std::ssize(pattern.upper.column) == places);
            if (!symmetric) continue;
            REQUIRE(pattern.mirrored.size() == pattern.lower.column.size());
            for (Index i = 0; i < A.rows; ++i) {
                for (Offset e = pattern.lower.offsets[i]; e < pattern.lower.offsets[i + 1]; ++e) {
                    const Offset f = pattern.mirrored[e];
                    const Index row = pattern.lower.column[e];
                    CHECK(pattern.upper.column[f] == i);
                    CHECK((f >= pattern.upper.offsets[row] && f < pattern.upper.offsets[row + 1]));
                }
            }
        }
    }
}

TEST_CASE("ILU(k) is what the dense elimination makes, to the bit", "[core][factors]") {
    for (const int k : {0, 1, 3, 100}) {
        for (const double modified : {0.0, 0.97, 1.0}) {
            for (const CsrMatrix& A : {test::random_matrix(50, 3, 4, 3), convection_diffusion(7)}) {
                const Factors M = factor_ilu(A, {.level = k, .modified = modified, .least_pivot = 0});
                REQUIRE(M.failure.empty());
                REQUIRE(M.shift == 0);
                const MatrixXd made = test::dense(M.L) + test::dense(M.U)
                                      + MatrixXd(Eigen::Map<const VectorXd>(M.D.data(), A.rows).asDiagonal());
                CHECK((made.array() == dense_ilu(A, k, modified).array()).all());
            }
        }
    }
}

TEST_CASE("M is A at the places of ILU(k) and IC(k), and everywhere if k is large", "[core][factors]") {
    for (const int k : {0, 1, 2, 100}) {
        const CsrMatrix A = test::random_matrix(50, 3, 4, 4), S = test::random_matrix(50, 3, 6, 5, true);
        const Factors ilu = factor_ilu(A, {.level = k}), ic = factor_ic(S, {.level = k});
        REQUIRE(ilu.shift == 0);
        REQUIRE(ic.shift == 0);
        CHECK(errors_of(ilu, A, k).at_places < 1e-12);
        CHECK(errors_of(ic, S, k).at_places < 1e-12);
        CHECK((test::difference(test::dense(A), test::product(ilu)) < 1e-13) == (k == 100));
        CHECK((test::difference(test::dense(S), test::product(ic)) < 1e-13) == (k == 100));
        CHECK(test::error_of_solve(ilu) < 1e-10);
        CHECK(test::error_of_solve(ic) < 1e-12);
        CHECK(ilu.nonzeros() == ilu.L.nonzeros() + ilu.U.nonzeros() + 50);
    }
}

TEST_CASE("factors of IC are symmetric, their pivots positive, and the upper triangle does not matter",
          "[core][factors]") {
    for (const double modified : {0.0, 1.0}) {
        CsrMatrix A = poisson2d(9);
        const Factors M = factor_ic(A, {.level = 1, .modified = modified});
        CHECK(M.symmetric);
        CHECK(test::same(transpose(M.L), M.U));
        CHECK(*std::min_element(M.D.begin(), M.D.end()) > 0);
        const Factors ilu = factor_ilu(A, {.level = 1, .modified = modified});
        CHECK(test::difference(test::product(ilu), test::product(M)) < 1e-14);
        for (Index i = 0; i < A.rows; ++i) {
            for (Offset e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
                if (A.column[e] > i) A.value[e] = 77;
            }
        }
        CHECK(test::same(factor_ic(A, {.level = 1, .modified = modified}), M));
    }
}

TEST_CASE("modified factors keep the row sums", "[core][factors]") {
    for (const int k : {0, 1}) {
        const CsrMatrix A = convection_diffusion(9), S = poisson2d(9);
        const auto kept = [&](double modified) {
            return std::pair{errors_of(factor_ilu(A, {.level = k, .modified = modified}), A, k).row_sums,
                             errors_of(factor_ic(S, {.level = k, .modified = modified}), S, k).row_sums};
        };
        CHECK(kept(1).first < 1e-15);
        CHECK(kept(1).second < 1e-13);
        CHECK(kept(0).first > 1e-5);
        CHECK(kept(0).second > 1e-2);
        CHECK(kept(0.5).first == Approx(0.5 * kept(0).first).epsilon(0.5));
    }
}

TEST_CASE("new values in the same places need the numeric phase only", "[core][factors]") {
    CsrMatrix A = convection_diffusion(12), S = poisson2d(12);
    const FactorPattern ilu = ilu_pattern(A, 1), ic = ic_pattern(S, 1);
    for (const double factor : {1.0, 1.25}) {
        for (double& a : A.value) a *= factor;
        for (double& a : S.value) a *= factor;
        CHECK(test::same(factor_ilu(A, ilu), factor_ilu(A, {.level = 1})));
        CHECK(test::same(factor_ic(S, ic), factor_ic(S, {.level = 1})));
    }
    const CsrMatrix other = random_spd(144, 900);
    CHECK_THROWS_WITH(factor_ilu(other, ilu), ContainsSubstring("has no place in the pattern"));
    CHECK_THROWS_WITH(factor_ic(other, ic), ContainsSubstring("has no place in the pattern"));
    CHECK_THROWS_WITH(factor_ic(S, ilu), ContainsSubstring("ic_pattern makes one"));
    CHECK_THROWS_WITH(factor_ilu(poisson2d(3), ilu), ContainsSubstring("has 144 rows, the matrix 9"));
    // Fewer entries are zeros in their places.
    CsrMatrix unit = csr_from_triplets(144, 144, {});
    for (Index i = 0; i < 144; ++i) unit.column.push_back(i), unit.value.push_back(2), unit.offsets[i + 1] = i + 1;
    CHECK(factor_ic(unit, ic).D == std::vector<double>(144, 2));
    CHECK(test::product(factor_ilu(unit, ilu)) == 2 * test::unit(144));
}

TEST_CASE("threads make no difference to a bit", "[core][factors]") {
    // Red points first, then black ones: two levels.
    const Index N = 180;
    CsrMatrix S = poisson2d(N), A = convection_diffusion(N);
    std::vector<Index> order;
    for (const Index colour : {0, 1}) {
        for (Index i = 0; i < N * N; ++i) {
            if ((i / N + i) % 2 == colour) order.push_back(i);
        }
    }
    for (const int level : {0, 1}) {
        for (const double modified : {0.0, 0.9}) {
            const FactorOptions options{.level = level, .modified = modified};
            const auto make = [&] {
                return std::pair{factor_ilu(permute(A, order), options), factor_ic(permute(S, order), options)};
            };
            const auto threads = make();
            auto alone = threads;
            // Within a parallel loop all is done by one thread.
            parallel_for(2, 1, [&](int range, Offset, Offset) {
                if (range == 0) alone = make();
            });
            CHECK(test::same(threads.first, alone.first));
            CHECK(test::same(threads.second, alone.second));
        }
    }
}

TEST_CASE("incomplete factors refuse wrong input", "[core][factors]") {
    const CsrMatrix A = csr_from_triplets(2, 3, std::vector<Triplet>{{0, 0, 1}}), square = poisson2d(3);
    CHECK_THROWS_WITH(factor_ilu(A), ContainsSubstring("2 x 3"));
    CHECK_THROWS_WITH(factor_ic(A), ContainsSubstring("2 x 3"));
    CHECK_THROWS_WITH(factor_ilu(square, {.level = -1}), ContainsSubstring("level is -1"));
    CHECK_THROWS_WITH(factor_ic(square, {.modified = 1.5}), ContainsSubstring("modified is 1.5"));
    CHECK_THROWS_AS(factor_ilu(square, {.most_attempts = 0}), InvalidInput);
    CHECK_THROWS_AS(factor_ilu(square, {.shift = -1}), InvalidInput);
}

}  // namespace tests_of_incomplete_factors
