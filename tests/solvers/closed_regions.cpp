// Singular matrices of several closed regions, as pockets of fluid are: x is determined but for a constant in each.
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>
#include <numeric>
#include <random>

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"
#include "support/words.hpp"

namespace tests_of_closed_regions {

using namespace glsolve;
using namespace glsolve::test;

namespace {

struct Regions {
    std::vector<Index> sides;  ///< of squares
    bool permuted = false;     ///< rows and columns in random order
    double range = 1;          ///< couplings are 1 to so much
    bool scaled_rows = false;  ///< by 0.5 to 2: not symmetric, and left null vectors are others than right ones
};

/// Squares between closed walls, none of which is coupled with another.
CsrMatrix closed_regions(const Regions& regions) {
    Index n = 0;
    for (const Index side : regions.sides) n += side * side;
    std::vector<Index> number(static_cast<std::size_t>(n));
    std::iota(number.begin(), number.end(), 0);
    std::mt19937 random(3);
    if (regions.permuted) std::shuffle(number.begin(), number.end(), random);
    std::uniform_real_distribution<double> unit(0, 1);
    std::vector<double> row(number.size(), 1.0);
    if (regions.scaled_rows) {
        for (double& factor : row) factor = 0.5 + 1.5 * unit(random);
    }
    std::vector<Triplet> entries;
    const auto couple = [&](Index i, Index j) {
        const double k = std::pow(regions.range, unit(random));
        const Index a = number[static_cast<std::size_t>(i)], b = number[static_cast<std::size_t>(j)];
        const double of_a = k * row[static_cast<std::size_t>(a)], of_b = k * row[static_cast<std::size_t>(b)];
        entries.insert(entries.end(), {{a, a, of_a}, {a, b, -of_a}, {b, b, of_b}, {b, a, -of_b}});
    };
    Index first = 0;
    for (const Index side : regions.sides) {
        for (Index y = 0; y < side; ++y) {
            for (Index x = 0; x < side; ++x) {
                const Index at = first + y * side + x;
                if (x + 1 < side) couple(at, at + 1);
                if (y + 1 < side) couple(at, at + side);
            }
        }
        first += side * side;
    }
    return csr_from_triplets(n, n, entries);
}

/// For a b in the range of A; the true residual is checked from outside.
void check_solved(const CsrMatrix& A, Options options, std::int64_t iterations) {
    options.preconditioner = PreconditionerKind::amg;
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    const Report report = solve(device_under_test(), A, b, x, options);
    CAPTURE(name(options.method), name(options.amg.coarsening), report.reason, report.remarks, report.iterations);
    CHECK(report.converged());
    CHECK(report.iterations <= iterations);
    CHECK(true_residual(A, x, b) <= options.tolerance * (1 + 1e-6));
}

}  // namespace

TEST_CASE("amg solves several closed regions, by every coarsening and every method that takes it",
          "[solvers][amg][regions]") {
    const std::vector<Index> sides = is_slow() ? std::vector<Index>{5, 4} : std::vector<Index>{14, 9, 20};
    std::vector<Method> methods{Method::cg};
    std::vector<Coarsening> coarsenings{Coarsening::smoothed_aggregation};
    if (!is_slow()) {
        methods = {Method::cg,       Method::pipelined_cg, Method::gmres, Method::fgmres,
                   Method::bicgstab, Method::bicgstab2,    Method::idr,   Method::chebyshev};
        coarsenings = all_coarsenings();
    }
    for (const Regions& regions : {Regions{sides}, Regions{sides, true}, Regions{sides, true, 1e3}}) {
        CAPTURE(regions.permuted, regions.range);
        const CsrMatrix A = closed_regions(regions);
        for (const Method method : methods) {
            for (const Coarsening coarsening : coarsenings) {
                check_solved(A, {.method = method, .amg = {.coarsening = coarsening, .coarsest = is_slow() ? 10 : 60}},
                             80);
            }
        }
    }
}

TEST_CASE("amg solves closed regions whose left null vectors differ from the right ones", "[solvers][amg][regions]") {
    if (is_slow()) return;
    const CsrMatrix A = closed_regions({.sides = {14, 9, 20}, .scaled_rows = true});
    for (const Method method : {Method::gmres, Method::bicgstab}) {
        for (const Coarsening coarsening : all_coarsenings()) {
            check_solved(A, {.method = method, .amg = {.coarsening = coarsening, .coarsest = 60}}, 80);
        }
    }
}

}  // namespace tests_of_closed_regions
