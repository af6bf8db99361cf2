// What `analyze` says of matrices whose answers are known, and rows in another order.
#include <cmath>
#include <glsolve/analyze.hpp>
#include <glsolve/generate.hpp>
#include <numeric>

#include "formats/texel_plan.hpp"
#include "matrix/permutation.hpp"
#include "support/catch.hpp"

namespace tests_of_analyze {

using namespace glsolve;

TEST_CASE("a Poisson matrix is analyzed", "[core][analyze]") {
    const Analysis a = analyze(poisson2d(10));
    CHECK(a.rows == 100);
    CHECK(a.nonzeros == 460);
    CHECK(a.shortest_row == 3);
    CHECK(a.longest_row == 5);
    CHECK(a.mean_row == Approx(4.6));
    REQUIRE(a.histogram.size() == 3);
    CHECK(a.histogram[0].rows == 4);   // corners
    CHECK(a.histogram[1].rows == 32);  // sides
    CHECK(a.histogram[2].rows == 64);
    CHECK(a.lower_bandwidth == 10);
    CHECK(a.upper_bandwidth == 10);
    CHECK(a.diagonals == 5);
    CHECK(a.square);
    CHECK(a.structurally_symmetric);
    CHECK(a.asymmetry == 0);
    CHECK(a.zero_diagonal == 0);
    CHECK(a.negative_diagonal == 0);
    CHECK(a.dominant_rows == 100);
    CHECK(a.least_dominance == 1);
    CHECK(a.smallest == 1);
    CHECK(a.largest == 4);
    CHECK(a.largest_scaled == 1);
    CHECK(a.smallest_scaled == 0.25);
}

TEST_CASE("what is wrong with a matrix is seen", "[core][analyze]") {
    const std::vector<Triplet> entries{{0, 0, -2.0}, {0, 3, 1e-5}, {2, 1, 1e9}, {2, 2, 3.0}, {3, 3, 0.0}};
    const Analysis a = analyze(csr_from_triplets(4, 4, entries));
    CHECK(a.empty_rows == 1);
    CHECK(a.zero_diagonal == 2);
    CHECK(a.negative_diagonal == 1);
    CHECK(a.lower_bandwidth == 1);
    CHECK(a.upper_bandwidth == 3);
    CHECK(a.diagonals == 3);
    CHECK_FALSE(a.structurally_symmetric);
    CHECK(a.asymmetry == 1);
    CHECK(a.least_dominance == Approx(3e-9));
    CHECK(a.smallest == 1e-5);
    CHECK(a.largest == 1e9);
    const Analysis wide = analyze(csr_from_triplets(2, 5, std::vector<Triplet>{{1, 4, 2.0}}));
    CHECK_FALSE(wide.square);
    CHECK(wide.upper_bandwidth == 3);
    CHECK(std::isinf(wide.asymmetry));
    CHECK_NOTHROW(analyze(CsrMatrix{}));
}

TEST_CASE("long rows keep a histogram of ten bins that holds every row", "[core][analyze]") {
    const Analysis a = analyze(random_spd(300, 20'000));
    CHECK(a.histogram.size() == 10);
    CHECK(a.histogram.front().shortest == a.shortest_row);
    CHECK(a.histogram.back().longest == a.longest_row);
    Index rows = 0;
    for (std::size_t i = 0; i < a.histogram.size(); ++i) {
        rows += a.histogram[i].rows;
        if (i > 0) CHECK(a.histogram[i].shortest == a.histogram[i - 1].longest + 1);
    }
    CHECK(rows == 300);
}

TEST_CASE("the density holds each entry once, where it stands", "[core][analyze]") {
    const CsrMatrix A =
        csr_from_triplets(100, 50, std::vector<Triplet>{{0, 0, 1.0}, {99, 49, 1.0}, {1, 1, 1.0}, {50, 0, 1.0}});
    const auto count = density(A, 10, 10);
    REQUIRE(count.size() == 100);
    CHECK(count[0] == 2);
    CHECK(count[99] == 1);
    CHECK(count[50] == 1);
    CHECK(std::accumulate(count.begin(), count.end(), 0u) == 4);
}

TEST_CASE("each cell of the density has rows and columns of its own", "[core][analyze]") {
    std::vector<Triplet> entries;
    for (Index i = 0; i < 37; ++i) {
        for (Index j = 0; j < 11; ++j) entries.push_back({i, j, 1.0});
    }
    for (const std::uint32_t count : density(csr_from_triplets(37, 11, entries), 20, 7)) CHECK(count > 0);
}

TEST_CASE("rows are sorted by length within windows, and put back", "[core]") {
    const CsrMatrix A = random_spd(103, 700);
    const std::vector<Index> order = sorted_by_length(A, 16);
    const auto length = [&](Index i) {
        return A.offsets[static_cast<std::size_t>(i) + 1] - A.offsets[static_cast<std::size_t>(i)];
    };
    for (std::size_t k = 0; k < order.size(); ++k) {
        CHECK(order[k] / 16 == static_cast<Index>(k / 16));
        if (k % 16 != 0) CHECK(length(order[k - 1]) >= length(order[k]));
    }
    const CsrMatrix B = permute(A, order);
    CHECK_NOTHROW(check(B));
    const std::vector<double> x = known_answer(103);
    std::vector<double> y(103), z(103), back(103);
    multiply(A, x, y);
    multiply(B, permute<double>(x, order), z);
    permute_back<double>(z, order, back);
    for (std::size_t i = 0; i < 103; ++i) CHECK(back[i] == Approx(y[i]));
}

TEST_CASE("a texel's plan holds each entry once, in runs where enough of them stand on one diagonal", "[core]") {
    const CsrMatrix A = random_spd(60, 900);
    TexelPlanner planner(A);
    for (std::size_t fewest = 1; fewest <= TexelPlanner::no_runs; ++fewest) {
        std::vector<int> seen(static_cast<std::size_t>(A.nonzeros()), 0);
        for (std::int64_t t = 0; t < 15; ++t) {
            const Slots slots = planner.slots(t)[fewest];
            const TexelPlan& plan = planner.plan(t, fewest);
            CHECK(slots.runs == static_cast<int>(plan.runs.size()));
            CHECK(slots.singles % 2 == 0);
            for (const Run& run : plan.runs) {
                std::size_t entries = 0;
                for (std::size_t lane = 0; lane < 4; ++lane) {
                    if (run.entry[lane] < 0) continue;
                    ++entries;
                    ++seen[static_cast<std::size_t>(run.entry[lane])];
                    CHECK(A.column[static_cast<std::size_t>(run.entry[lane])] == run.first + static_cast<Index>(lane));
                }
                CHECK(entries >= fewest);
            }
            for (const auto& lane : plan.singles) {
                CHECK(static_cast<int>(lane.size()) <= slots.singles);
                for (const Offset entry : lane) ++seen[static_cast<std::size_t>(entry)];
            }
        }
        Index beside_diagonal = 0;
        for (const int times : seen) {
            CHECK(times <= 1);
            beside_diagonal += times;
        }
        CHECK(beside_diagonal == A.nonzeros() - 60);
    }
}

}  // namespace tests_of_analyze
