// New numbers in the same places: is the solver then as a new one for them, and as it was where they are refused?
#include <algorithm>
#include <cmath>
#include <functional>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>
#include <limits>
#include <random>

#include "device/backend.hpp"
#include "support/catch.hpp"
#include "support/choices.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_update_values {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// c D A D with random D: other numbers everywhere, and a symmetric positive definite matrix where A is one. What is
/// strong in A stays strong.
CsrMatrix renumbered(CsrMatrix A, double c = 300, std::uint32_t seed = 5) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(0.9, 1.1);
    std::vector<double> d(static_cast<std::size_t>(std::max(A.rows, A.columns)));
    for (double& number : d) number = uniform(random);
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) A.value[k] *= c * d[i] * d[A.column[k]];
    }
    return A;
}

/// The same with random factors for the entries above the diagonal alone: not symmetric.
CsrMatrix skewed(CsrMatrix A) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> uniform(0.2, 0.6);
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            if (A.column[k] > i) A.value[k] *= uniform(random);
        }
    }
    return A;
}

CsrMatrix with_diagonal(CsrMatrix A, const std::function<double(Index, double)>& becomes) {
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            if (A.column[k] == i) A.value[k] = becomes(i, A.value[k]);
        }
    }
    return A;
}

struct Solved {
    Report report;
    std::vector<double> x;
};

Solved solved(Solver& solver) {
    const CsrView A = solver.matrix();
    std::vector<double> b(static_cast<std::size_t>(A.rows)), x(static_cast<std::size_t>(A.columns), 0.0);
    multiply(A, known_answer(A.columns, 3), b);
    Report report = solver.solve(b, x);
    return {std::move(report), std::move(x)};
}

/// To the last bit: nothing that is left of the first numbers may be seen.
void check_same(const Solved& mine, const Solved& theirs) {
    CAPTURE(mine.report.reason, theirs.report.reason);
    CHECK(mine.report.outcome == theirs.report.outcome);
    CHECK(mine.report.reason == theirs.report.reason);
    CHECK(mine.report.iterations == theirs.report.iterations);
    CHECK(mine.report.corrections == theirs.report.corrections);
    CHECK(mine.x == theirs.x);
}

/// Solves with one matrix, then the other, then the first again, each as a new solver does.
void check_updates(const CsrMatrix& first, const CsrMatrix& second, const Options& options) {
    REQUIRE(first.column == second.column);
    REQUIRE(first.value != second.value);
    Solver solver(device_under_test(), first, options);
    const Solved before = solved(solver);
    CHECK(before.report.converged());

    solver.update_values(second.value);
    CHECK(std::ranges::equal(solver.matrix().value, second.value));
    Solver fresh(device_under_test(), second, options);
    const Solved after = solved(solver);
    CHECK(after.report.converged());
    check_same(after, solved(fresh));
    CHECK(after.x != before.x);

    solver.update_values(first.value);
    check_same(solved(solver), before);
}

std::string refusal(const std::function<void()>& what) {
    try {
        what();
    } catch (const InvalidInput& refused) {
        return refused.what();
    }
    return "";
}

/// What a new solver refuses an old one refuses in the same words, and goes on with what it had.
void check_refused(const CsrMatrix& first, const CsrMatrix& second, Options options) {
    REQUIRE(first.column == second.column);
    options.format = FormatKind::ell;  // what suits other numbers may be another one
    Solver solver(device_under_test(), first, options);
    const Solved before = solved(solver);
    CHECK(before.report.converged());
    const std::string words = refusal([&] { Solver(device_under_test(), second, options); });
    CAPTURE(words);
    CHECK_FALSE(words.empty());
    CHECK(refusal([&] { solver.update_values(second.value); }) == words);
    CHECK(std::ranges::equal(solver.matrix().value, first.value));
    check_same(solved(solver), before);
    const CsrMatrix third = renumbered(first);
    solver.update_values(third.value);
    Solver fresh(device_under_test(), third, options);
    check_same(solved(solver), solved(fresh));
}

}  // namespace

TEST_CASE("in every format new numbers are solved as by a new solver", "[solvers][update]") {
    const FormatKind format =
        GENERATE(FormatKind::ell, FormatKind::csr, FormatKind::hec, FormatKind::hyb, FormatKind::coo, FormatKind::bcsr,
                 FormatKind::sell, FormatKind::runs, FormatKind::dia, FormatKind::dense);
    const PreconditionerKind preconditioner =
        GENERATE(PreconditionerKind::none, PreconditionerKind::jacobi, PreconditionerKind::block_jacobi,
                 PreconditionerKind::chebyshev, PreconditionerKind::ssor, PreconditionerKind::amg);
    if (!is_tried(2, format, preconditioner)) return;
    if (is_slow() && format != FormatKind::dia && preconditioner != PreconditionerKind::jacobi) return;
    CAPTURE(name(format), name(preconditioner));
    const Options options{.preconditioner = preconditioner, .format = format, .amg = {.coarsest = 20}};
    const CsrMatrix grid = poisson2d(is_slow() ? 6 : 14);  // by diagonals: numbers that are constants of the shader
    check_updates(grid, renumbered(grid), options);
    if (preconditioner == PreconditionerKind::amg || is_slow()) return;
    const CsrMatrix scattered = random_spd(150, 900);
    check_updates(scattered, renumbered(scattered, 1e-3), options);
}

TEST_CASE("the cells of a grid's matrix are found anew", "[solvers][update]") {
    const CsrMatrix A = poisson2d(is_slow() ? 6 : 14);
    check_updates(A, with_diagonal(A, [](Index, double a) { return a + 0.25; }),
                  {.preconditioner = PreconditionerKind::multigrid, .format = FormatKind::ell});
}

TEST_CASE("sorted rows and numbers in two floats take new numbers", "[solvers][update][every_driver]") {
    const CsrMatrix A = random_spd(is_slow() ? 40 : 200, is_slow() ? 200 : 1200);
    check_updates(A, renumbered(A), {.format = FormatKind::sell, .slicing = {.sort_window = 64}});
    for (const Reordering reorder :
         {Reordering::rcm, Reordering::degree, Reordering::minimum_degree, Reordering::automatic})
        check_updates(A, renumbered(A), {.reorder = reorder});
    if (device_under_test().info().two_float_fault.empty()) {
        check_updates(A, renumbered(A), {.precision = Precision::two_float, .tolerance = 1e-11});
    }
}

TEST_CASE("every method takes new numbers", "[solvers][update]") {
    const CsrMatrix A = poisson2d(is_slow() ? 5 : 10);
    for (const Method method : all_methods()) {
        if (is_slow() && method != Method::cg && method != Method::gmres) continue;
        CAPTURE(name(method));
        check_updates(A, renumbered(A), {.method = method, .format = FormatKind::ell});
    }
    const CsrMatrix flow = convection_diffusion(is_slow() ? 5 : 10);
    for (const Method method : {Method::gmres, Method::bicgstab, Method::direct}) {
        if (is_slow() && method != Method::gmres) continue;
        CAPTURE(name(method));
        check_updates(flow, renumbered(flow, 1e-2), {.method = method, .format = FormatKind::ell});
    }
}

TEST_CASE("least squares take new numbers, in the formats that A and its transpose have", "[solvers][update]") {
    if (is_slow()) return;
    CsrMatrix tall = random_spd(90, 600);
    tall.rows = 90;
    tall.columns = 60;
    std::vector<Triplet> left;
    for (Index i = 0; i < 90; ++i) {
        for (Offset k = tall.offsets[i]; k < tall.offsets[i + 1]; ++k) {
            if (tall.column[k] < 60) left.push_back({i, tall.column[k], tall.value[k]});
        }
    }
    tall = csr_from_triplets(90, 60, left);
    for (const FormatKind format : {FormatKind::automatic, FormatKind::measure, FormatKind::ell}) {
        CAPTURE(name(format));
        const Options options{.method = Method::cgnr, .format = format};
        if (format == FormatKind::ell) check_updates(tall, renumbered(tall), options);
        Solver solver(device_under_test(), tall, options);
        const std::string reason = solver.format().reason;
        const CsrMatrix other = renumbered(tall);
        solver.update_values(other.value);
        CHECK(solver.format().reason == reason);
        CHECK(solved(solver).report.converged());
    }
}

TEST_CASE("a format that was chosen, or measured, stays", "[solvers][update]") {
    const CsrMatrix A = poisson2d(is_slow() ? 6 : 20);
    for (const FormatKind format : {FormatKind::automatic, FormatKind::measure}) {
        Solver solver(device_under_test(), A, {.format = format});
        const FormatChoice before = solver.format();
        solver.update_values(renumbered(A).value);
        CHECK(solver.format().format == before.format);
        CHECK(solver.format().reason == before.reason);
        CHECK(solved(solver).report.converged());
    }
}

TEST_CASE("every coarsening takes new numbers through its levels", "[solvers][update][amg]") {
    const CsrMatrix A = poisson2d(is_slow() ? 10 : 24), other = renumbered(A);
    CsrMatrix three_times = A;
    for (double& a : three_times.value) a *= 3;
    for (const Coarsening coarsening : all_coarsenings()) {
        for (const bool on_lattice : {true, false}) {
            if (!on_lattice && coarsening > Coarsening::aggregation) continue;
            if (is_slow() && (coarsening != Coarsening::smoothed_aggregation || !on_lattice)) continue;
            CAPTURE(name(coarsening), on_lattice);
            const Options options{.preconditioner = PreconditionerKind::amg,
                                  .format = FormatKind::ell,
                                  .amg = {.coarsening = coarsening, .coarsest = 20, .on_lattice = on_lattice}};
            check_updates(A, three_times, options);
            // Here a new solver may choose other unknowns for its coarser levels.
            Solver solver(device_under_test(), A, options), fresh(device_under_test(), other, options);
            solver.update_values(other.value);
            const Solved mine = solved(solver), theirs = solved(fresh);
            CHECK(mine.report.converged());
            CHECK(mine.report.iterations <= theirs.report.iterations + 2);
        }
    }
}

TEST_CASE("coarse unknowns stay where they are, whatever the numbers", "[solvers][update][amg]") {
    const Index n = is_slow() ? 10 : 30;
    const CsrMatrix lines = anisotropic(n, 1e-3), plane = poisson2d(n);
    const auto rows = [](const Solver& solver) {
        std::vector<Index> all;
        for (const LevelReport& level : solver.hierarchy().levels) all.push_back(level.rows);
        return all;
    };
    for (const Coarsening coarsening : {Coarsening::smoothed_aggregation, Coarsening::ruge_stueben}) {
        CAPTURE(name(coarsening));
        const Options options{.preconditioner = PreconditionerKind::amg,
                              .amg = {.coarsening = coarsening, .coarsest = is_slow() ? 20 : 60}};
        Solver solver(device_under_test(), lines, options), fresh(device_under_test(), plane, options);
        const std::vector<Index> chosen = rows(solver);
        REQUIRE(chosen.size() > 1);
        REQUIRE(chosen != rows(fresh));
        solver.update_values(plane.value);
        CHECK(rows(solver) == chosen);
        CHECK(solved(solver).report.converged());
    }
}

TEST_CASE("a grid's levels take numbers that are not symmetric, and others that are", "[solvers][update][amg]") {
    const CsrMatrix A = poisson2d(is_slow() ? 8 : 27), flow = skewed(A);
    const Options options{
        .method = Method::gmres, .preconditioner = PreconditionerKind::amg, .amg = {.coarsest = is_slow() ? 10 : 30}};
    Solver solver(device_under_test(), A, options);
    const Solved before = solved(solver);
    solver.update_values(flow.value);
    CHECK(solved(solver).report.converged());
    solver.update_values(A.value);
    check_same(solved(solver), before);
    Solver began_with_flow(device_under_test(), flow, options);
    began_with_flow.update_values(A.value);
    CHECK(solved(began_with_flow).report.converged());
}

TEST_CASE("where the new numbers forbid an inverse coarser levels follow", "[solvers][update][amg]") {
    const Index n = is_slow() ? 80 : 200;
    std::vector<Triplet> beam;  // fourth differences: the condition grows with the fourth power of n
    for (Index i = 0; i < n; ++i) {
        const std::vector<std::pair<Index, double>> row{{-2, 1}, {-1, -4}, {0, 6}, {1, -4}, {2, 1}};
        for (const auto& [step, a] : row) {
            if (i + step >= 0 && i + step < n) beam.push_back({i, i + step, a});
        }
    }
    const CsrMatrix A = csr_from_triplets(n, n, beam), stiff = with_diagonal(A, [](Index, double a) { return a + 5; });
    const Options options{.preconditioner = PreconditionerKind::amg};
    Solver solver(device_under_test(), stiff, options);
    const Solved before = solved(solver);
    REQUIRE(solver.hierarchy().levels.size() == 1);
    solver.update_values(A.value);
    CHECK(solver.hierarchy().levels.size() > 1);
    const Solved after = solved(solver);
    CAPTURE(after.report.reason, solver.hierarchy().coarsest);
    CHECK(after.report.converged());
    CHECK(after.report.iterations < n);
    solver.update_values(stiff.value);
    CHECK(solver.hierarchy().levels.size() > 1);  // they stay
    CHECK(before.report.converged());
    CHECK(solved(solver).report.converged());
}

TEST_CASE("values of another number, or not finite, change nothing", "[solvers][update]") {
    const CsrMatrix A = poisson2d(6);
    Solver solver(device_under_test(), A);
    const Solved before = solved(solver);
    std::vector<double> values = renumbered(A).value;
    const auto refused = [&] { return refusal([&] { solver.update_values(values); }); };
    values.push_back(1);
    CHECK(refused() == "the matrix has 156 nonzeros, and there are 157 values: one for each is needed");
    values.resize(155);
    CHECK(refused() == "the matrix has 156 nonzeros, and there are 155 values: one for each is needed");
    CHECK_FALSE(refusal([&] { solver.update_values({}); }).empty());
    values = renumbered(A).value;
    for (const double bad : {std::nan(""), std::numeric_limits<double>::infinity()}) {
        values[3] = bad;
        CHECK(refused().find("values have to be finite") != std::string::npos);
    }
    CHECK(std::ranges::equal(solver.matrix().value, A.value));
    check_same(solved(solver), before);
}

TEST_CASE("numbers that a new solver refuses are refused in the same words", "[solvers][update]") {
    const CsrMatrix A = poisson2d(is_slow() ? 5 : 8);
    const CsrMatrix zero = with_diagonal(A, [](Index i, double a) { return i == 7 ? 0 : a; });
    const CsrMatrix indefinite = with_diagonal(A, [](Index, double a) { return a - 3.5; });
    check_refused(A, zero, {});
    check_refused(A, zero, {.method = Method::gmres, .preconditioner = PreconditionerKind::ssor});
    check_refused(A, zero, {.method = Method::gauss_seidel});
    check_refused(A, indefinite, {.preconditioner = PreconditionerKind::chebyshev});
    check_refused(A, with_diagonal(A, [](Index i, double a) { return i == 7 ? 1e-80 : a; }), {});
    CsrMatrix singular = A;  // in the block of the first two rows
    for (Index i = 0; i < 2; ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) singular.value[k] = A.column[k] < 2 ? 2.5 : -1;
    }
    check_refused(A, singular, {.preconditioner = PreconditionerKind::block_jacobi, .preconditioning = {.block = 2}});
    const AmgOptions amg{.cycle = MultigridCycle::k, .coarsest = 8};
    check_refused(A, zero, {.preconditioner = PreconditionerKind::amg, .amg = amg});
    check_refused(A, skewed(A), {.preconditioner = PreconditionerKind::amg, .amg = amg});
}

TEST_CASE("symmetry is looked at anew", "[solvers][update]") {
    const CsrMatrix A = poisson2d(is_slow() ? 5 : 10), flow = skewed(A);
    const Options options{.format = FormatKind::ell, .max_iterations = 200};
    Solver solver(device_under_test(), A, options), fresh(device_under_test(), flow, options);
    const Solved before = solved(solver), unsymmetric = solved(fresh);
    REQUIRE(unsymmetric.report.reason.find("not symmetric") != std::string::npos);
    solver.update_values(flow.value);
    check_same(solved(solver), unsymmetric);
    solver.update_values(A.value);
    check_same(solved(solver), before);
}

TEST_CASE("where the method suits the matrix, it suits the new numbers", "[solvers][update]") {
    const CsrMatrix A = poisson2d(is_slow() ? 5 : 24);  // too many rows for an inverse
    const Options options{.method = Method::automatic, .format = FormatKind::ell, .precision = Precision::two_float};
    const CsrMatrix indefinite = with_diagonal(A, [](Index, double a) { return a - 1.5; });
    const CsrMatrix flow = with_diagonal(skewed(A), [](Index i, double a) { return i == 9 ? 0 : a; });
    Solver solver(device_under_test(), A, options);
    const Solved before = solved(solver);
    CHECK(solver.method().method == Method::cg);
    for (const CsrMatrix& second : {renumbered(A), indefinite, flow, A}) {
        Solver fresh(device_under_test(), second, options);
        solver.update_values(second.value);
        CAPTURE(fresh.method().reason);
        CHECK(solver.method().method == fresh.method().method);
        CHECK_THAT(solver.method().reason, EndsWith(fresh.method().reason));
        check_same(solved(solver), solved(fresh));
    }
    CHECK(solver.method().method == Method::cg);
    check_same(solved(solver), before);
}

TEST_CASE("several right-hand sides and a solve that goes on see the new numbers", "[solvers][update]") {
    const CsrMatrix A = poisson2d(is_slow() ? 6 : 12), other = renumbered(A);
    const auto n = static_cast<std::size_t>(A.rows);
    const Options options{.format = FormatKind::ell, .max_iterations = 12};
    Solver solver(device_under_test(), A, options), fresh(device_under_test(), other, options);
    const std::vector<double> b = known_answer(static_cast<Index>(4 * n), 9);
    std::vector<double> x(4 * n, 0.0), y = x;
    solver.solve_several(b, x, 4);
    solver.update_values(other.value);
    std::fill(x.begin(), x.end(), 0.0);
    const std::vector<Report> mine = solver.solve_several(b, x, 4), theirs = fresh.solve_several(b, y, 4);
    for (std::size_t k = 0; k < 4; ++k) {
        CHECK(mine[k].reason == theirs[k].reason);
        CHECK(mine[k].iterations == theirs[k].iterations);
    }
    CHECK(x == y);

    const std::span<const double> first(b.data(), n);
    const std::span<double> u(x.data(), n), v(y.data(), n);
    std::fill(u.begin(), u.end(), 0.0);
    std::fill(v.begin(), v.end(), 0.0);
    for (int k = 0; k < 3; ++k) {
        const Report one = k == 0 ? solver.solve(first, u) : solver.resume(first, u);
        const Report two = k == 0 ? fresh.solve(first, v) : fresh.resume(first, v);
        CHECK(one.reason == two.reason);
    }
    CHECK(x == y);
}

TEST_CASE("updates hold no more of the device than one solver and its spares", "[solvers][update]") {
    const CsrMatrix A = poisson2d(is_slow() ? 6 : 40), other = renumbered(A);
    Solver solver(device_under_test(), A, {.preconditioner = PreconditionerKind::amg, .amg = {.coarsest = 60}});
    const auto cycle = [&](const CsrMatrix& next) {
        solver.update_values(next.value);
        CHECK(solved(solver).report.converged());
        return backend_under_test().counters().bytes;
    };
    std::int64_t held = 0;
    for (int k = 0; k < 3; ++k) held = std::max({held, cycle(other), cycle(A)});
    for (int k = 0; k < 4; ++k) {
        CHECK(cycle(other) <= held);
        CHECK(cycle(A) <= held);
    }
}

}  // namespace tests_of_update_values
