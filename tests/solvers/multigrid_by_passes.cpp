// Levels of grids that passes make, beside those of the host.
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>

#include "multigrid/sparse_levels.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_multigrid_by_passes {

using namespace glsolve;
using namespace glsolve::test;

namespace {

Options with(MultigridSetup setup, AmgOptions amg = {}) {
    amg.setup = setup;
    if (amg.coarsest == 0) amg.coarsest = is_slow() ? 80 : 100;
    return {.preconditioner = PreconditionerKind::amg, .amg = amg};
}

struct Solved {
    HierarchyReport hierarchy;
    Report report;
};

Solved solved(Solver& solver) {
    const CsrView A = solver.matrix();
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    Solved made{solver.hierarchy(), solver.solve(b, x)};
    CHECK(made.report.converged());
    CHECK(true_residual(A, x, b) <= 1e-8 * (1 + 1e-6));
    return made;
}

Solved solved(const CsrMatrix& A, const Options& options) {
    Solver solver(device_under_test(), A, options);
    return solved(solver);
}

/// Of N^3 points, coupled more weakly along z.
CsrMatrix layers(Index N, double weak) {
    CsrMatrix A = poisson3d(N);
    for (Index i = 0; i < A.rows; ++i) {
        for (const auto [j, a] : A.row(i)) a = j == i ? 4 + 2 * weak : std::abs(i - j) == N * N ? a * weak : a;
    }
    return A;
}

void compare_levels(const CsrMatrix& A, const AmgOptions& options = {}) {
    CAPTURE(A.rows, name(options.cycle), options.levels);
    const Solved by_passes = solved(A, with(MultigridSetup::device, options)),
                 by_host = solved(A, with(MultigridSetup::host, options));
    CHECK(by_passes.hierarchy.set_up == MultigridSetup::device);
    CHECK(by_host.hierarchy.set_up == MultigridSetup::host);
    CHECK(by_host.hierarchy.why_host.empty());
    REQUIRE(by_passes.hierarchy.levels.size() == by_host.hierarchy.levels.size());
    CHECK(by_passes.hierarchy.levels.size() > 1);
    for (std::size_t k = 0; k < by_host.hierarchy.levels.size(); ++k) {
        const LevelReport &made = by_passes.hierarchy.levels[k], &wanted = by_host.hierarchy.levels[k];
        CHECK(made.rows == wanted.rows);
        CHECK(made.nonzeros == wanted.nonzeros);
        CHECK(made.transfer_nonzeros == wanted.transfer_nonzeros);
    }
    CHECK(std::abs(by_passes.report.iterations - by_host.report.iterations) <= 1);
}

std::vector<CsrMatrix> grids() {
    std::vector<CsrMatrix> made{poisson2d(20), anisotropic(24, 0.01), poisson3d(8), layers(8, 0.01)};
    if (!is_slow()) made.insert(made.end(), {poisson2d(100), poisson3d(27), anisotropic(90, 1e-3)});
    return made;
}

}  // namespace

TEST_CASE("levels of grids are the same, by passes and by the host", "[solvers][amg][by_passes]") {
    const MultigridCycle cycle = GENERATE(MultigridCycle::v, MultigridCycle::k);
    if (is_slow() && cycle == MultigridCycle::k) return;
    for (const CsrMatrix& A : grids()) compare_levels(A, {.cycle = cycle});
}

TEST_CASE("levels of any symmetric matrix are the same, by passes and by the host", "[solvers][amg][by_passes]") {
    if (!makes_sparse_levels(backend_under_test().can())) return;
    const Index side = is_slow() ? 20 : 60;
    for (const CsrMatrix& A : {poisson2d(side), jumping_coefficients(side, 1000), anisotropic(side, 0.01)})
        compare_levels(A, {.on_lattice = false});
    compare_levels(graph_laplacian(is_slow() ? 300 : 3000, 6));
    compare_levels(random_spd(is_slow() ? 300 : 2000, is_slow() ? 1500 : 12000));
    compare_levels(poisson2d(side), {.levels = 2, .on_lattice = false});
}

TEST_CASE("levels of elastic bodies are the same, by passes and by the host", "[solvers][amg][by_passes]") {
    if (!makes_sparse_levels(backend_under_test().can())) return;
    const ElasticBody body = elasticity(8, 7, 6);
    AmgOptions options{.near_null_space = rigid_body_modes(body.coordinates, 3), .near_null_vectors = 6};
    options.unknowns_a_point = 3;
    compare_levels(body.A, options);
    compare_levels(body.A, {.unknowns_a_point = 3});  // translations alone
    options.near_null_space.resize(static_cast<std::size_t>(body.A.rows));
    std::ranges::fill(options.near_null_space, 1.0);
    options.near_null_vectors = 1;
    compare_levels(body.A, options);
}

TEST_CASE("near-null vectors that depend on one another leave the levels to the host", "[solvers][amg][by_passes]") {
    if (!makes_sparse_levels(backend_under_test().can())) return;
    const CsrMatrix A = poisson2d(30);
    std::vector<double> twice(static_cast<std::size_t>(A.rows) * 2, 1.0);  // the same vector two times
    const HierarchyReport made =
        solved(A, with(MultigridSetup::device, {.near_null_space = std::move(twice), .near_null_vectors = 2}))
            .hierarchy;
    CHECK(made.set_up == MultigridSetup::host);
    CHECK_THAT(made.why_host, ContainsSubstring("near-null"));
}

TEST_CASE("a body that nothing holds is left to the host", "[solvers][amg][by_passes]") {
    if (!makes_sparse_levels(backend_under_test().can())) return;
    CsrMatrix A = poisson2d(30);
    for (Index i = 0; i < A.rows; ++i) {
        double others = 0;
        for (const auto [j, a] : A.row(i)) others -= j != i ? a : 0;
        for (const auto [j, a] : A.row(i)) a = j == i ? others : a;
    }
    const std::vector<double> ones(static_cast<std::size_t>(A.rows), 1.0);
    // Constants as a vector that is given, and as the sum of two: one for each unknown of a pair.
    for (const AmgOptions& options : {AmgOptions{.near_null_space = ones}, AmgOptions{.unknowns_a_point = 2}}) {
        const Solver solver(device_under_test(), A, with(MultigridSetup::device, options));
        CHECK(solver.hierarchy().set_up == MultigridSetup::host);
        CHECK_THAT(solver.hierarchy().why_host, ContainsSubstring("nothing holds"));
    }
}

TEST_CASE("rows in other units go through passes as well", "[solvers][amg][by_passes]") {
    CsrMatrix A = poisson2d(is_slow() ? 20 : 60);
    for (Index i = 0; i < A.rows; ++i) {
        const auto unit = [](Index k) { return std::ldexp(1.0, k % 7 - 3); };
        for (const auto [j, a] : A.row(i)) a *= unit(i) * unit(j);
    }
    solved(A, with(MultigridSetup::device));
}

TEST_CASE("new values go through passes again", "[solvers][amg][by_passes][update_values]") {
    CsrMatrix A = poisson2d(is_slow() ? 20 : 50);
    Solver solver(device_under_test(), A, with(MultigridSetup::device));
    CHECK(solved(solver).hierarchy.set_up == MultigridSetup::device);
    for (Index i = 0; i < A.rows; ++i) {
        for (const auto [j, a] : A.row(i)) a *= i == j ? 2.6 : 2 + 0.5 * std::sin(i + j);
    }
    solver.update_values(A.value);
    CHECK(solved(solver).hierarchy.set_up == MultigridSetup::device);
}

TEST_CASE("what passes cannot make the host makes", "[solvers][amg][by_passes]") {
    const auto set_up = [](const CsrMatrix& A, AmgOptions amg = {}) {
        const HierarchyReport made = solved(A, with(MultigridSetup::device, std::move(amg))).hierarchy;
        CHECK(made.why_host.empty() == (made.set_up == MultigridSetup::device));
        return made.set_up;
    };
    const Index side = is_slow() ? 30 : 40;
    CHECK(set_up(poisson2d(side)) == MultigridSetup::device);
    CHECK(set_up(poisson2d(side), {.coarsening = Coarsening::pmis}) == MultigridSetup::host);
    CHECK(set_up(poisson2d(side), {.smoother = MultigridSmoother::jacobi}) == MultigridSetup::host);
    // What is no grid, or nowhere coupled strongly along all of an axis, takes passes that write elsewhere.
    const MultigridSetup of_any =
        makes_sparse_levels(backend_under_test().can()) ? MultigridSetup::device : MultigridSetup::host;
    CHECK(set_up(poisson2d(side), {.on_lattice = false}) == of_any);
    CHECK(set_up(jumping_coefficients(side, 1000)) == of_any);
    CHECK(set_up(random_spd(600, 3000)) == of_any);
    CHECK(set_up(poisson2d(6)) == MultigridSetup::host);  // one level
}

TEST_CASE("GPUs make the levels of large grids unless they are told not to", "[solvers][amg][by_passes]") {
    if (is_slow()) return;
    const MultigridSetup usual =
        backend_under_test().can().on_processor ? MultigridSetup::host : MultigridSetup::device;
    CHECK(Solver(device_under_test(), poisson2d(256), with(MultigridSetup::automatic)).hierarchy().set_up == usual);
    CHECK(Solver(device_under_test(), poisson2d(256), with(MultigridSetup::host)).hierarchy().set_up
          == MultigridSetup::host);
    CHECK(Solver(device_under_test(), poisson2d(40), with(MultigridSetup::automatic)).hierarchy().set_up
          == MultigridSetup::host);
}

TEST_CASE("a closed box is set up by passes", "[solvers][amg][by_passes]") {
    const double shift = GENERATE(0.0, 1e-8, 1e-5);  // zero: singular; else nearly so
    CAPTURE(shift);
    CsrMatrix A = poisson2d(is_slow() ? 16 : 40);
    for (Index i = 0; i < A.rows; ++i) {
        double others = 0;
        for (const auto [j, a] : A.row(i)) others -= j != i ? a : 0;
        for (const auto [j, a] : A.row(i)) a = j == i ? others + shift : a;
    }
    Solver solver(device_under_test(), A, with(MultigridSetup::device));
    CHECK(solver.hierarchy().set_up == MultigridSetup::device);
    std::vector<double> b(static_cast<std::size_t>(A.rows), 0.0), x(b.size(), 0.0);
    b.front() = 1;
    b.back() = -1;
    const Report report = solver.solve(b, x);
    CAPTURE(name(report.outcome), report.reason, report.iterations, solver.hierarchy().coarsest);
    CHECK(report.converged());
    CHECK(report.iterations < 20);  // an inverse of rounding errors would take hundreds
    CHECK(true_residual(A, x, b) <= 1e-8 * (1 + 1e-6));
}

}  // namespace tests_of_multigrid_by_passes
