// Every method x preconditioner x format on every problem, judged by the double-precision residual, never by the
// solver's word.
#include <cmath>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>

#include "support/catch.hpp"
#include "support/choices.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_conformance {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// `every`: how many iterations go by from one look at the residual to the next.
void check_history(const Report& report, std::int64_t every = 1) {
    REQUIRE_FALSE(report.history.empty());
    CHECK(report.history.front().iteration == 0);
    CHECK(report.history.front().corrected);
    CHECK(report.history.back().iteration == report.iterations);
    CHECK(report.history.back().relative_residual == Approx(report.relative_residual));
    std::int64_t recorded = 0, last = 0;
    for (const HistoryEntry& entry : report.history) {
        CHECK(entry.iteration >= last);
        last = entry.iteration;
        recorded += entry.corrected ? 0 : 1;
    }
    CHECK(recorded <= report.iterations);
    CHECK(recorded >= report.iterations / every);
}

}  // namespace

TEST_CASE("solvers converge, and truly", "[solvers][conformance]") {
    const auto problems = spd_problems();
    const std::size_t which = GENERATE_COPY(range<std::size_t>(0, problems.size()));
    const PreconditionerKind preconditioner = GENERATE(PreconditionerKind::none, PreconditionerKind::jacobi);
    const FormatKind format =
        GENERATE(FormatKind::ell, FormatKind::csr, FormatKind::hec, FormatKind::hyb, FormatKind::coo, FormatKind::bcsr,
                 FormatKind::sell, FormatKind::runs, FormatKind::dia, FormatKind::dense);
    const auto& [problem, A, definite, grid] = problems[which];
    const double tolerance = 1e-8;
    const Method method = GENERATE(Method::cg, Method::pipelined_cg, Method::chebyshev);
    const Options options{.method = method,
                          .preconditioner = preconditioner,
                          .format = format,
                          .precision = precision_under_test(),
                          .tolerance = tolerance};
    CAPTURE(problem, name(method), name(preconditioner), name(format));

    if (!is_tried(4, which, preconditioner, format, method)) return;
    if (is_slow() && A.rows > 150) return;
    if (is_slow() && method == Method::chebyshev && format != FormatKind::ell) return;
    const auto b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    Solver solver(device_under_test(), A, options);
    const Report report = solver.solve(b, x);
    CAPTURE(report.reason);
    CHECK(report.outcome == Outcome::converged);
    CHECK(true_residual(A, x, b) <= tolerance * (1 + 1e-6));
    CHECK(report.relative_residual == Approx(true_residual(A, x, b)).epsilon(1e-6).margin(1e-15));
    check_history(report, method == Method::chebyshev ? options.test_every : 1);
}

namespace {

/// One method on one problem, with both preconditioners and two formats.
void check_method(Method method, const Problem& problem, std::size_t which) {
    const PreconditionerKind preconditioner = GENERATE(PreconditionerKind::none, PreconditionerKind::jacobi);
    const FormatKind format = GENERATE(FormatKind::automatic, FormatKind::ell);
    const CsrMatrix& A = problem.A;
    CAPTURE(problem.name, name(method), name(preconditioner), name(format));

    if (!is_tried(3, method, which, preconditioner, format == FormatKind::ell)) return;
    if (is_slow() && (format != FormatKind::automatic || A.rows > 50)) return;
    const double tolerance = 1e-8;
    const auto b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    const Report report = solve(device_under_test(), A, b, x,
                                {.method = method,
                                 .preconditioner = preconditioner,
                                 .format = format,
                                 .precision = precision_under_test(),
                                 .tolerance = tolerance});
    CAPTURE(report.reason);
    CHECK(report.outcome == Outcome::converged);
    CHECK(true_residual(A, x, b) <= tolerance * (1 + 1e-6));
    CHECK(report.relative_residual == Approx(true_residual(A, x, b)).epsilon(1e-6).margin(1e-15));
    if (method != Method::direct) check_history(report);
}

}  // namespace

TEST_CASE("methods for any matrix converge on any, and truly", "[solvers][conformance]") {
    const std::vector<Problem> problems = all_problems();
    const std::size_t which = GENERATE_COPY(range<std::size_t>(0, problems.size()));
    const Method method =
        GENERATE(Method::bicgstab, Method::bicgstab2, Method::idr, Method::gmres, Method::fgmres, Method::direct);
    check_method(method, problems[which], which);
}

TEST_CASE("methods for symmetric matrices converge on any, and truly", "[solvers][conformance]") {
    std::vector<Problem> problems = all_problems();
    std::erase_if(problems, [](const Problem& problem) { return asymmetry(problem.A) > 0; });
    const std::size_t which = GENERATE_COPY(range<std::size_t>(0, problems.size()));
    check_method(Method::minres, problems[which], which);
}

TEST_CASE("1e-10 and 1e-13 are ordinary", "[solvers][conformance]") {
    const CsrMatrix A = anisotropic(12, 0.1);
    const auto b = matching_right_hand_side(A);
    const double tolerance = GENERATE(1e-10, 1e-13);
    std::vector<double> x(b.size(), 0.0);
    const Report report =
        solve(device_under_test(), A, b, x, {.precision = precision_under_test(), .tolerance = tolerance});
    CAPTURE(report.reason);
    CHECK(report.outcome == Outcome::converged);
    CHECK(true_residual(A, x, b) <= tolerance * (1 + 1e-3));
}

TEST_CASE("a guess is used, a good one at once", "[solvers][every_driver]") {
    const CsrMatrix A = poisson2d(14);
    const auto b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    const Report cold = solve(device_under_test(), A, b, x);
    REQUIRE(cold.converged());
    const Report warm = solve(device_under_test(), A, b, x);
    CHECK(warm.converged());
    CHECK(warm.iterations == 0);
    for (double& v : x) v += 1e-6;
    const Report near_by = solve(device_under_test(), A, b, x);
    CHECK(near_by.converged());
    CHECK(near_by.iterations < cold.iterations);
    const Report again = solve(device_under_test(), A, b, x, {.zero_guess = true});
    CHECK(again.iterations == cold.iterations);
}

TEST_CASE("b = 0 gives x = 0", "[solvers]") {
    const CsrMatrix A = poisson2d(9);
    const std::vector<double> b(81, 0.0);
    std::vector<double> x(81, 3.0);
    const Report report = solve(device_under_test(), A, b, x);
    CHECK(report.outcome == Outcome::converged);
    CHECK(report.iterations == 0);
    CHECK(x == b);
}

TEST_CASE("right-hand sides of any size are solved alike", "[solvers]") {
    const CsrMatrix A = poisson2d(11);
    const double scale = GENERATE(1e-310, 1e-300, 1e-30, 1.0, 1e+30, 1e+200);
    auto b = matching_right_hand_side(A);
    for (double& v : b) v *= scale;
    std::vector<double> x(b.size(), 0.0);
    const Report report = solve(device_under_test(), A, b, x);
    CAPTURE(scale, report.reason);
    CHECK(report.outcome == Outcome::converged);
    const auto known = known_answer(A.rows);
    for (std::size_t i = 0; i < x.size(); ++i) CHECK(x[i] / scale == Approx(known[i]).epsilon(1e-5));
}

TEST_CASE("an absolute tolerance counts where it is the larger one", "[solvers]") {
    const CsrMatrix A = poisson2d(11);
    const auto b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0), y(b.size(), 0.0);
    const Report loose = solve(device_under_test(), A, b, x, {.tolerance = 1e-8, .absolute_tolerance = 1e-2});
    const Report tight = solve(device_under_test(), A, b, y, {.tolerance = 1e-8});
    CHECK(loose.converged());
    CHECK(loose.iterations < tight.iterations);
}

TEST_CASE("an empty system has an empty solution", "[solvers]") {
    std::vector<double> nothing;
    const Report report = solve(device_under_test(), CsrMatrix{}, nothing, nothing);
    CHECK(report.outcome == Outcome::converged);
}

}  // namespace tests_of_conformance
