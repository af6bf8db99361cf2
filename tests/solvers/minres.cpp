// MINRES: what is its alone. Every method on every problem: conformance.cpp.
#include <cmath>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>
#include <limits>
#include <numeric>

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_minres {

using namespace glsolve;
using namespace glsolve::test;

namespace {

Report solve_minres(const CsrMatrix& A, const std::vector<double>& b, std::vector<double>& x, Options options = {}) {
    options.method = Method::minres;
    x.assign(b.size(), 0.0);
    const Report report = solve(device_under_test(), A, b, x, options);
    CHECK_FALSE(report.reason.empty());
    CHECK(report.relative_residual == Approx(true_residual(A, x, b)).epsilon(1e-3).margin(1e-15));
    return report;
}

/// -u_xx - u_yy with nothing flowing through the boundary: singular, and A 1 = 0.
CsrMatrix neumann(Index N) {
    std::vector<Triplet> entries;
    const auto couple = [&](Index i, Index j) {
        entries.insert(entries.end(), {{i, i, 1.0}, {j, j, 1.0}, {i, j, -1.0}, {j, i, -1.0}});
    };
    for (Index i = 0; i < N * N; ++i) {
        if (i % N != N - 1) couple(i, i + 1);
        if (i + N < N * N) couple(i, i + N);
    }
    return csr_from_triplets(N * N, N * N, entries);
}

/// ( H  B^T ; B  0 ): n unknowns that minimise, and n / 3 constraints on them with zeros on the diagonal.
CsrMatrix saddle_point(Index n) {
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; ++i) entries.push_back({i, i, 1.0 + 0.1 * i});
    for (Index k = 0; k < n / 3; ++k) {
        for (const Index i : {3 * k, 3 * k + 1, (3 * k + 3) % n}) {
            entries.push_back({i, n + k, 1.0 + 0.3 * (i % 3)});
            entries.push_back({n + k, i, 1.0 + 0.3 * (i % 3)});
        }
    }
    return csr_from_triplets(n + n / 3, n + n / 3, entries);
}

}  // namespace

TEST_CASE("the residual never grows, and is what the recurrence says", "[solvers][minres]") {
    const std::vector<Problem> problems = other_problems();
    const CsrMatrix& A = problems.back().A;  // shifted: eigenvalues on both sides of zero
    std::vector<double> x;
    const Report report = solve_minres(A, matching_right_hand_side(A), x, {.tolerance = 1e-4});
    REQUIRE(report.converged());
    CHECK(report.corrections == 1);
    CHECK(report.iterations <= A.rows);
    double before = 1 + 1e-6;
    for (const HistoryEntry& entry : report.history) {
        if (entry.corrected) continue;
        CHECK(entry.relative_residual <= before);
        before = entry.relative_residual;
    }
    CHECK(report.relative_residual == Approx(before).epsilon(0.05));
}

TEST_CASE("as many iterations as there are different eigenvalues", "[solvers][minres]") {
    std::vector<Triplet> entries;
    for (Index i = 0; i < 60; ++i)
        entries.push_back({i, i, std::array{-3.0, 0.5, 2.0}[static_cast<std::size_t>(i % 3)]});
    const CsrMatrix A = csr_from_triplets(60, 60, entries);
    std::vector<double> x;
    const Report plain = solve_minres(A, matching_right_hand_side(A), x,
                                      {.preconditioner = PreconditionerKind::none, .tolerance = 1e-4});
    CHECK(plain.converged());
    CHECK(plain.iterations == 3);
    // |diag(A)| leaves -1 and 1.
    const Report scaled = solve_minres(A, matching_right_hand_side(A), x, {.tolerance = 1e-4});
    CHECK(scaled.converged());
    CHECK(scaled.iterations == 2);
}

TEST_CASE("a zero on the diagonal is nothing to MINRES", "[solvers][minres][every_driver]") {
    const CsrMatrix A = saddle_point(60);
    const PreconditionerKind preconditioner = GENERATE(PreconditionerKind::none, PreconditionerKind::jacobi);
    std::vector<double> x;
    const Report report = solve_minres(A, matching_right_hand_side(A), x, {.preconditioner = preconditioner});
    CAPTURE(report.reason);
    CHECK(report.converged());
}

TEST_CASE("two floats are for products, and converge too", "[solvers][minres]") {
    if (!device_under_test().info().two_float_fault.empty()) return;
    const CsrMatrix A = saddle_point(30);
    std::vector<double> x;
    const Report report =
        solve_minres(A, matching_right_hand_side(A), x, {.precision = Precision::two_float, .tolerance = 1e-11});
    CAPTURE(report.reason);
    CHECK(report.converged());
}

TEST_CASE("a singular system converges where it has an answer", "[solvers][minres]") {
    const CsrMatrix A = neumann(9);
    const PreconditionerKind preconditioner = GENERATE(PreconditionerKind::none, PreconditionerKind::jacobi);
    std::vector<double> x;
    const Report report = solve_minres(A, matching_right_hand_side(A), x, {.preconditioner = preconditioner});
    CAPTURE(report.reason);
    CHECK(report.converged());
}

TEST_CASE("a singular system without an answer ends near the least residual, and says why", "[solvers][minres]") {
    const CsrMatrix A = neumann(9);
    std::vector<double> b = matching_right_hand_side(A), x;
    for (double& v : b) v += 0.25;  // the part that A cannot make
    const Report report = solve_minres(A, b, x, {.preconditioner = PreconditionerKind::none});
    CAPTURE(name(report.outcome), report.reason);
    CHECK(report.outcome == Outcome::inconsistent);
    CHECK_THAT(report.reason, ContainsSubstring("singular"));
    const double size = std::sqrt(std::inner_product(b.begin(), b.end(), b.begin(), 0.0));
    CHECK(report.relative_residual == Approx(0.25 * 9 / size).epsilon(0.01));
}

TEST_CASE("a matrix that is not symmetric gives no wrong answer", "[solvers][minres]") {
    const CsrMatrix A = convection_diffusion(12);
    const Options options{.max_iterations = 2000};
    std::vector<double> x;
    const Report report = solve_minres(A, matching_right_hand_side(A), x, options);
    CAPTURE(name(report.outcome), report.reason);
    CHECK_FALSE(report.converged());
    CHECK_THAT(report.reason, ContainsSubstring("not symmetric") && ContainsSubstring("gmres"));
    CHECK(report.relative_residual <= 1);  // the best answer so far
}

TEST_CASE("a right-hand side that is not finite is an outcome of MINRES", "[solvers][minres]") {
    const CsrMatrix A = poisson2d(8);
    std::vector<double> b(64, 1.0), x(64, 0.0);
    b[5] = GENERATE(std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity());
    const Report report = solve(device_under_test(), A, b, x, {.method = Method::minres});
    CHECK(report.outcome == Outcome::not_finite);
}

TEST_CASE("a second solve by MINRES allocates nothing and gives the same bits", "[solvers][minres][preconditioners]") {
    for (const PreconditionerKind kind : {PreconditionerKind::jacobi, PreconditionerKind::ic0}) {
        CAPTURE(name(kind));
        const CsrMatrix A = kind == PreconditionerKind::jacobi ? saddle_point(45) : poisson2d(7);
        const std::vector<double> b = matching_right_hand_side(A);
        Solver solver(device_under_test(), A, {.method = Method::minres, .preconditioner = kind});
        std::vector<double> first(b.size(), 0.0), second(b.size(), 0.0);
        const Report one = solver.solve(b, first);
        REQUIRE(one.converged());
        const Counters before = backend_under_test().counters();
        const Report two = solver.solve(b, second);
        CHECK(backend_under_test().counters().allocations == before.allocations);
        CHECK(two.iterations == one.iterations);
        CHECK(second == first);
    }
}

}  // namespace tests_of_minres
