// Options::seconds: a solve ends when they are over, with the best x so far.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/grid.hpp>
#include <glsolve/solver.hpp>
#include <limits>
#include <thread>

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_time_limit {

using namespace glsolve;
using namespace glsolve::test;

namespace {

void sleep_for(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

/// With a limit that is over when the solve has been looked at once.
Options soon_over(Method method = Method::cg) {
    constexpr double limit = 0.002;
    return {.method = method,
            .direct = {.form = DirectForm::inverse},
            .tolerance = 1e-14,
            .seconds = limit,
            .observer = [](const Progress&) {
                sleep_for(2 * limit);
                return true;
            }};
}

void check_out_of_time(const Report& report, std::string_view limit = "0.002") {
    CAPTURE(report.reason, report.iterations);
    CHECK(report.outcome == Outcome::time_limit);
    CHECK_THAT(report.reason, ContainsSubstring(fmt::format("the time limit of {} s is over", limit)));
    CHECK(report.relative_residual <= 1);
}

/// A with its rows far from where they belong: gmres cannot find its way through.
CsrMatrix with_rows_spread(const CsrMatrix& A) {
    std::vector<Triplet> entries;
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + Offset{1}]; ++k) {
            entries.push_back({static_cast<Index>(Offset{i} * 101 % A.rows), A.column[k], A.value[k]});
        }
    }
    return csr_from_triplets(A.rows, A.columns, entries);
}

}  // namespace

TEST_CASE("a solve ends when its seconds are over", "[solvers][time_limit]") {
    const Method method =
        GENERATE(Method::cg, Method::pipelined_cg, Method::minres, Method::bicgstab, Method::bicgstab2, Method::idr,
                 Method::gmres, Method::fgmres, Method::chebyshev, Method::bicgstab_chebyshev, Method::richardson,
                 Method::jacobi, Method::ssor, Method::direct, Method::cgnr, Method::automatic);
    CAPTURE(name(method));
    const CsrMatrix A = poisson2d(is_slow() ? 8 : 24);
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    Solver solver(device_under_test(), A, soon_over(method));
    const Report report = solver.solve(b, x);
    check_out_of_time(report);
    CHECK(true_residual(A, x, b) == Approx(report.relative_residual).epsilon(1e-3));
    check_out_of_time(solver.resume(b, x));  // which has as many again
}

TEST_CASE("in pieces of some time a solve comes to its end", "[solvers][time_limit]") {
    const CsrMatrix A = poisson2d(8);
    const std::vector<double> b = matching_right_hand_side(A);
    for (const Method method : {Method::cg, Method::gmres}) {
        CAPTURE(name(method));
        std::vector<double> x(b.size(), 0.0);
        Solver solver(device_under_test(), A, {.method = method, .seconds = 0.05});
        Report report = solver.solve(b, x);
        for (int piece = 0; piece < 1000 && report.outcome == Outcome::time_limit; ++piece)
            report = solver.resume(b, x);
        CHECK(report.converged());
    }
}

TEST_CASE("a limit that is far away changes nothing", "[solvers][time_limit]") {
    const CsrMatrix A = poisson2d(is_slow() ? 8 : 24);
    const std::vector<double> b = matching_right_hand_side(A);
    for (const Method method : {Method::cg, Method::gmres, Method::direct}) {
        CAPTURE(name(method));
        std::vector<double> x(b.size(), 0.0), limited(b.size(), 0.0);
        Options options{.method = method};
        const Report report = solve(device_under_test(), A, b, x, options);
        for (const double seconds : {1e9, std::numeric_limits<double>::infinity()}) {
            options.seconds = seconds;
            std::fill(limited.begin(), limited.end(), 0.0);
            CHECK(solve(device_under_test(), A, b, limited, options).iterations == report.iterations);
            CHECK(limited == x);
        }
    }
}

TEST_CASE("all right-hand sides of a call share its seconds", "[solvers][time_limit]") {
    const CsrMatrix A = poisson2d(is_slow() ? 8 : 24);
    const std::vector<double> one = matching_right_hand_side(A);
    std::vector<double> b;
    for (int k = 0; k < 6; ++k) b.insert(b.end(), one.begin(), one.end());
    for (const Method method : {Method::cg, Method::gmres}) {  // four together, and one after the other
        CAPTURE(name(method));
        std::vector<double> x(b.size(), 0.0);
        Solver solver(device_under_test(), A, soon_over(method));
        const std::vector<Report> reports = solver.solve_several(b, x, 6);
        REQUIRE(reports.size() == 6);
        for (const Report& report : reports) check_out_of_time(report);
        CHECK(reports[5].iterations == 0);
    }
}

TEST_CASE("grids have a limit, too", "[solvers][time_limit]") {
    Options options = soon_over();
    options.preconditioner = PreconditionerKind::jacobi;
    const Index side = is_slow() ? 8 : 32;
    GridSolver solver(device_under_test(), {.width = side, .height = side, .x_walls = {Wall::dirichlet}}, options);
    std::vector<double> b(static_cast<std::size_t>(side) * side, 1.0), x(b.size(), 0.0);
    b[3] = 7;
    check_out_of_time(solver.solve(b, x));
}

TEST_CASE("a second method has no more than what the first has left of the seconds", "[solvers][time_limit]") {
    if (is_slow()) return;
    // gmres fails, and direct would go on. Each of the two alone keeps within the limit.
    const CsrMatrix A = with_rows_spread(convection_diffusion(24, {.diffusion = 0.5}));
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    std::int64_t last = -1, begun = 0;
    const Options options{.method = Method::automatic,
                          .direct = {.form = DirectForm::inverse},
                          .seconds = 2,
                          .observer = [&](const Progress& now) {
                              if (last < 0 || now.iteration < last) {
                                  ++begun;
                                  sleep_for(1.2);
                              }
                              last = now.iteration;
                              return true;
                          }};
    const Report report = solve(device_under_test(), A, b, x, options);
    CAPTURE(report.reason, begun);
    CHECK(report.outcome == Outcome::time_limit);
    CHECK(true_residual(A, x, b) == Approx(report.relative_residual).epsilon(1e-3));
}

TEST_CASE("limits that are none are refused", "[solvers][time_limit]") {
    const auto made = [](const Options& options) { Solver(device_under_test(), poisson2d(4), options); };
    CHECK_THROWS_WITH(made({.seconds = -1}), ContainsSubstring("seconds"));
    CHECK_THROWS_WITH(made({.seconds = std::numeric_limits<double>::quiet_NaN()}), ContainsSubstring("seconds"));
    CHECK_THROWS_WITH(made({.fixed_iterations = 5, .seconds = 1}),
                      ContainsSubstring("fixed_iterations and seconds: only one"));
}

}  // namespace tests_of_time_limit
