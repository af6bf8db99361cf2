// Which format a matrix gets, how it is scaled, what is generated.
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <numeric>
#include <random>
#include <set>

#include "formats/choose_format.hpp"
#include "formats/diagonals.hpp"
#include "formats/ell_width.hpp"
#include "formats/entry_ranges.hpp"
#include "formats/short_columns.hpp"
#include "matrix/permutation.hpp"
#include "matrix/reordering.hpp"
#include "matrix/scaling.hpp"
#include "refinement/true_residual.hpp"
#include "support/catch.hpp"

namespace tests_of_formats {

using namespace glsolve;

namespace {

FormatChoice choose(const CsrMatrix& A, FormatKind wanted = FormatKind::automatic, Slicing slicing = {}) {
    const std::vector<double> scale(static_cast<std::size_t>(A.rows), 1.0);
    return choose_format({A, scale, slicing}, wanted);
}

/// Each texel of rows couples to another texel of columns, anywhere.
CsrMatrix shifted_rows(Index n) {
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; ++i) {
        const Index j = static_cast<Index>(i / 4 * 7919LL % (n / 4)) * 4 + i % 4;
        entries.push_back({i, i, 9.0});
        if (j != i) entries.push_back({i, j, -0.1});
    }
    return csr_from_triplets(n, n, entries);
}

}  // namespace

TEST_CASE("the format follows the structure, and says why", "[core]") {
    const FormatChoice grid = choose(poisson2d(30));
    CHECK(grid.format == FormatKind::dia);
    CHECK_THAT(grid.reason, ContainsSubstring("dia: 5 diagonals") && ContainsSubstring("% full")
                                && ContainsSubstring("1 pass") && ContainsSubstring("MB") && ContainsSubstring("ell "));
    CHECK(grid.predictions.size() == format_table.size());
    CHECK_THAT(grid.reason, ContainsSubstring("each of one number"));
    CHECK(choose(poisson2d(30), FormatKind::ell).format == FormatKind::ell);
    CHECK_THAT(choose(poisson2d(30), FormatKind::ell).reason, ContainsSubstring("asked for"));

    // Rows without structure, of different lengths: slots would be padding.
    CHECK(choose(random_spd(500, 4000)).format == FormatKind::csr);
    std::vector<Triplet> uneven;
    for (Index i = 0; i < 4000; ++i) {
        for (Index k = 0; k < (i % 400 == 7 ? 60 : 5); ++k) uneven.push_back({i, (i * 131 + k * k * 977) % 4000, 1.0});
    }
    CHECK(choose(csr_from_triplets(4000, 4000, uneven)).format != FormatKind::ell);
    // Rows of four that use the same columns, up and down by one: runs, but on too many diagonals for DIA.
    const FormatChoice shifted = choose(shifted_rows(4000));
    CHECK(shifted.format == FormatKind::runs);
    CHECK_THAT(shifted.reason, ContainsSubstring("everywhere"));

    // An arrowhead has few texel reads by diagonals, but more diagonals than a device takes.
    std::vector<Triplet> arrow;
    for (Index i = 0; i < 5000; ++i) {
        arrow.insert(arrow.end(), {{i, i, 5.0}, {0, i, 1e-3}, {i, 0, 1e-3}});
    }
    const FormatChoice arrowhead = choose(csr_from_triplets(5000, 5000, arrow));
    CHECK((arrowhead.format == FormatKind::csr || arrowhead.format == FormatKind::bcsr));
    CHECK_THAT(arrowhead.reason, ContainsSubstring("dia impossible"));
    CHECK_NOTHROW(choose(CsrMatrix{}));
    CHECK_THROWS_AS(choose(poisson2d(4), FormatKind::sell, {.height = 6}), InvalidInput);
    CHECK_THROWS_AS(choose(poisson2d(4), FormatKind::runs, {.height = 2}), InvalidInput);
}

TEST_CASE("scaling is by powers of two and brings the diagonal near one", "[core]") {
    std::vector<Triplet> entries{{0, 0, 1e-30}, {1, 1, 5e+17}, {2, 2, -3.0}, {3, 2, 1e6}, {3, 3, 0.0}};
    const CsrMatrix A = csr_from_triplets(4, 4, entries);
    const auto s = choose_scaling(A, ScalingRule::always);
    for (const double each : s) {
        int exponent = 0;
        CHECK(std::frexp(each, &exponent) == 0.5);
    }
    for (std::size_t i = 0; i < 3; ++i) {
        const double d = std::abs(s[i] * diagonal(A)[i] * s[i]);
        CHECK(d >= 0.35);
        CHECK(d <= 2.9);
    }
    CHECK(choose_scaling(poisson2d(3), ScalingRule::where_needed) == std::vector<double>(9, 1.0));
    CHECK(choose_scaling(A, ScalingRule::where_needed) == s);
    CHECK(infinity_norm(poisson2d(3), std::vector<double>(9, 1.0)) == 8);
}

TEST_CASE("scaling to one makes the diagonal 1 or -1", "[core]") {
    std::vector<Triplet> entries{{0, 0, 1e-30}, {1, 1, 5e+17}, {2, 2, -3.0}, {3, 2, 1e6}, {3, 3, 0.0}};
    const CsrMatrix A = csr_from_triplets(4, 4, entries);
    const auto s = choose_scaling(A, ScalingRule::to_one);
    for (std::size_t i = 0; i < 3; ++i) CHECK(std::abs(s[i] * diagonal(A)[i] * s[i]) == Approx(1).epsilon(1e-14));
    CHECK(s[3] * 1e6 * s[3] == Approx(1).epsilon(1e-14));  // a zero counts as the largest entry of its row
    // Where all are alike a power of two does as well.
    const auto alike =
        choose_scaling(csr_from_triplets(2, 2, std::vector<Triplet>{{0, 0, -2.5}, {1, 1, 2.5}}), ScalingRule::to_one);
    CHECK(alike == std::vector<double>(2, 1.0));
}

TEST_CASE("scaling all rows alike, by largest entries, and of matrices of zeros", "[core]") {
    const CsrMatrix A = csr_from_triplets(
        3, 3, std::vector<Triplet>{{0, 0, 1e-3}, {0, 1, 64.0}, {1, 1, -16.0}, {1, 2, 1e12}, {2, 2, 0.0}});
    CHECK(choose_scaling(A, ScalingRule::alike) == std::vector<double>(3, 0.25));
    const auto largest = choose_scaling(A, ScalingRule::by_largest);  // 64, 1e12, none: that is far from one
    CHECK(largest == std::vector<double>{0.125, std::exp2(-20), 1.0});
    const CsrMatrix zeros = csr_from_triplets(2, 2, std::vector<Triplet>{{0, 0, 0.0}, {1, 1, 0.0}});
    for (const ScalingRule rule : {ScalingRule::always, ScalingRule::where_needed, ScalingRule::to_one,
                                   ScalingRule::alike, ScalingRule::by_largest}) {
        CHECK(choose_scaling(zeros, rule) == std::vector<double>(2, 1.0));
    }
}

TEST_CASE("generated systems are what they say", "[core]") {
    const CsrMatrix p2 = poisson2d(7), p3 = poisson3d(4), a = anisotropic(6, 0.25), r = random_spd(100, 900);
    for (const CsrMatrix* A : {&p2, &p3, &a, &r}) {
        CHECK_NOTHROW(check(*A));
        CHECK(asymmetry(*A) == 0);
        for (const double d : diagonal(*A)) CHECK(d > 0);
    }
    CHECK(p2.nonzeros() == 5 * 49 - 4 * 7);
    CHECK(p3.nonzeros() == 7 * 64 - 6 * 16);
    CHECK(diagonal(a)[0] == 2.5);
    CHECK(r.nonzeros() <= 900);
    CHECK(r.nonzeros() > 800);
    CHECK(random_spd(100, 900).value == r.value);
    const auto x = known_answer(1000);
    for (const double v : x) CHECK((v >= 0.5 && v <= 1.5));
    CHECK_THROWS_AS(poisson2d(0), InvalidInput);
    CHECK_THROWS_AS(poisson2d(50'000), InvalidInput);
    CHECK_THROWS_AS(anisotropic(3, 0), InvalidInput);
    CHECK_THROWS_AS(random_spd(10, 9), InvalidInput);
    CHECK_THROWS_AS(random_spd(10, 101), InvalidInput);
}

TEST_CASE("norms of corrections neither over- nor underflow", "[core]") {
    const CsrMatrix A = poisson2d(10);
    const std::vector<double> scale(100, 1.0), tiny(100, 1e-160), small(100, 1e-300);
    std::vector<double> ones(100, 1.0);
    TrueResidual truth(A, RowFactors(scale), tiny, ones, 1e-8, 0);
    truth.recompute();
    CHECK(truth.norm() == Approx(std::sqrt(32 * 1.0 + 4 * 4.0)));  // corners lack two neighbours, edges one
    CHECK(std::isfinite(truth.scaled_norm()));
    CHECK(truth.floor() > 0);
    std::vector<double> zeros(100, 0.0);
    TrueResidual faint(A, RowFactors(scale), small, zeros, 1e-8, 0);
    faint.recompute();
    CHECK(faint.norm() == Approx(1e-299));
    CHECK(faint.scaled_norm() == Approx(1e-299));
}

TEST_CASE("a correction knows the true residual, the floor of rounding, and the best answer", "[core]") {
    const CsrMatrix A = poisson2d(6);
    const auto known = known_answer(36);
    std::vector<double> b(36), x(36, 0.0);
    multiply(A, known, b);
    const std::vector<double> scale(36, 0.5);
    TrueResidual truth(A, RowFactors(scale), b, x, 1e-8, 0);
    truth.recompute();
    CHECK(truth.relative() == Approx(1));
    CHECK(truth.scaled_norm() == Approx(0.5 * truth.norm()));
    const double s = truth.unit_scale();
    CHECK(s * truth.scaled_norm() >= 0.5);
    CHECK(s * truth.scaled_norm() < 1);
    std::vector<float> r(36);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = static_cast<float>(truth.scaled_residual(s, i));
    CHECK(truth.drift(s, r) < 1e-7);
    CHECK(truth.curvature(r) > 0);

    // The answer, found "on the device": y with S y / s = x*.
    std::vector<float> y(36);
    for (std::size_t i = 0; i < 36; ++i) y[i] = static_cast<float>(known[i] * s / 0.5);
    truth.add(y, s);
    truth.recompute();
    CHECK(truth.relative() < 1e-6);
    const double good = truth.relative();
    truth.add(y, s);  // a step too far
    truth.recompute();
    CHECK(truth.relative() > 0.5);
    truth.restore_best();
    CHECK(truth.relative() == good);
    CHECK(truth.floor() > 0);
    CHECK(truth.floor() < 1e-14 * truth.norm_b());
}

TEST_CASE("hybrid formats: how many nonzeros of a row stay in ELL", "[core][formats]") {
    // Figure 4 of Cheng (2018): five rows, of which the first columns hold 5, 1, 1 and 1 nonzeros; K = 2.
    CHECK(paper_ell_width({5, 1, 1, 1}, 5) == 2);
    CHECK(paper_ell_width({5, 5, 5}, 5) == 3);
    CHECK(paper_ell_width({1}, 5) == 1);
    CHECK(paper_ell_width({}, 5) == 0);
    CHECK(cheapest_ell_width({5, 4, 1}, 5, 1, 1.5) == 2);
    CHECK(cheapest_ell_width({5, 4, 1}, 5, 1, 10) == 3);
    CHECK(cheapest_ell_width({1, 1}, 5, 1, 1.5) == 0);
    const std::vector<Triplet> entries{{0, 0, 1}, {0, 1, 1}, {0, 3, 1}, {1, 0, 1}, {2, 2, 1}};
    const CsrMatrix A = csr_from_triplets(4, 4, entries);
    CHECK(rows_with(A) == std::vector<Index>{2, 1});
}

TEST_CASE("columns of 16 bits behind the last entry name a column that exists", "[core][formats]") {
    const CsrMatrix A = poisson2d(5);
    const std::vector<double> ones(static_cast<std::size_t>(A.rows), 1.0);
    FormatInput in{.A = A, .scale = ones};
    in.short_columns = true;
    const EntryTexels made = lay_out_entries(in, std::vector<EntryRange>{{0, 0, 3}, {1, 3, 6}}, 0);
    REQUIRE(made.short_columns);
    for (const std::int32_t both : made.columns) {
        for (const int half : {both & 0xffff, both >> 16 & 0xffff}) {
            const int column = static_cast<std::int16_t>(half) + middle_of_short_columns;
            CHECK(column >= 0);
            CHECK(column < A.columns);
        }
    }
}

TEST_CASE("reverse Cuthill-McKee brings nonzeros near the diagonal", "[core]") {
    // A path, numbered at random, and a point by itself.
    const Index n = 40;
    std::vector<Index> place(static_cast<std::size_t>(n));
    std::iota(place.begin(), place.end(), 0);
    std::shuffle(place.begin(), place.end(), std::mt19937(5));
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; ++i) entries.push_back({i, i, 2});
    for (std::size_t i = 0; i + 2 < place.size(); ++i) {
        entries.push_back({place[i], place[i + 1], -1});  // not symmetric: A + A^T counts
    }
    const CsrMatrix A = csr_from_triplets(n, n, entries);
    const std::vector<Index> order = reverse_cuthill_mckee(A);
    std::vector<Index> sorted = order;
    std::ranges::sort(sorted);
    for (Index i = 0; i < n; ++i) REQUIRE(sorted[static_cast<std::size_t>(i)] == i);
    CHECK(bandwidth(permute(A, order)) == 1);
    CHECK(bandwidth(A) > 1);
    CHECK(reverse_cuthill_mckee(CsrMatrix{}).empty());
    CHECK(bandwidth(permute(poisson2d(12), reverse_cuthill_mckee(poisson2d(12)))) <= 12);

    const FormatChoice moved = predict_format(A, {.reorder = Reordering::rcm});
    CHECK_THAT(moved.reason, ContainsSubstring("rows reordered by rcm, bandwidth") && ContainsSubstring("-> 1;"));
    CHECK(moved.format == FormatKind::dia);
}

TEST_CASE("each nonzero is in one part of a format, and zeros are no nonzeros", "[core]") {
    const CsrMatrix A =
        GENERATE(poisson2d(7), elasticity(2, 1, 2).A, graph_laplacian(60, 6, Degrees::power_law), shifted_rows(40));
    for (const FormatKind format : all_formats()) {
        CAPTURE(name(format));
        std::set<std::pair<Index, Index>> nonzeros, found;
        for (Index i = 0; i < A.rows; ++i) {
            nonzeros.insert({i, i});
            for (Offset k = A.offsets[static_cast<std::size_t>(i)]; k < A.offsets[static_cast<std::size_t>(i) + 1]; ++k)
                nonzeros.insert({i, A.column[static_cast<std::size_t>(k)]});
        }
        std::size_t count = 0;
        for (const StoredNumber& number : parts_of_format(A, format)) {
            const std::pair place{number.row, number.column};
            if (number.part == "zeros") {
                CHECK(nonzeros.count(place) == 0);
            } else {
                found.insert(place);
                ++count;
            }
        }
        CHECK(found == nonzeros);
        CHECK(count == nonzeros.size());
    }
}

}  // namespace tests_of_formats
