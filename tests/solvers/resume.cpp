// Solves in pieces: each goes on where the one before has ended.
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>

#include "amg/sparse_product.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_resume {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// Iterations until it has converged, in pieces of so many; `anew`: each piece is a solve from the last x.
std::int64_t in_pieces(const CsrMatrix& A, Options options, std::int64_t piece, bool anew) {
    options.max_iterations = piece;
    Solver solver(device_under_test(), A, options);
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    std::int64_t iterations = 0;
    for (int k = 0; k < 400; ++k) {
        const Report report = k == 0 || anew ? solver.solve(b, x) : solver.resume(b, x);
        iterations += report.iterations;
        CHECK(report.iterations <= piece);
        CHECK(report.relative_residual == Approx(true_residual(A, x, b)).epsilon(1e-3).margin(1e-15));
        if (report.converged()) return iterations;
        CHECK(report.outcome == Outcome::max_iterations);
    }
    return 1'000'000;
}

}  // namespace

TEST_CASE("a solve in pieces needs as many iterations as one", "[solvers][resume]") {
    const CsrMatrix A = anisotropic(is_slow() ? 8 : 16, 0.05);
    const auto [method, piece] =
        GENERATE(table<Method, std::int64_t>({{Method::cg, 7}, {Method::pipelined_cg, 7}, {Method::chebyshev, 16}}));
    Options options{.method = method};
    const std::int64_t whole = in_pieces(A, options, 100'000, false), pieces = in_pieces(A, options, piece, false);
    CAPTURE(name(method), whole, pieces, in_pieces(A, options, piece, true));
    CHECK(pieces <= whole + whole / 4 + 16);
    if (is_slow()) return;                                           // so small a system is solved before it matters
    CHECK(2 * pieces < in_pieces(A, options, piece, true) + whole);  // anew it would lose what it has learnt
}

TEST_CASE("conjugate gradients get over a hill in short pieces", "[solvers][resume]") {
    // |r| climbs at first: no piece ends lower than it began until it has come down again.
    const CsrMatrix A = poisson2d(is_slow() ? 24 : 96);
    const std::vector<double> b(static_cast<std::size_t>(A.rows), 1.0);
    for (const Method method : {Method::cg, Method::pipelined_cg}) {
        CAPTURE(name(method));
        Options options{.method = method, .preconditioner = PreconditionerKind::none, .max_iterations = 4};
        Solver solver(device_under_test(), A, options);
        std::vector<double> x(b.size(), 0.0);
        Report report = solver.solve(b, x);
        double last = report.relative_residual;
        std::int64_t iterations = report.iterations;
        bool climbed = false;
        for (int k = 0; k < 400 && !report.converged(); ++k) {
            report = solver.resume(b, x);
            climbed = climbed || report.relative_residual == last;
            CHECK(report.relative_residual <= last);  // what is handed back is the best so far
            CHECK(report.relative_residual == Approx(true_residual(A, x, b)).epsilon(1e-3).margin(1e-15));
            last = report.relative_residual;
            iterations += report.iterations;
        }
        CHECK(climbed);
        CHECK(report.converged());
        options.max_iterations = 0;
        Solver whole(device_under_test(), A, options);
        std::vector<double> y(b.size(), 0.0);
        CHECK(iterations <= whole.solve(b, y).iterations * 5 / 4 + 16);
    }
}

TEST_CASE("what was left off is not taken up for another right-hand side", "[solvers][resume]") {
    const CsrMatrix A = poisson2d(is_slow() ? 24 : 96);
    const std::vector<double> b(static_cast<std::size_t>(A.rows), 1.0), other = matching_right_hand_side(A);
    Solver solver(device_under_test(), A,
                  {.method = Method::cg, .preconditioner = PreconditionerKind::none, .max_iterations = 4});
    std::vector<double> x(b.size(), 0.0);
    CHECK(solver.solve(b, x).relative_residual == 1);  // it has climbed: x is 0 again
    CHECK(solver.resume(b, x).history.front().relative_residual > 1.5);
    CHECK(solver.resume(other, x).history.front().relative_residual == 1);
}

TEST_CASE("a solve that changed to two floats goes on from there", "[solvers][resume]") {
    // Two times 12,000 iterations; what is under test happens on the host, whatever the device is.
    if (device_under_test().info().backend != BackendKind::host) return;
    const CsrMatrix one = poisson2d(32), two = multiply(one, one), A = multiply(two, two);
    const std::vector<double> b = matching_right_hand_side(A);
    Solver solver(device_under_test(), A, {.method = Method::cg, .tolerance = 1e-10, .max_iterations = 12000});
    std::vector<double> x(b.size(), 0.0);
    const Report first = solver.solve(b, x);
    CHECK_THAT(first.reason, ContainsSubstring("in two floats from iteration"));
    CHECK(first.outcome == Outcome::max_iterations);
    const Report second = solver.resume(b, x);
    CHECK(second.history.front().relative_residual == Approx(first.relative_residual));
    CHECK(second.relative_residual < first.relative_residual);
}

TEST_CASE("every method can go on", "[solvers][resume]") {
    const CsrMatrix A = poisson2d(is_slow() ? 6 : 10);
    for (const Method method : all_methods()) {
        if (method == Method::direct || method == Method::automatic) continue;
        if (is_slow() && method != Method::gmres && method != Method::bicgstab) continue;
        CAPTURE(name(method));
        CHECK(in_pieces(A, {.method = method}, 64, false) < 5000);
    }
}

TEST_CASE("nothing is taken up where there was no solve, or where it was another system", "[solvers][resume]") {
    const CsrMatrix A = poisson2d(9);
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> other(b.size());
    for (std::size_t i = 0; i < other.size(); ++i) other[i] = i % 3 == 0 ? 1e5 : -2.0;
    Solver solver(device_under_test(), A);
    std::vector<double> x(b.size(), 0.0);
    CHECK(solver.resume(b, x).converged());
    CHECK(true_residual(A, x, b) <= 1e-8 * (1 + 1e-6));
    CHECK(solver.resume(other, x).converged());  // worse than a solve, but true
    CHECK(true_residual(A, x, other) <= 1e-8 * (1 + 1e-6));
}

}  // namespace tests_of_resume
