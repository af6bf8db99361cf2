// What fixed-point sweeps know of the places of a matrix, and that their fixed point is ILU(0).
#include "factors/fixed_point.hpp"

#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>

#include "base/random.hpp"
#include "factors/incomplete.hpp"
#include "support/catch.hpp"

namespace tests_of_fixed_point {

using namespace glsolve;

namespace {

/// Dominant rows, places symmetric or not.
CsrMatrix random_dominant(Index n, bool symmetric, std::uint64_t seed) {
    Random random(seed);
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; ++i) entries.push_back({i, i, 6 + random.uniform()});
    for (Index k = 0; k < 8 * n; ++k) {
        const auto i = static_cast<Index>(random.uniform() * n), j = static_cast<Index>(random.uniform() * n);
        if (i == j) continue;
        const double a = random.normal() / 5;
        entries.push_back({i, j, a});
        if (symmetric) entries.push_back({j, i, a});
    }
    return csr_from_triplets(n, n, entries);
}

/// v_ij <- c_ij - sum over k of v_ik v_kj / v_kk, all at once.
std::vector<double> sweep(const FixedPointPattern& p, const CsrMatrix& C, const std::vector<double>& v) {
    std::vector<double> next = C.value;
    std::vector<Index> row_of;
    for (Index i = 0; i < p.rows(); ++i)
        row_of.insert(row_of.end(),
                      static_cast<std::size_t>(p.offsets[static_cast<std::size_t>(i) + 1]
                                               - p.offsets[static_cast<std::size_t>(i)]),
                      i);
    for (std::size_t e = 0; e < next.size(); ++e) {
        for (auto t = static_cast<std::size_t>(p.first_term[e]); t < static_cast<std::size_t>(p.first_term[e + 1]);
             ++t) {
            const auto ik = static_cast<std::size_t>(p.terms[2 * t]), kj = static_cast<std::size_t>(p.terms[2 * t + 1]);
            CHECK(p.column[ik] == row_of[kj]);
            CHECK(p.column[kj] == p.column[e]);
            CHECK(row_of[ik] == row_of[e]);
            const auto kk = static_cast<std::size_t>(p.diagonal[static_cast<std::size_t>(row_of[kj])]);
            next[e] -= v[ik] * v[kj] / v[kk];
        }
    }
    return next;
}

std::vector<double> fixed_point(const FixedPointPattern& pattern, const CsrMatrix& C) {
    std::vector<double> v = C.value;
    for (int k = 0; k < 60; ++k) v = sweep(pattern, C, v);
    return v;
}

void check_near(const CsrMatrix& a, const CsrMatrix& b) {
    REQUIRE(a.offsets == b.offsets);
    REQUIRE(a.column == b.column);
    for (std::size_t k = 0; k < a.value.size(); ++k) CHECK(std::abs(a.value[k] - b.value[k]) <= 1e-12);
}

}  // namespace

TEST_CASE("the fixed point of sweeps is ILU(0)", "[factors]") {
    for (const bool symmetric : {false, true}) {
        const CsrMatrix C = random_dominant(60, symmetric, 5);
        const FixedPointPattern pattern = fixed_point_pattern(C);
        REQUIRE(pattern.failure.empty());
        CHECK(pattern.is_of(C));
        REQUIRE(pattern.terms.size() > 100);
        const Factors found = factors_of(pattern, fixed_point(pattern, C)), exact = factor_ilu(C);
        check_near(found.L, exact.L);
        check_near(found.U, exact.U);
        for (std::size_t i = 0; i < exact.D.size(); ++i) CHECK(std::abs(found.D[i] - exact.D[i]) <= 1e-12);
    }
}

TEST_CASE("sweeps keep a symmetric matrix symmetric", "[factors]") {
    const CsrMatrix C = random_dominant(40, true, 9);
    const FixedPointPattern pattern = fixed_point_pattern(C);
    const Factors after_one = factors_of(pattern, sweep(pattern, C, C.value));
    check_near(transpose(after_one.L), after_one.U);
}

TEST_CASE("places that sweeps cannot take", "[factors]") {
    CHECK_THAT(fixed_point_pattern(csr_from_triplets(2, 2, std::vector<Triplet>{{0, 0, 1}, {1, 0, 1}})).failure,
               ContainsSubstring("row 2 has no entry on the diagonal"));
    CHECK_THAT(fixed_point_pattern(poisson2d(8), 10).failure, ContainsSubstring("at most 10 are possible"));
    const FixedPointPattern empty = fixed_point_pattern(CsrMatrix{});
    CHECK(empty.failure.empty());
    CHECK(empty.places() == 0);
    CHECK_FALSE(fixed_point_pattern(poisson2d(3)).is_of(poisson2d(4)));
}

}  // namespace tests_of_fixed_point
