// Several right-hand sides at once: each as if it were alone, judged by its own true residual.
#include <algorithm>
#include <cmath>
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

namespace tests_of_several {

using namespace glsolve;
using namespace glsolve::test;

namespace {

std::vector<double> column(const std::vector<double>& all, std::size_t n, std::size_t k) {
    return {all.begin() + static_cast<std::ptrdiff_t>(k * n), all.begin() + static_cast<std::ptrdiff_t>((k + 1) * n)};
}

/// b = A x* for `count` different random x*.
std::vector<double> right_hand_sides(const CsrMatrix& A, int count) {
    std::vector<double> all, b(static_cast<std::size_t>(A.rows));
    for (int k = 0; k < count; ++k) {
        multiply(A, known_answer(A.rows, static_cast<std::uint64_t>(20 + k)), b);
        all.insert(all.end(), b.begin(), b.end());
    }
    return all;
}

void check_truth(const Report& report, const CsrMatrix& A, const std::vector<double>& x, const std::vector<double>& b,
                 double tolerance) {
    CAPTURE(report.reason);
    CHECK(report.outcome == Outcome::converged);
    CHECK(true_residual(A, x, b) <= tolerance * (1 + 1e-6));
    CHECK(report.relative_residual == Approx(true_residual(A, x, b)).epsilon(1e-6).margin(1e-15));
    REQUIRE_FALSE(report.history.empty());
    CHECK(report.history.front().iteration == 0);
    CHECK(report.history.back().iteration == report.iterations);
    CHECK(report.history.back().relative_residual == Approx(report.relative_residual));
}

}  // namespace

TEST_CASE("several right-hand sides converge, and truly, in every format", "[solvers][several]") {
    const auto problems = spd_problems();
    const std::size_t which = GENERATE_COPY(range<std::size_t>(0, problems.size()));
    const FormatKind format =
        GENERATE(FormatKind::ell, FormatKind::csr, FormatKind::hec, FormatKind::hyb, FormatKind::coo, FormatKind::bcsr,
                 FormatKind::sell, FormatKind::runs, FormatKind::dia, FormatKind::dense);
    const PreconditionerKind preconditioner = GENERATE(PreconditionerKind::none, PreconditionerKind::jacobi);
    const auto& [problem, A, definite, grid] = problems[which];
    CAPTURE(problem, name(format), name(preconditioner));
    if (!is_tried(2, which, format, preconditioner)) return;
    if (is_slow() && (A.rows > 100 || (format != FormatKind::ell && format != FormatKind::dia))) return;
    const auto n = static_cast<std::size_t>(A.rows);
    const std::vector<double> b = right_hand_sides(A, 4);
    std::vector<double> x(b.size(), 0.0);
    Solver solver(device_under_test(), A, {.preconditioner = preconditioner, .format = format});
    const std::vector<Report> reports = solver.solve_several(b, x, 4);
    REQUIRE(reports.size() == 4);
    for (std::size_t k = 0; k < 4; ++k) check_truth(reports[k], A, column(x, n, k), column(b, n, k), 1e-8);
}

TEST_CASE("any number of right-hand sides, by any method", "[solvers][several]") {
    const CsrMatrix A = poisson2d(is_slow() ? 6 : 12);
    const auto n = static_cast<std::size_t>(A.rows);
    const int count = GENERATE(1, 2, 3, 4, 5);
    const Method method = GENERATE(Method::cg, Method::gmres);
    const Index window = GENERATE(0, 64);  // rows sorted, or not
    const Reordering reorder = GENERATE(Reordering::none, Reordering::rcm);
    if (is_slow() && (method != Method::cg || window != 0)) return;
    CAPTURE(count, name(method), window, name(reorder));
    const std::vector<double> b = right_hand_sides(A, count);
    std::vector<double> x(b.size(), 0.0);
    Solver solver(device_under_test(), A,
                  {.method = method,
                   .format = FormatKind::sell,
                   .slicing = {.sort_window = window},
                   .reorder = reorder,
                   .tolerance = 1e-10});
    const std::vector<Report> reports = solver.solve_several(b, x, count);
    REQUIRE(reports.size() == static_cast<std::size_t>(count));
    for (std::size_t k = 0; k < reports.size(); ++k) {
        check_truth(reports[k], A, column(x, n, k), column(b, n, k), 1e-10);
    }
}

TEST_CASE("right-hand sides of different difficulty, each as hard as it is alone", "[solvers][several]") {
    const Index m = is_slow() ? 7 : 24;
    const CsrMatrix A = poisson2d(m);
    const auto n = static_cast<std::size_t>(A.rows);
    std::vector<double> b = right_hand_sides(A, 4);
    std::vector<double> x(b.size(), 0.0);
    // The first is zero, though its guess is not; the second solved by its guess; the third an eigenvector; the fourth
    // random.
    std::fill_n(b.begin(), n, 0.0);
    std::fill_n(x.begin(), n, 1.25);
    const std::vector<double> known = known_answer(A.rows, 21);
    std::copy(known.begin(), known.end(), x.begin() + static_cast<std::ptrdiff_t>(n));
    for (std::size_t i = 0; i < n; ++i) {
        const double h = M_PI / (m + 1), column = static_cast<double>(i % m + 1), row = static_cast<double>(i / m + 1);
        b[2 * n + i] = std::sin(h * column) * std::sin(2 * h * row);
    }
    Solver solver(device_under_test(), A, {});
    const std::vector<Report> reports = solver.solve_several(b, x, 4);
    for (std::size_t k = 0; k < 4; ++k) check_truth(reports[k], A, column(x, n, k), column(b, n, k), 1e-8);
    CHECK(column(x, n, 0) == std::vector<double>(n, 0.0));
    CHECK(reports[0].iterations == 0);
    CHECK(column(x, n, 1) == known);
    CHECK(reports[1].iterations == 0);
    REQUIRE(reports[2].history.size() > 1);
    CHECK(reports[2].history[1].iteration == 1);  // one step, and what rounding adds
    CHECK(reports[2].history[1].relative_residual < 1e-5);
    CHECK(reports[3].iterations > 2 * reports[2].iterations);

    // As many iterations as alone, but for what a correction that came for another's sake may cost.
    for (const std::size_t k : {2u, 3u}) {
        std::vector<double> alone(n, 0.0);
        const Report single = solver.solve(column(b, n, k), alone);
        CAPTURE(k, single.iterations);
        CHECK(10 * reports[k].iterations <= 13 * single.iterations + 50);
    }
}

TEST_CASE("one that is not finite, or fails, does not disturb the others", "[solvers][several][every_driver]") {
    const CsrMatrix A = poisson2d(is_slow() ? 6 : 15);
    const auto n = static_cast<std::size_t>(A.rows);
    const auto bad =
        GENERATE(as<double>{}, std::numeric_limits<double>::infinity(), std::numeric_limits<double>::quiet_NaN());
    const std::size_t where = GENERATE(0, 2);
    std::vector<double> b = right_hand_sides(A, 4);
    b[where * n + n / 2] = bad;
    std::vector<double> x(b.size(), 0.0);
    Solver solver(device_under_test(), A, {});
    const std::vector<Report> reports = solver.solve_several(b, x, 4);
    for (std::size_t k = 0; k < 4; ++k) {
        if (k == where) {
            CHECK(reports[k].outcome == Outcome::not_finite);
            CHECK_FALSE(reports[k].reason.empty());
        } else {
            check_truth(reports[k], A, column(x, n, k), column(b, n, k), 1e-8);
        }
    }
}

TEST_CASE("a matrix that is not definite ends for each right-hand side by itself", "[solvers][several]") {
    // Two blocks: right-hand sides in the first never meet the second, whose eigenvalues are negative.
    const Index n = 24;
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; ++i) {
        entries.push_back({i, i, i < n / 2 ? 2.5 + 0.1 * i : -3.0 - 0.2 * i});
        if (i % (n / 2) == n / 2 - 1) continue;
        entries.push_back({i, i + 1, 0.4});
        entries.push_back({i + 1, i, 0.4});
    }
    const CsrMatrix A = csr_from_triplets(n, n, entries);
    std::vector<double> b(4 * static_cast<std::size_t>(n), 0.0), x(b.size(), 0.0);
    for (std::size_t k = 0; k < 4; ++k) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(n) / 2; ++i) {
            const std::size_t row = k == 1 ? i + n / 2 : i;
            b[k * n + row] = 1.0 + 0.3 * static_cast<double>((i * (k + 3)) % 7);
        }
    }
    Solver solver(device_under_test(), A, {.preconditioner = PreconditionerKind::none});
    const std::vector<Report> reports = solver.solve_several(b, x, 4);
    CHECK(reports[1].outcome == Outcome::breakdown);
    for (const std::size_t k : {0u, 2u, 3u}) check_truth(reports[k], A, column(x, n, k), column(b, n, k), 1e-8);
}

TEST_CASE("what several right-hand sides promise", "[solvers][several]") {
    const CsrMatrix A = anisotropic(is_slow() ? 5 : 20, 0.1);
    const auto n = static_cast<std::size_t>(A.rows);
    const std::vector<double> b = right_hand_sides(A, 4);
    std::vector<double> x(b.size(), 0.0), again(b.size(), 0.0), alone(n, 0.0);
    Solver solver(device_under_test(), A, {.precision = Precision::single});
    const std::vector<Report> first = solver.solve_several(b, x, 4);
    const std::uint64_t allocations = backend_under_test().counters().allocations;
    const std::vector<Report> second = solver.solve_several(b, again, 4);
    CHECK(backend_under_test().counters().allocations == allocations);
    CHECK(x == again);  // the same bits
    std::int64_t corrections = 0;
    for (std::size_t k = 0; k < 4; ++k) {
        CHECK(first[k].iterations == second[k].iterations);
        CHECK(first[k].passes > 0);
        corrections += second[k].corrections;
    }
    // Looks at the status are as for one right-hand side. What corrections read: two vectors at most, or some texels,
    // of each; and with each round of them the states of all four.
    const Report single = solver.solve(column(b, n, 0), alone);
    CHECK(second[0].reads <= single.reads + 4 * static_cast<std::uint64_t>(corrections));
    CHECK(second[0].passes < 3 * single.passes);
}

TEST_CASE("several right-hand sides: limits, cancelling, precision", "[solvers][several]") {
    const CsrMatrix A = poisson2d(is_slow() ? 6 : 20);
    const auto n = static_cast<std::size_t>(A.rows);
    const std::vector<double> b = right_hand_sides(A, 4);
    std::vector<double> x(b.size(), 0.0);
    SECTION("the iterations are used up") {
        Solver solver(device_under_test(), A, {.max_iterations = 3});
        for (const Report& report : solver.solve_several(b, x, 4)) {
            CHECK(report.outcome == Outcome::max_iterations);
            CHECK(report.iterations == 3);
        }
    }
    SECTION("cancelled") {
        Solver solver(device_under_test(), A, {.observer = [](const Progress&) { return false; }});
        for (const Report& report : solver.solve_several(b, x, 4)) {
            CHECK((report.outcome == Outcome::cancelled || report.converged()));
        }
        CHECK(solver.solve_several(b, x, 4).front().outcome != Outcome::not_finite);
    }
    SECTION("two floats: one after the other") {
        if (is_slow() || !backend_under_test().info().two_float_fault.empty()) return;
        Solver solver(device_under_test(), A, {.precision = Precision::two_float});
        const std::vector<Report> reports = solver.solve_several(b, x, 4);
        for (std::size_t k = 0; k < 4; ++k) CHECK(true_residual(A, column(x, n, k), column(b, n, k)) <= 1.01e-8);
    }
    SECTION("wrong use") {
        Solver solver(device_under_test(), A, {});
        CHECK_THROWS_AS(solver.solve_several(b, x, 3), InvalidInput);
        CHECK_THROWS_AS(solver.solve_several({}, {}, 0), InvalidInput);
        CHECK_THROWS_AS(solver.solve_several(b, x, -4), InvalidInput);
    }
}

}  // namespace tests_of_several
