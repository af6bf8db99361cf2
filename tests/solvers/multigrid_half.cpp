// Levels and interpolation in half precision: the cycle stays what it was, symmetry included; what is harmed stays in
// single precision, and reports say which is which.
#include <algorithm>
#include <cmath>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>

#include "base/half.hpp"
#include "base/random.hpp"
#include "multigrid/half_precision.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_multigrid_half {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// 5-point, with random coefficients of the sizes 1 to `contrast` between neighbours; nothing else holds the inside.
CsrMatrix random_couplings(Index n, double contrast) {
    Random random(4);
    std::vector<Triplet> entries;
    std::vector<double> diagonal(static_cast<std::size_t>(n * n), 0.0);
    const auto coupling = [&] { return std::pow(contrast, random.uniform()); };
    const auto couple = [&](Index i, Index j) {
        const double a = coupling();
        entries.push_back({i, j, -a});
        entries.push_back({j, i, -a});
        diagonal[static_cast<std::size_t>(i)] += a;
        diagonal[static_cast<std::size_t>(j)] += a;
    };
    for (Index y = 0; y < n; ++y) {
        for (Index x = 0; x < n; ++x) {
            const Index i = y * n + x;
            if (x + 1 < n) couple(i, i + 1);
            if (y + 1 < n) couple(i, i + n);
            if (x == 0) diagonal[static_cast<std::size_t>(i)] += coupling();
        }
    }
    for (Index i = 0; i < n * n; ++i) entries.push_back({i, i, diagonal[static_cast<std::size_t>(i)]});
    return csr_from_triplets(n * n, n * n, entries);
}

struct Solved {
    Report report;
    std::vector<LevelReport> levels;
    std::int64_t bytes = 0;  // on the device, nothing spare among them
};

Solved solve_with(const CsrMatrix& A, Options options, bool halves) {
    options.preconditioner = PreconditionerKind::amg;
    options.amg.coarsest = 20;
    options.amg.half_floats = halves;
    Solver solver(device_under_test(), A, options);
    std::vector<double> x(static_cast<std::size_t>(A.rows), 0.0);
    const std::vector<double> b = matching_right_hand_side(A);
    Solved made{solver.solve(b, x), solver.hierarchy().levels};
    CAPTURE(made.report.reason);
    REQUIRE(made.report.converged());
    CHECK(true_residual(A, x, b) <= options.tolerance * (1 + 1e-6));
    backend_under_test().trim();
    made.bytes = backend_under_test().counters().bytes;
    return made;
}

/// How many levels have their matrix in half precision, and how many the way to the next one.
std::array<int, 2> in_halves(const std::vector<LevelReport>& levels) {
    std::array<int, 2> count{};
    for (const LevelReport& level : levels) {
        count[0] += level.stored.find(", half") != std::string::npos ? 1 : 0;
        count[1] += level.stored.find("transfer half") != std::string::npos ? 1 : 0;
    }
    return count;
}

}  // namespace

TEST_CASE("half precision saves memory and costs no iterations", "[solvers][amg][half]") {
    const CsrMatrix A = random_couplings(is_slow() ? 14 : 60, 10);
    const Coarsening coarsening =
        GENERATE(Coarsening::smoothed_aggregation, Coarsening::ruge_stueben, Coarsening::pmis);
    const MultigridCycle cycle = GENERATE(MultigridCycle::v, MultigridCycle::k);
    if (is_slow() && cycle == MultigridCycle::k) return;
    CAPTURE(name(coarsening), name(cycle));
    const Options options{.amg = {.coarsening = coarsening, .cycle = cycle}};
    const Solved with = solve_with(A, options, true), without = solve_with(A, options, false);
    CHECK(std::abs(with.report.iterations - without.report.iterations) <= 1);
    CHECK(with.bytes < without.bytes);
    const auto [matrices, transfers] = in_halves(with.levels);
    CHECK(matrices > 0);
    CHECK(transfers > 0);
    CHECK(in_halves(without.levels) == std::array{0, 0});
    REQUIRE(with.levels.size() == without.levels.size());
    CHECK_THAT(with.levels.front().stored, Equals("transfer half"));
    CHECK_THAT(with.levels.back().stored, Equals(without.levels.back().stored));  // an inverse stands for it
}

TEST_CASE("where rounding would harm the cycle numbers stay in single precision", "[solvers][amg][half]") {
    if (is_slow()) return;
    const CsrMatrix A = jumping_coefficients(100, 1e6);
    const Options options{.amg = {.coarsening = Coarsening::pmis}};
    const Solved with = solve_with(A, options, true), without = solve_with(A, options, false);
    CHECK(with.report.iterations <= without.report.iterations + 1);
    REQUIRE(with.levels.size() > 2);
    CHECK_THAT(with.levels[1].stored, !ContainsSubstring("half"));
}

TEST_CASE("rounded interpolation is near the exact one, and keeps the near-null space", "[core][amg][half]") {
    Random random(8);
    const Index fine = 200, coarse = 40;
    std::vector<Triplet> entries;
    for (Index i = 0; i < fine; ++i) {
        std::array<double, 4> part{};
        double sum = 0;
        for (double& p : part) sum += p = random.uniform() + 0.05;
        for (Index k = 0; k < 4; ++k) {
            entries.push_back({i, (i / 5 + 7 * k) % coarse, part[static_cast<std::size_t>(k)] / sum});
        }
    }
    const CsrMatrix P = csr_from_triplets(fine, coarse, entries);
    std::vector<double> rows(static_cast<std::size_t>(fine)), columns(static_cast<std::size_t>(coarse));
    for (double& s : rows) s = std::ldexp(1.0, static_cast<int>(random.uniform() * 8) - 4);
    for (double& s : columns) s = std::ldexp(1.0, static_cast<int>(random.uniform() * 8) - 4);
    const TransferInput in{P, rows, columns};
    const std::vector<double> ones(static_cast<std::size_t>(coarse), 1.0);
    const std::vector<double> made = rounded_numbers(in, {.energy = 1, .u = {ones, ones}});
    double carried = 0, nearest = 0;
    for (Index i = 0; i < fine; ++i) {
        double sum = 0, of_nearest = 0;
        const double largest = *std::max_element(P.value.begin() + P.offsets[i], P.value.begin() + P.offsets[i + 1]);
        for (Offset k = P.offsets[i]; k < P.offsets[i + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            const double factor = rows[static_cast<std::size_t>(i)] * columns[static_cast<std::size_t>(P.column[e])];
            const double half = made[e] * factor;
            REQUIRE(half == static_cast<double>(rounded_to_half(static_cast<float>(half))));
            REQUIRE(std::abs(made[e] - P.value[e]) <= 0x1p-9 * largest);
            sum += made[e];
            of_nearest += static_cast<double>(rounded_to_half(static_cast<float>(P.value[e] * factor))) / factor;
        }
        carried = std::max(carried, std::abs(sum - 1));
        nearest = std::max(nearest, std::abs(of_nearest - 1));
    }
    CAPTURE(carried, nearest);
    CsrMatrix rounded = P;
    rounded.value = made;
    CHECK(transposed_numbers(P, made, transpose(P)) == transpose(rounded).value);
    CHECK(nearest > 1e-4);
    CHECK(carried <= nearest / 10);
}

}  // namespace tests_of_multigrid_half
