// Algebraic multigrid: does it converge where it should, with whatever is chosen?
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"
#include "support/words.hpp"

namespace tests_of_multigrid {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// For b = A x* with random x*; the true residual is checked from outside.
Report run(const CsrMatrix& A, Options options) {
    options.preconditioner = PreconditionerKind::amg;
    std::vector<double> x(static_cast<std::size_t>(A.rows), 0.0);
    const std::vector<double> b = matching_right_hand_side(A);
    Report report = solve(device_under_test(), A, b, x, options);
    CAPTURE(report.reason);
    if (report.converged()) CHECK(true_residual(A, x, b) <= options.tolerance * (1 + 1e-6));
    return report;
}

/// Converges within so many iterations.
void check_within(std::int64_t iterations, const CsrMatrix& A, const Options& options) {
    const Report report = run(A, options);
    CAPTURE(report.reason, report.iterations);
    CHECK(report.converged());
    CHECK(report.iterations <= iterations);
}

AmgOptions coarsest(Index rows, AmgOptions options = {}) {
    options.coarsest = rows;
    return options;
}

const Index side = 40;

}  // namespace

TEST_CASE("every coarsening with every cycle and smoother solves Poisson's problem", "[solvers][amg]") {
    const CsrMatrix A = poisson2d(is_slow() ? 12 : side);
    for (const Coarsening coarsening : all_coarsenings()) {
        for (const MultigridCycle cycle : all_multigrid_cycles()) {
            for (const MultigridSmoother smoother : all_multigrid_smoothers()) {
                const bool aggregates =
                    coarsening == Coarsening::smoothed_aggregation || coarsening == Coarsening::aggregation;
                if (smoother == MultigridSmoother::automatic) continue;  // one of the others
                if (aggregates && smoother == MultigridSmoother::cf_jacobi) continue;
                if (is_slow() && (cycle != MultigridCycle::v || coarsening == Coarsening::pmis)) continue;
                CAPTURE(name(coarsening), name(cycle), name(smoother));
                const AmgOptions amg{
                    .coarsening = coarsening, .cycle = cycle, .smoother = smoother, .coarsest = is_slow() ? 20 : 60};
                check_within(coarsening == Coarsening::aggregation ? 24 : 14, A, {.amg = amg});
            }
        }
    }
}

TEST_CASE("the number of iterations hardly grows with the grid", "[solvers][amg]") {
    if (is_slow()) return;
    const auto iterations = [](const CsrMatrix& A) { return run(A, {.amg = coarsest(60)}).iterations; };
    const std::int64_t plane = iterations(poisson2d(40)), space = iterations(poisson3d(12)),
                       lines = iterations(anisotropic(40, 1e-3));
    CHECK(plane <= 10);
    CHECK(iterations(poisson2d(160)) <= plane + 2);
    CHECK(iterations(poisson3d(40)) <= space + 3);
    CHECK(iterations(anisotropic(160, 1e-3)) <= lines + 2);
}

TEST_CASE("hard problems converge within forty iterations", "[solvers][amg]") {
    const Index N = is_slow() ? 12 : side;
    const AmgOptions classical = coarsest(60, {.coarsening = Coarsening::ruge_stueben});
    check_within(40, anisotropic(N, 1e-3), {.amg = classical});
    check_within(40, anisotropic(N, 1e-3), {.amg = coarsest(60)});
    check_within(40, jumping_coefficients(N, 1e6), {.amg = coarsest(60)});
    check_within(40, jumping_coefficients(N, 1e6), {.amg = classical});
    check_within(60, jumping_coefficients(N, 1e6, Coefficients::cells), {.amg = classical});
    const CsrMatrix flow = convection_diffusion(N, {.diffusion = 0.01});  // Peclet 100
    check_within(40, flow, {.method = Method::gmres, .amg = classical});
    check_within(80, flow, {.method = Method::gmres, .amg = coarsest(60)});
}

TEST_CASE("where convection rules every coarsening takes fewer iterations than Jacobi, or says what does",
          "[solvers][amg]") {
    if (is_slow()) return;
    for (const bool recirculating : {false, true}) {
        const CsrMatrix flow = convection_diffusion(side, {.diffusion = 1e-6, .recirculating = recirculating});
        const std::vector<double> b = matching_right_hand_side(flow);
        std::vector<double> x(b.size(), 0.0);
        const Report jacobi = solve(device_under_test(), flow, b, x, {.method = Method::gmres});
        for (const Coarsening coarsening : all_coarsenings()) {
            CAPTURE(recirculating, name(coarsening));
            const Report amg = run(flow, {.method = Method::gmres, .amg = coarsest(60, {.coarsening = coarsening})});
            CAPTURE(amg.reason);
            CHECK(amg.converged());
            CHECK(2 * amg.iterations < jacobi.iterations);
        }
    }
    const AmgOptions unfit = coarsest(60, {.smoother = MultigridSmoother::chebyshev});
    const Report report = run(convection_diffusion(side, {.diffusion = 1e-6}), {.method = Method::gmres, .amg = unfit});
    CHECK(!report.converged());
    check_has(report.remarks, "l1-jacobi");
}

TEST_CASE("rigid-body modes make an elastic body converge", "[solvers][amg]") {
    const Index n = is_slow() ? 2 : 6;
    const ElasticBody body = elasticity(n, n, n);
    const AmgOptions with_modes{.coarsest = 100,
                                .near_null_space = rigid_body_modes(body.coordinates, 3),
                                .near_null_vectors = 6,
                                .unknowns_a_point = 3};
    check_within(40, body.A, {.amg = with_modes});
}

TEST_CASE("every Krylov method takes a cycle for its preconditioner", "[solvers][amg]") {
    const CsrMatrix A = poisson2d(is_slow() ? 10 : 30);
    for (const Method method : {Method::cg, Method::pipelined_cg, Method::bicgstab, Method::bicgstab2, Method::idr,
                                Method::gmres, Method::fgmres, Method::chebyshev, Method::richardson}) {
        if (is_slow() && method != Method::cg && method != Method::richardson) continue;
        CAPTURE(name(method));
        check_within(60, A, {.method = method, .amg = coarsest(30), .test_every = 4});
    }
}

TEST_CASE("a pure Neumann problem, whose coarsest level is singular, is solved", "[solvers][amg]") {
    const CsrMatrix A = graph_laplacian(is_slow() ? 60 : 400, 5);
    for (const Coarsening coarsening : {Coarsening::smoothed_aggregation, Coarsening::ruge_stueben}) {
        CAPTURE(name(coarsening));
        check_within(40, A, {.amg = coarsest(20, {.coarsening = coarsening}), .tolerance = 1e-6});
    }
}

TEST_CASE("an inverse that single precision cannot hold gives way to coarser levels", "[solvers][amg]") {
    // Fourth differences, a beam: the condition grows with the fourth power of the number of points.
    const Index n = is_slow() ? 80 : 200;
    std::vector<Triplet> beam;
    for (Index i = 0; i < n; ++i) {
        const std::vector<std::pair<Index, double>> row{{-2, 1}, {-1, -4}, {0, 6}, {1, -4}, {2, 1}};
        for (const auto& [step, a] : row) {
            if (i + step >= 0 && i + step < n) beam.push_back({i, i + step, a});
        }
    }
    const CsrMatrix A = csr_from_triplets(n, n, beam);
    Options options;
    options.preconditioner = PreconditionerKind::amg;
    Solver solver(device_under_test(), A, options);
    CHECK(solver.hierarchy().levels.size() > 1);
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    const Report report = solver.solve(b, x);
    CAPTURE(report.reason, solver.hierarchy().coarsest);
    CHECK(report.converged());
    CHECK(true_residual(A, x, b) <= options.tolerance * (1 + 1e-6));
    CHECK(report.iterations < n);
}

TEST_CASE("one level, no level and levels without an inverse are cycles too", "[solvers][amg]") {
    CHECK(run(CsrMatrix{}, {}).converged());
    check_within(2, csr_from_triplets(1, 1, std::vector<Triplet>{{0, 0, 2.5}}), {});
    if (is_slow()) return;
    for (const MultigridSmoother smoother : all_multigrid_smoothers()) {
        if (smoother == MultigridSmoother::automatic) continue;
        CAPTURE(name(smoother));
        const AmgOptions one{.coarsening = Coarsening::ruge_stueben, .smoother = smoother, .levels = 1};
        check_within(150, poisson2d(65), {.amg = one});
    }
}

TEST_CASE("cycles read nothing back", "[solvers][amg][every_driver]") {
    const CsrMatrix A = poisson2d(is_slow() ? 10 : 30);
    const auto reads = [&](std::int64_t iterations) {
        return run(A, {.preconditioner = PreconditionerKind::amg, .amg = coarsest(30), .fixed_iterations = iterations})
            .reads;
    };
    CHECK(reads(3) == reads(9));
}

TEST_CASE("what multigrid cannot take is refused in words", "[solvers][amg]") {
    const CsrMatrix zero_diagonal = csr_from_triplets(2, 2, std::vector<Triplet>{{0, 1, 1}, {1, 0, 1}, {1, 1, 1}});
    CHECK_THROWS_AS(run(zero_diagonal, {.method = Method::gmres}), InvalidInput);
    CHECK_THROWS_AS(run(poisson2d(4), {.amg = {.steps = -1}}), InvalidInput);
    CHECK_THROWS_AS(run(poisson2d(4), {.method = Method::direct}), InvalidInput);
    CHECK_THROWS_AS(run(poisson2d(4), {.method = Method::gmres, .amg = {.cycle = MultigridCycle::k}}), InvalidInput);
    const CsrMatrix flow = convection_diffusion(4);
    CHECK_THROWS_AS(run(flow, {.method = Method::fgmres, .amg = {.cycle = MultigridCycle::k}}), InvalidInput);
    CHECK_THROWS_AS(run(poisson2d(4), {.slicing = {.sort_window = 8}, .amg = {.unknowns_a_point = 2}}), InvalidInput);
    AmgOptions short_space;
    short_space.near_null_space = {1, 2, 3};
    CHECK_THROWS_AS(run(poisson2d(4), {.amg = short_space}), InvalidInput);
}

}  // namespace tests_of_multigrid
