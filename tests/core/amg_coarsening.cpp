// Strength of connection, and the C/F splittings that follow from it.
#include <algorithm>
#include <glsolve/generate.hpp>
#include <string>

#include "amg/splitting.hpp"
#include "support/catch.hpp"

namespace tests_of_amg_coarsening {

using namespace glsolve;

namespace {

using Rows = std::vector<std::vector<Index>>;

Rows rows_of(const Strength& S) {
    Rows rows;
    for (Index i = 0; i < S.size(); ++i) rows.emplace_back(S.row(i).begin(), S.row(i).end());
    return rows;
}

/// From what each unknown depends on.
Strength strength_of(const Rows& rows) {
    Strength S;
    for (const auto& row : rows) {
        S.column.insert(S.column.end(), row.begin(), row.end());
        S.offsets.push_back(static_cast<Offset>(S.column.size()));
    }
    return S;
}

/// What a splitting has to do with: grids, jumps, one-sided dependence, long rows, positive entries, nothing at all.
std::vector<std::pair<std::string, Strength>> graphs() {
    return {
        {"grid", classical_strength(poisson2d(21), 0.25)},
        {"grid of several threads", classical_strength(poisson2d(150), 0.25)},
        {"brick", classical_strength(poisson3d(9), 0.25)},
        {"lines", classical_strength(anisotropic(17, 1e-3), 0.25)},
        {"jumps", classical_strength(jumping_coefficients(24, 1e4, Coefficients::inclusions), 0.25)},
        {"upwind", classical_strength(convection_diffusion(20, {.diffusion = 1e-4}), 0.25)},
        {"recirculating",
         classical_strength(convection_diffusion(30, {.diffusion = 1e-4, .recirculating = true}), 0.25)},
        {"hubs", classical_strength(graph_laplacian(500, 6, Degrees::power_law), 0.25)},
        {"any signs", classical_strength(random_spd(300, 3000), 0.25)},
        {"elastic", symmetric_strength(elasticity(3, 3, 3).A, 0.1)},
        {"diagonal", strength_of({{}, {}, {}})},
        {"nothing", Strength{}},
    };
}

Index count(const Splitting& splitting, Point point) {
    return static_cast<Index>(std::count(splitting.begin(), splitting.end(), point));
}

bool depends_on(const Strength& S, Index i, const auto& holds) {
    return std::any_of(S.row(i).begin(), S.row(i).end(), holds);
}

bool depends_on_coarse(const Strength& S, const Splitting& splitting, Index i) {
    return depends_on(S, i, [&](Index j) { return splitting[j] == Point::coarse; });
}

/// Pairs of F points, one of which depends on the other, that depend on no common C point.
int pairs_without_common_coarse(const Strength& S, const Splitting& splitting) {
    int pairs = 0;
    for (Index i = 0; i < S.size(); ++i) {
        for (const Index j : S.row(i)) {
            if (splitting[i] == Point::coarse || splitting[j] == Point::coarse) continue;
            if (!depends_on(S, i, [&](Index k) {
                    return splitting[k] == Point::coarse && std::ranges::binary_search(S.row(j), k);
                })) {
                ++pairs;
            }
        }
    }
    return pairs;
}

bool is_mutual(const Strength& S) { return rows_of(S) == rows_of(transpose(S)); }

/// F points that depend on something, but on no C point.
int without_coarse(const Strength& S, const Splitting& splitting) {
    int unknowns = 0;
    for (Index i = 0; i < S.size(); ++i) {
        if (splitting[i] == Point::fine && !S.row(i).empty() && !depends_on_coarse(S, splitting, i)) ++unknowns;
    }
    return unknowns;
}

/// `alone` are those, and only those, with no edge at all.
void check_alone(const Strength& S, const Splitting& splitting) {
    REQUIRE(splitting.size() == static_cast<std::size_t>(S.size()));
    const Strength T = transpose(S);
    for (Index i = 0; i < S.size(); ++i) {
        CHECK((splitting[i] == Point::alone) == (S.row(i).empty() && T.row(i).empty()));
    }
}

}  // namespace

TEST_CASE("classical strength compares with the row's most negative entry", "[core][amg]") {
    const std::vector<Triplet> entries{{0, 0, 4},  {0, 1, -2},  {0, 2, -1},   {0, 3, 3},   //
                                       {1, 0, -2}, {1, 1, 4},   {1, 2, -0.4}, {1, 3, 0},   //
                                       {2, 0, 1},  {2, 1, 0.4}, {2, 2, -4},   {2, 3, -5},  //
                                       {3, 0, 3},  {3, 1, 0},   {3, 2, 5},    {3, 3, 4}};
    const CsrMatrix A = csr_from_triplets(4, 4, entries);
    CHECK(rows_of(classical_strength(A, 0.5)) == Rows{{1, 2}, {0}, {0}, {}});
    CHECK(rows_of(classical_strength(A, 0.51)) == Rows{{1}, {0}, {0}, {}});
    CHECK(rows_of(classical_strength(A, 0.2)) == Rows{{1, 2}, {0, 2}, {0, 1}, {}});
    CHECK(rows_of(classical_strength(A, 0)) == Rows{{1, 2}, {0, 2}, {0, 1}, {}});
}

TEST_CASE("symmetric strength compares with both diagonal entries", "[core][amg]") {
    const std::vector<Triplet> entries{{0, 0, 4},  {0, 1, -1}, {0, 2, 3},  {1, 0, -1}, {1, 1, 1},
                                       {1, 2, -2}, {2, 0, 3},  {2, 1, -2}, {2, 2, -16}};
    const CsrMatrix A = csr_from_triplets(3, 3, entries);
    // |a_ij| / sqrt|a_ii a_jj|:  01: 1/2,  02: 3/8,  12: 1/2
    CHECK(rows_of(symmetric_strength(A, 0.37)) == Rows{{1, 2}, {0, 2}, {0, 1}});
    CHECK(rows_of(symmetric_strength(A, 0.38)) == Rows{{1}, {0, 2}, {1}});
    CHECK(rows_of(symmetric_strength(A, 0.5)) == Rows{{}, {}, {}});
}

TEST_CASE("an anisotropic grid depends along one axis, in every thread's rows", "[core][amg]") {
    const Index N = 150;
    for (const Strength& S :
         {classical_strength(anisotropic(N, 1e-2), 0.25), symmetric_strength(anisotropic(N, 1e-2), 0.1)}) {
        Rows expected;
        for (Index i = 0; i < N * N; ++i) {
            std::vector<Index>& row = expected.emplace_back();
            if (i % N > 0) row.push_back(i - 1);
            if (i % N < N - 1) row.push_back(i + 1);
        }
        CHECK(rows_of(S) == expected);
    }
}

TEST_CASE("the transpose of strength has each edge the other way round", "[core][amg]") {
    CHECK(rows_of(transpose(strength_of({{1, 2}, {}, {1}, {0, 1, 2}}))) == Rows{{3}, {0, 2, 3}, {0, 3}, {}});
    CHECK(transpose(Strength{}).size() == 0);
}

TEST_CASE("coarse numbers count C points", "[core][amg]") {
    CHECK(coarse_numbers({Point::coarse, Point::fine, Point::alone, Point::coarse})
          == std::vector<Index>{0, 1, 1, 1, 2});
    CHECK(coarse_numbers({}) == std::vector<Index>{0});
}

TEST_CASE("Ruge and Stüben: a star's centre, every other one of a chain, a grid's checkerboard", "[core][amg]") {
    const Point C = Point::coarse, F = Point::fine;
    CHECK(split_ruge_stueben(strength_of({{3}, {3}, {3}, {0, 1, 2}, {}}), false)
          == Splitting{F, F, F, C, Point::alone});
    CHECK(split_ruge_stueben(strength_of({{1}, {0, 2}, {1, 3}, {2, 4}, {3}}), false) == Splitting{F, C, F, C, F});

    const Index N = 30;
    const Splitting grid = split_ruge_stueben(classical_strength(poisson2d(N), 0.25), false);
    for (Index i = 0; i < N * N; ++i) CHECK((grid[i] == grid[0]) == ((i % N + i / N) % 2 == 0));
}

TEST_CASE("Ruge and Stüben: where dependence is mutual, F points depend on a C point", "[core][amg]") {
    for (const auto& [name, S] : graphs()) {
        INFO(name);
        const Splitting splitting = split_ruge_stueben(S, false);
        check_alone(S, splitting);
        if (is_mutual(S)) CHECK(without_coarse(S, splitting) == 0);
    }
}

TEST_CASE("Ruge and Stüben's second pass, and Falgout: F points share a C point", "[core][amg]") {
    int first_pass = 0;
    for (const auto& [name, S] : graphs()) {
        INFO(name);
        const Splitting first = split_ruge_stueben(S, false);
        first_pass += pairs_without_common_coarse(S, first);
        for (const Splitting& splitting : {split_ruge_stueben(S, true), split_falgout(S)}) {
            check_alone(S, splitting);
            CHECK(pairs_without_common_coarse(S, splitting) == 0);
            CHECK(without_coarse(S, splitting) == 0);
            CHECK(count(splitting, Point::coarse) <= S.size());
        }
        const Splitting falgout = split_falgout(S);
        for (Index i = 0; i < S.size(); ++i) {
            if (first[i] == Point::coarse) CHECK(falgout[i] == Point::coarse);
        }
    }
    CHECK(first_pass > 100);  // so there was something to do
}

TEST_CASE("the second pass makes one point of a pair C, not both", "[core][amg]") {
    // A ring of five: the first pass leaves two F points side by side.
    const Strength ring = strength_of({{1, 4}, {0, 2}, {1, 3}, {2, 4}, {0, 3}});
    CHECK(count(split_ruge_stueben(ring, false), Point::coarse) == 2);
    CHECK(count(split_ruge_stueben(ring, true), Point::coarse) == 3);
    CHECK(count(split_falgout(ring), Point::coarse) == 3);
}

TEST_CASE("the second pass: one F neighbour becomes C, or the point itself", "[core][amg]") {
    // 0, 1 and 2 depend on each other, as `among` says, and on one of 3, 4 and 5, which are C: five leaves depend on
    // each.
    const auto coarse_after_second_pass = [](const Rows& among) {
        Rows rows(21);
        const auto connect = [&](Index i, Index j) {
            rows[i].push_back(j);
            rows[j].push_back(i);
        };
        std::copy(among.begin(), among.end(), rows.begin());
        for (Index i = 0; i < 3; ++i) {
            connect(i, 3 + i);
            for (Index leaf = 6 + 5 * i; leaf < 11 + 5 * i; ++leaf) connect(3 + i, leaf);
        }
        const Splitting splitting = split_ruge_stueben(strength_of(rows), true);
        std::vector<Index> coarse;
        for (Index i = 0; i < 21; ++i) {
            if (splitting[i] == Point::coarse) coarse.push_back(i);
        }
        return coarse;
    };
    CHECK(coarse_after_second_pass({{1}, {0}, {}}) == std::vector<Index>{1, 3, 4, 5});
    CHECK(coarse_after_second_pass({{1, 2}, {0, 2}, {0, 1}}) == std::vector<Index>{1, 3, 4, 5});  // 1 serves 2 as well
    CHECK(coarse_after_second_pass({{1, 2}, {0}, {0}}) == std::vector<Index>{0, 3, 4, 5});  // or both 1 and 2 would
}

TEST_CASE("PMIS: C points are independent, F points have one within distance two", "[core][amg]") {
    for (const auto& [name, S] : graphs()) {
        INFO(name);
        const Splitting splitting = split_pmis(S);
        check_alone(S, splitting);
        const auto reached = [&](Index j) {
            return splitting[j] == Point::coarse || depends_on_coarse(S, splitting, j);
        };
        const bool mutual = is_mutual(S);
        for (Index i = 0; i < S.size(); ++i) {
            if (splitting[i] == Point::coarse && mutual) CHECK_FALSE(depends_on_coarse(S, splitting, i));
            if (splitting[i] == Point::fine && !S.row(i).empty()) CHECK(depends_on(S, i, reached));
        }
    }
}

TEST_CASE("PMIS: an unknown waits for larger ones that depend on it", "[core][amg]") {
    // On 0, 1, 2 and 3 depend four, three, two and one. 0 is C, 1 F; then 2 is C before 3 could make it F.
    const Strength S = strength_of({{}, {0}, {1, 3}, {}, {0}, {0}, {0}, {1}, {1}, {2}, {2}});
    Splitting expected(11, Point::fine);
    expected[0] = expected[2] = expected[3] = Point::coarse;
    CHECK(split_pmis(S) == expected);
}

// The measures of a grid's points differ by their random numbers only: C points come in like cars that park at random,
// which ends at a density of 0.364 on the square lattice (random sequential adsorption without nearest neighbours).
TEST_CASE("PMIS: about 0.36 of a grid's points are C, spread at random", "[core][amg]") {
    const CsrMatrix A = poisson2d(150);
    const Splitting splitting = split_pmis(classical_strength(A, 0.25));
    CHECK(count(splitting, Point::coarse) / static_cast<double>(A.rows) == Approx(0.364).margin(0.01));
    CHECK(splitting == split_pmis(classical_strength(A, 0.25)));
}

}  // namespace tests_of_amg_coarsening
