// What the diagonals of a matrix hold, and how they are stored.
#include <cmath>
#include <glsolve/generate.hpp>

#include "formats/dia_plan.hpp"
#include "support/catch.hpp"

namespace tests_of_diagonals {

using namespace glsolve;

namespace {

/// Found row by row, and where rows that are alike are looked at once: the same.
DiaPlan plan(const CsrMatrix& A) {
    const std::vector<double> scale(static_cast<std::size_t>(A.rows), 1.0);
    FormatInput in{A, scale};
    DiaPlan made = plan_dia(in, diagonal_offsets(A, 100));
    in.scaled_alike = true;
    const DiaPlan alike = plan_dia(in, diagonal_offsets(A, 100));
    CHECK(alike.offsets == made.offsets);
    CHECK(alike.tile == made.tile);
    CHECK(alike.tiles == made.tiles);
    REQUIRE(alike.beside.size() == made.beside.size());
    for (std::size_t k = 0; k < made.beside.size(); ++k) {
        const auto &one = alike.beside[k].constant, &other = made.beside[k].constant;
        REQUIRE(one.has_value() == other.has_value());
        if (one) CHECK((one->value == other->value && one->gap == other->gap));
    }
    CHECK(alike.main.differences == made.main.differences);
    CHECK(alike.main.accurate == made.main.accurate);
    CHECK(alike.main.constant == made.main.constant);
    CHECK(alike.main.values == made.main.values);
    CHECK(alike.table() == made.table());
    return made;
}

/// Ones on one diagonal in the rows that are asked for.
CsrMatrix one_diagonal(Index n, Index offset, bool (*present)(Index row)) {
    std::vector<Triplet> entries;
    for (Index i = std::max(0, -offset); i < n - std::max(0, offset); ++i) {
        if (present(i)) entries.push_back({i, i + offset, 1.0});
    }
    return csr_from_triplets(n, n, entries);
}

/// The gap of its only diagonal; period 0: it is not constant.
Gap gap(const CsrMatrix& A) {
    const DiaPlan planned = plan(A);
    REQUIRE(planned.beside.size() == 1);
    const auto& constant = planned.beside[0].constant;
    return constant ? constant->gap : Gap{0};
}
Gap gap(bool (*present)(Index row)) { return gap(one_diagonal(40, 1, present)); }

}  // namespace

TEST_CASE("one row among many that are alike is not overlooked", "[core]") {
    const Index row = GENERATE(1, 2, 500, 998, 999);
    CsrMatrix A = poisson2d(1000);
    for (auto [j, a] : A.row(123 * 1000 + row)) a = j == 123 * 1000 + row - 1 ? -3 : a;
    const DiaPlan planned = plan(A);
    CHECK_FALSE(planned.beside[1].constant.has_value());
    CHECK(planned.beside[2].constant.has_value());
}

TEST_CASE("diagonals are found and counted no further than asked", "[core]") {
    CHECK(diagonal_offsets(poisson2d(4), 5) == std::vector<Index>{-4, -1, 0, 1, 4});
    CHECK(diagonal_offsets(poisson2d(4), 4).empty());
}

TEST_CASE("diagonals of one number are found, with the gaps where a grid's lines end", "[core]") {
    const DiaPlan grid = plan(poisson3d(5));  // offsets -25, -5, -1, 1, 5, 25
    const std::vector<Gap> gaps{{}, {25, 0, 5}, {5, 0, 1}, {5, 4, 1}, {25, 20, 5}, {}};
    REQUIRE(grid.beside.size() == 6);
    for (std::size_t d = 0; d < 6; ++d) {
        REQUIRE(grid.beside[d].constant);
        CHECK(grid.beside[d].constant->value == -1);
        CHECK(grid.beside[d].constant->gap == gaps[d]);
    }
    CHECK(grid.main.differences);
    CHECK(grid.main.constant == 0.0);  // the rows' sums, and what stands for the neighbours that are not there
    CHECK(grid.tiles == 0);

    // Sums that are equal but for rounding.
    CsrMatrix A = poisson2d(9);
    for (double& value : A.value) value += value > 0 ? 0.1 : 0.0;
    REQUIRE(plan(A).main.constant);
    CHECK(*plan(A).main.constant == Approx(0.1));
    // Factors that single precision does not hold: the table does, in two floats.
    const DiaPlan thirds = plan(anisotropic(9, 1.0 / 3.0));
    CHECK(thirds.tiles == 0);
    const std::vector<float> table = thirds.table();
    CHECK(static_cast<double>(table[0]) + static_cast<double>(table[1]) == Approx(-1.0 / 3.0).epsilon(1e-14));

    // Other numbers in the same places: the same programs.
    CsrMatrix twice = poisson2d(9);
    for (double& value : twice.value) value *= 2;
    CHECK(plan(twice).definitions(4) == plan(poisson2d(9)).definitions(4));
    CHECK(plan(twice).table() != plan(poisson2d(9)).table());

    // Sums that differ, if only a little.
    A = poisson2d(9);
    A.value[0] += 1e-12;
    CHECK_FALSE(plan(A).main.constant);
    CHECK(plan(A).tiles == 1);
    CHECK(plan(random_spd(50, 300)).tiles > 16);

    // Rows of a boundary that say x_i = b_i, far smaller than the others: they would drown in what is made up for.
    std::vector<Triplet> entries;
    for (Index i = 0; i < 40; ++i) {
        const bool boundary = i % 10 == 0;
        entries.push_back({i, i, boundary ? 1.0 : 2e6});
        for (const Index j : {i - 1, i + 1}) {
            if (j >= 0 && j < 40 && !boundary) entries.push_back({i, j, -1e6});
        }
    }
    CHECK(plan(csr_from_triplets(40, 40, entries)).tiles == 3);
}

TEST_CASE("gaps that follow a rule, and those that do not", "[core]") {
    CHECK(gap([](Index i) { return i % 7 != 3 && i % 7 != 4; }) == Gap{7, 3, 2});
    CHECK(gap([](Index i) { return i != 13; }) == Gap{39, 13, 1});    // once
    CHECK(gap([](Index i) { return i % 10 < 7; }) == Gap{10, 7, 3});  // the matrix ends in the last one
    const Gap none{0};
    CHECK(gap([](Index i) { return i % 10 < 7 || i == 38; }) == none);                 // the last one is too short
    CHECK(gap([](Index i) { return i % 7 != 3 || i == 10; }) == none);                 // one is not left out
    CHECK(gap([](Index i) { return i % 7 != 3 && i != 12; }) == none);                 // one too many
    CHECK(gap([](Index i) { return i % 7 != 3 && (i % 7 != 4 || i > 10); }) == none);  // of two lengths
    CHECK(gap([](Index i) { return i % 7 != 3 || i < 10; }) == none);                  // begins late
    CHECK(gap([](Index i) { return i % 7 != 3 || i > 25; }) == none);                  // ends early
    CHECK(gap([](Index i) { return i % 7 != 3 && i < 36; }) == none);                  // the last one is too long
    CHECK(gap([](Index i) { return i % 7 > 1 && i % 7 < 6; }) == none);                // ... and the first one here
    // Over the end of a period: rows 6, 7 of 7, 14 ... It is not looked for.
    CHECK(gap(one_diagonal(40, -6, [](Index i) { return i % 7 != 6 && i % 7 != 0; })) == none);
}

TEST_CASE("long diagonals, of which each core sees a part", "[core]") {
    const Index n = 200'000;  // some ranges of rows, whatever the number of cores
    CHECK(gap(one_diagonal(n, 1, [](Index i) { return i % 7 != 3 && i % 7 != 4; })) == Gap{7, 3, 2});
    CHECK(gap(one_diagonal(n, -300, [](Index i) { return i < 20'000 || i >= 180'000; })) == Gap{n, 20'000, 160'000});
    CHECK(gap(one_diagonal(n, 1, [](Index i) { return i % 70'000 < 50'000; })) == Gap{70'000, 50'000, 20'000});
    const Gap none{0};
    CHECK(gap(one_diagonal(n, 1, [](Index i) { return i % 7 != 3 || i == 150'000 / 7 * 7 + 3; })) == none);
    CHECK(gap(one_diagonal(n, 1, [](Index i) { return i < 150'000 || i % 5 != 2; })) == none);
    CsrMatrix A = one_diagonal(n, 1, [](Index) { return true; });
    CHECK(gap(A) == Gap{});
    A.value.back() = 2;  // what the last part finds
    CHECK(gap(A) == none);
}

TEST_CASE("many diagonals are neither constants nor cheap", "[core]") {
    std::vector<Triplet> entries;
    for (Index i = 0; i < 400; ++i) {
        for (Index o = -10; o <= 10; ++o) {
            if (i + 2 * o >= 0 && i + 2 * o < 400) entries.push_back({i, i + 2 * o, o == 0 ? 30.0 : -1.0});
        }
    }
    const DiaPlan planned = plan(csr_from_triplets(400, 400, entries));
    CHECK_FALSE(planned.unrolled());
    CHECK(planned.tiles == 21);
    CHECK(planned.definitions(4).empty());
    CHECK(planned.fetches() == 1 + 10 * 2 + 10 * 3);  // the offset and one texel, or two
}

}  // namespace tests_of_diagonals
