// A fixed number of iterations: known beforehand, nothing read before they are done, judged once.
#include <cmath>
#include <glsolve/glsolve.hpp>
#include <vector>

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_fixed {

using namespace glsolve;
using namespace glsolve::test;

namespace {

Report solve_fixed(const CsrMatrix& A, const std::vector<double>& b, std::vector<double>& x, Options options,
                   std::int64_t iterations) {
    options.fixed_iterations = iterations;
    x.assign(static_cast<std::size_t>(A.columns), 0.0);
    return solve(device_under_test(), A, b, x, options);
}

double dot(const std::vector<double>& x, const std::vector<double>& y) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
    return sum;
}

/// |b - A x| / |b| after so many iterations of conjugate gradients in double precision from x = 0.
double textbook_cg(const CsrMatrix& A, const std::vector<double>& b, std::int64_t iterations) {
    std::vector<double> r = b, p = b, q(b.size());
    double rho = dot(r, r);
    for (std::int64_t k = 0; k < iterations; ++k) {
        multiply(A, p, q);
        const double alpha = rho / dot(p, q), before = rho;
        for (std::size_t i = 0; i < r.size(); ++i) r[i] -= alpha * q[i];
        rho = dot(r, r);
        for (std::size_t i = 0; i < r.size(); ++i) p[i] = r[i] + rho / before * p[i];
    }
    return std::sqrt(rho / dot(b, b));
}

}  // namespace

TEST_CASE("conjugate gradients do as many iterations as were asked for", "[solvers][fixed]") {
    const CsrMatrix A = poisson2d(is_slow() ? 10 : 24);
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x;
    for (const Method method : {Method::cg, Method::pipelined_cg}) {
        for (const std::int64_t iterations : {1, 7, 20}) {
            CAPTURE(name(method), iterations);
            const Report report =
                solve_fixed(A, b, x, {.method = method, .preconditioner = PreconditionerKind::none}, iterations);
            CAPTURE(report.reason);
            CHECK(report.outcome == Outcome::max_iterations);
            CHECK(report.iterations == iterations);
            CHECK(report.corrections == 1);
            CHECK(report.history.size() >= static_cast<std::size_t>(iterations));
            CHECK(report.relative_residual == Approx(textbook_cg(A, b, iterations)).epsilon(1e-3));
            CHECK(report.relative_residual == Approx(true_residual(A, x, b)).epsilon(1e-10));
        }
    }
}

TEST_CASE("reads do not depend on how many iterations are asked for", "[solvers][fixed][promises]") {
    const CsrMatrix A = poisson2d(is_slow() ? 8 : 16);
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x;
    for (const Method method : all_methods()) {
        if (method == Method::automatic || method == Method::direct || method == Method::bicgstab_chebyshev) continue;
        if (is_slow() && is_stationary(method) && method != Method::ssor) continue;
        CAPTURE(name(method));
        const Report few = solve_fixed(A, b, x, {.method = method}, 3);
        const double before = few.relative_residual;
        const Report many = solve_fixed(A, b, x, {.method = method}, 24);
        CAPTURE(few.reason, many.reason);
        CHECK(few.iterations == 3);
        CHECK(few.outcome == Outcome::max_iterations);
        CHECK(few.reads == many.reads);
        CHECK(few.reads <= 2);  // the status, the history; x is the answer
        const bool may_break_down = method == Method::bicgstab || method == Method::bicgstab2
                                    || method == Method::idr;  // and may not begin anew
        CHECK((many.iterations == 24 || many.outcome == Outcome::precision_limit || many.converged()
               || (may_break_down && many.outcome == Outcome::breakdown)));
        CHECK(many.relative_residual < before);
        CHECK(many.relative_residual == Approx(true_residual(A, x, b)).epsilon(1e-9));
    }
}

TEST_CASE("more iterations than rounding allows do no harm", "[solvers][fixed]") {
    if (is_slow()) return;
    const CsrMatrix A = poisson2d(12);
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x;
    for (const Method method :
         {Method::cg, Method::pipelined_cg, Method::bicgstab, Method::minres, Method::chebyshev}) {
        CAPTURE(name(method));
        const Report report = solve_fixed(A, b, x, {.method = method}, 1000);
        CAPTURE(report.reason);
        CHECK(report.relative_residual < (method == Method::bicgstab ? 1e-3 : 2e-6));  // which may break down
        CHECK((report.outcome == Outcome::max_iterations || report.outcome == Outcome::precision_limit
               || report.outcome == Outcome::breakdown));
    }
}

TEST_CASE("a fixed number of iterations that goes on where it has ended", "[solvers][fixed][resume]") {
    const CsrMatrix A = poisson2d(10);
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    Solver solver(device_under_test(), A, {.fixed_iterations = 6});
    const double after_six = solver.solve(b, x).relative_residual;
    CHECK(solver.resume(b, x).relative_residual < after_six);
}

TEST_CASE("fixed iterations are refused where they cannot be", "[solvers][fixed][refusals]") {
    const CsrMatrix A = poisson2d(4);
    const std::vector<double> b(16, 1.0);
    std::vector<double> x;
    const auto refused = [&](Options options, std::int64_t iterations, const char* why) {
        CHECK_THROWS_WITH(solve_fixed(A, b, x, std::move(options), iterations), ContainsSubstring(why));
    };
    refused({}, -1, "fixed_iterations");
    refused({}, 65537, "65536");
    refused({.max_iterations = 5}, 5, "only one of them");
    refused({.method = Method::direct}, 5, "has none");
    refused({.method = Method::bicgstab_chebyshev}, 5, "changes over");
    refused({.method = Method::gmres, .gmres = {.restart = 8}}, 9, "as a cycle has, 8");
    refused({.method = Method::gmres, .gmres = {.least_squares = LeastSquares::host}}, 9, "read back");
}

}  // namespace tests_of_fixed
