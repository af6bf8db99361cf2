// Rows in the order of their levels, four to a texel.
#include "factors/level_slots.hpp"

#include <glsolve/error.hpp>

#include "base/random.hpp"
#include "support/catch.hpp"

namespace tests_of_level_slots {

using namespace glsolve;

namespace {

CsrMatrix random_triangle(Index n, bool lower, std::uint64_t seed) {
    Random random(seed);
    std::vector<Triplet> entries;
    for (Index k = 0; k < 3 * n; ++k) {
        const auto i = static_cast<Index>(random.uniform() * n), j = static_cast<Index>(random.uniform() * n);
        if (i == j) continue;
        entries.push_back(
            {lower ? std::max(i, j) : std::min(i, j), lower ? std::min(i, j) : std::max(i, j), random.normal()});
    }
    return csr_from_triplets(n, n, entries);
}

std::size_t at(std::int32_t number) { return static_cast<std::size_t>(number); }

}  // namespace

TEST_CASE("slots hold the rows of a triangle, level after level", "[factors]") {
    for (const bool lower : {true, false}) {
        const CsrMatrix T = random_triangle(70, lower, 3);
        const LevelSlots made = level_slots(T, lower ? Triangle::lower : Triangle::upper);
        REQUIRE(made.row_at.size() == 4 * at(made.texels()));
        REQUIRE(made.slots.size() == at(made.texels()) + 1);
        REQUIRE(made.count() > 3);
        // Solving (I + T) y = b texel by texel needs nothing but what stands in earlier levels.
        std::vector<double> b(70), y(made.row_at.size(), 1e30), of_row(70);
        Random random(4);
        for (double& number : b) number = random.normal();
        for (std::int32_t level = 0; level < made.count(); ++level) {
            std::vector<double> next = y;
            for (std::int32_t t = made.levels[at(level)]; t < made.levels[at(level) + 1]; ++t) {
                for (std::size_t lane = 0; lane < 4; ++lane) {
                    const Index row = made.row_at[4 * at(t) + lane];
                    if (row < 0) continue;
                    CHECK(made.place_of[at(row)] == static_cast<Index>(4 * at(t) + lane));
                    double sum = b[at(row)];
                    for (std::int32_t s = made.slots[at(t)]; s < made.slots[at(t) + 1]; ++s) {
                        const double a = made.values[4 * at(s) + lane];
                        if (a != 0) sum -= a * y[at(made.columns[4 * at(s) + lane])];
                    }
                    next[4 * at(t) + lane] = of_row[at(row)] = sum;
                }
            }
            y = next;
        }
        std::vector<double> back(70);
        multiply(T, of_row, back);
        for (std::size_t i = 0; i < 70; ++i) CHECK(std::abs(of_row[i] + back[i] - b[i]) < 1e-9);
    }
}

TEST_CASE("slots of nothing, and of rows that depend on nothing", "[factors]") {
    const LevelSlots none = level_slots(CsrMatrix{}, Triangle::lower);
    CHECK(none.texels() == 0);
    CHECK(none.count() == 0);
    CsrMatrix zero{.rows = 6, .columns = 6};
    zero.offsets.assign(7, 0);
    const LevelSlots flat = level_slots(zero, Triangle::upper);
    CHECK(flat.count() == 1);
    CHECK(flat.texels() == 2);
    CHECK(flat.row_at == std::vector<Index>{0, 1, 2, 3, 4, 5, -1, -1});
    CHECK(flat.slots == std::vector<std::int32_t>{0, 0, 0});
    CHECK_THROWS_AS(level_slots(csr_from_triplets(2, 2, std::vector<Triplet>{{0, 1, 1}}), Triangle::lower),
                    InvalidInput);
}

}  // namespace tests_of_level_slots
