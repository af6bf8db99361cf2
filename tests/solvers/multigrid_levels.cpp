// Levels by their size: where a hierarchy ends, and which levels the host works on.
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/grid.hpp>
#include <glsolve/solver.hpp>

#include "base/random.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_multigrid_levels {

using namespace glsolve;
using namespace glsolve::test;

namespace {

struct Solved {
    Report report;
    HierarchyReport hierarchy;
    std::vector<double> x;
};

/// For b = A x* with random x*, in single precision.
Solved solve_with(const CsrMatrix& A, Options options) {
    options.preconditioner = PreconditionerKind::amg;
    options.precision = Precision::single;
    Solver solver(device_under_test(), A, options);
    Solved made{{}, solver.hierarchy(), std::vector<double>(static_cast<std::size_t>(A.rows), 0.0)};
    const std::vector<double> b = matching_right_hand_side(A);
    made.report = solver.solve(b, made.x);
    if (made.report.converged()) CHECK(true_residual(A, made.x, b) <= options.tolerance * (1 + 1e-6));
    return made;
}

/// |x - y| / |y|, of largest components
double distance(const std::vector<double>& x, const std::vector<double>& y) {
    double most = 0, size = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
        most = std::max(most, std::abs(x[i] - y[i]));
        size = std::max(size, std::abs(y[i]));
    }
    return most / size;
}

struct Case {
    std::string name;
    CsrMatrix A;
    Options options;
};

/// Levels that are grids and such that are not, with several unknowns a point, singular and not symmetric.
std::vector<Case> cases() {
    const Index n = is_slow() ? 12 : 36;
    const ElasticBody body = is_slow() ? elasticity(3, 2, 2) : elasticity(6, 4, 3);
    const auto options = [](Coarsening coarsening, Index coarsest) {
        return Options{.amg = {.coarsening = coarsening, .coarsest = coarsest}};
    };
    std::vector<Case> made{
        {"grid", poisson2d(n), options(Coarsening::smoothed_aggregation, 20)},
        {"plain aggregation", poisson2d(n), options(Coarsening::aggregation, 20)},
        {"elastic body", body.A, options(Coarsening::smoothed_aggregation, 30)},
        {"graph", graph_laplacian(is_slow() ? 100 : 600, 5), options(Coarsening::smoothed_aggregation, 10)},
        {"ruge-stueben", jumping_coefficients(n, 1e3), options(Coarsening::ruge_stueben, 30)},
        {"flow", convection_diffusion(n), options(Coarsening::pmis, 30)},
    };
    made[2].options.amg.near_null_space = rigid_body_modes(body.coordinates, 3);
    made[2].options.amg.near_null_vectors = 6;
    made[2].options.amg.unknowns_a_point = 3;
    made[3].options.tolerance = 1e-6;
    made[5].options.method = Method::gmres;
    return made;
}

}  // namespace

TEST_CASE("a hierarchy ends with the first level of few rows", "[solvers][amg]") {
    if (is_slow()) return;
    const Index coarsest = GENERATE(0, 77);
    const Index limit = coarsest > 0 ? coarsest : 400;
    Case small;
    small.options.amg.coarsest = coarsest;
    const HierarchyReport hierarchy = solve_with(poisson2d(64), small.options).hierarchy;
    CAPTURE(hierarchy.coarsest);
    REQUIRE(hierarchy.levels.size() > 1);
    CHECK(hierarchy.levels.back().rows <= limit);
    CHECK(hierarchy.levels[hierarchy.levels.size() - 2].rows > limit);
}

TEST_CASE("levels on the host make the same cycle", "[solvers][amg]") {
    const std::vector<Case> all = cases();
    const Case& chosen = all[GENERATE_COPY(range<std::size_t>(0, all.size()))];
    const MultigridCycle cycle = GENERATE(MultigridCycle::v, MultigridCycle::w, MultigridCycle::k);
    if (is_slow() && cycle == MultigridCycle::w) return;
    if (cycle == MultigridCycle::k && chosen.options.method == Method::gmres) return;
    CAPTURE(chosen.name, name(cycle));
    Options options = chosen.options, three = options;
    options.amg.cycle = three.amg.cycle = cycle;
    three.fixed_iterations = 3;
    const Solved device = solve_with(chosen.A, options), begun = solve_with(chosen.A, three);
    REQUIRE(device.report.converged());
    const std::vector<LevelReport>& levels = device.hierarchy.levels;
    REQUIRE(levels.size() > (is_slow() ? 1 : 2));
    for (const LevelReport& level : levels) CHECK_FALSE(level.on_host);

    // All levels but the finest, and the last one only.
    for (const Index rows : {chosen.A.rows, levels.back().rows}) {
        CAPTURE(rows);
        options.amg.host_rows = three.amg.host_rows = rows;
        const Solved host = solve_with(chosen.A, options);
        REQUIRE(host.hierarchy.levels.size() == levels.size());
        for (std::size_t k = 0; k < levels.size(); ++k) {
            CHECK(host.hierarchy.levels[k].rows == levels[k].rows);
            CHECK(host.hierarchy.levels[k].on_host == (k > 0 && levels[k].rows <= rows));
        }
        CHECK(host.report.converged());
        CHECK(std::abs(host.report.iterations - device.report.iterations) <= 1);
        const double moved = distance(solve_with(chosen.A, three).x, begun.x);
        if (device_under_test().info().backend == BackendKind::host) {
            CHECK(moved == 0);  // the same arithmetic in the same order
        } else {
            CHECK(moved < 1e-3);
        }
    }
}

TEST_CASE("levels on the host read a right-hand side back in each cycle, and allocate nothing", "[solvers][amg]") {
    const CsrMatrix A = poisson2d(is_slow() ? 10 : 30);
    const auto reads = [&](std::int64_t iterations, Index host_rows) {
        const Options options{.amg = {.coarsest = 20, .host_rows = host_rows}, .fixed_iterations = iterations};
        return solve_with(A, options).report.reads;
    };
    CHECK(reads(9, A.rows) == reads(3, A.rows) + 6);
    CHECK(reads(9, 1) == reads(3, 1));

    Solver solver(device_under_test(), A,
                  {.preconditioner = PreconditionerKind::amg, .amg = {.coarsest = 20, .host_rows = A.rows}});
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0), again(b.size(), 0.0);
    CHECK(solver.solve(b, x).converged());
    const std::uint64_t allocations = backend_under_test().counters().allocations;
    CHECK(solver.solve(b, again).converged());
    CHECK(backend_under_test().counters().allocations == allocations);
    CHECK(x == again);
}

TEST_CASE("levels on the host take new numbers", "[solvers][amg]") {
    const Index n = is_slow() ? 10 : 30;
    const CsrMatrix A = jumping_coefficients(n, 10), other = jumping_coefficients(n, 1e3);
    const std::vector<double> b = matching_right_hand_side(other);
    const auto iterations = [&](Index host_rows) {
        Solver solver(device_under_test(), A,
                      {.preconditioner = PreconditionerKind::amg,
                       .precision = Precision::single,
                       .amg = {.coarsest = 20, .host_rows = host_rows}});
        solver.update_values(other.value);
        for (std::size_t k = 0; k < solver.hierarchy().levels.size(); ++k) {
            CHECK(solver.hierarchy().levels[k].on_host == (k > 0 && host_rows > 0));
        }
        std::vector<double> x(b.size(), 0.0);
        const Report report = solver.solve(b, x);
        CHECK(report.converged());
        CHECK(true_residual(other, x, b) <= 1e-8 * (1 + 1e-6));
        return report.iterations;
    };
    CHECK(std::abs(iterations(A.rows) - iterations(0)) <= 1);
}

TEST_CASE("levels that the host cannot have are said to be elsewhere, or refused", "[solvers][amg]") {
    const CsrMatrix A = poisson2d(12);
    const Solved few = solve_with(A, {.amg = {.coarsest = 20, .host_rows = 1}});
    for (const LevelReport& level : few.hierarchy.levels) CHECK_FALSE(level.on_host);
    CHECK_THAT(few.hierarchy.coarsest, ContainsSubstring("no level is on the host"));
    const Solved one = solve_with(A, {.amg = {.coarsest = 200, .host_rows = 200}});
    REQUIRE(one.hierarchy.levels.size() == 1);
    CHECK_FALSE(one.hierarchy.levels[0].on_host);
    const Solved all = solve_with(A, {.amg = {.coarsest = 20, .host_rows = 200}});
    CHECK_THAT(all.hierarchy.coarsest, ContainsSubstring("the host works on the levels from 1 on"));

    CHECK_THROWS_AS(solve_with(A, {.amg = {.host_rows = -1}}), InvalidInput);
    const Options geometric{.preconditioner = PreconditionerKind::multigrid, .amg = {.host_rows = 100}};
    CHECK_THROWS_WITH(Solver(device_under_test(), A, geometric), ContainsSubstring("host_rows"));
    CHECK_THROWS_WITH(GridSolver(device_under_test(), {.width = 8, .height = 8}, geometric),
                      ContainsSubstring("host_rows"));
}

}  // namespace tests_of_multigrid_levels
