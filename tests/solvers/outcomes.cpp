// What is not a success has a status and a reason in words; what cannot be begun is refused.
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>
#include <limits>

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_outcomes {

using namespace glsolve;
using namespace glsolve::test;

namespace {

struct Attempt {
    Report report;
    std::vector<double> x;
};

Attempt run(const CsrMatrix& A, const std::vector<double>& b, const Options& options = {}) {
    Attempt o;
    o.x.assign(b.size(), 0.0);
    o.report = solve(device_under_test(), A, b, o.x, options);
    CHECK_FALSE(o.report.reason.empty());
    if (std::isfinite(o.report.relative_residual)) {
        // Rounding may be a tenth of what is told, no more.
        CHECK(o.report.relative_residual == Approx(exact_residual(A, o.x, b)).epsilon(0.1).margin(1e-15));
    }
    return o;
}

/// The Hilbert matrix: symmetric positive definite, condition 1e+16 from n = 12 on.
CsrMatrix hilbert(Index n) {
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) entries.push_back({i, j, 1.0 / (i + j + 1)});
    }
    return csr_from_triplets(n, n, entries);
}

/// The 7-point Laplacian of N x N x N cells behind closed walls: singular.
CsrMatrix closed_box(Index N) {
    std::vector<Triplet> entries;
    const auto couple = [&](Index i, Index j) {
        entries.insert(entries.end(), {{i, i, 1.0}, {j, j, 1.0}, {i, j, -1.0}, {j, i, -1.0}});
    };
    for (Index i = 0; i < N * N * N; ++i) {
        if (i % N + 1 < N) couple(i, i + 1);
        if (i / N % N + 1 < N) couple(i, i + N);
        if (i / (N * N) + 1 < N) couple(i, i + N * N);
    }
    return csr_from_triplets(N * N * N, N * N * N, entries);
}

}  // namespace

TEST_CASE("an indefinite matrix ends in a breakdown that double precision confirms",
          "[solvers][outcomes][every_driver]") {
    CsrMatrix A = poisson2d(8);
    for (double& v : A.value) v = v == 4 ? 1.0 : v;  // eigenvalues on both sides of zero
    const auto [report, x] = run(A, std::vector<double>(64, 1.0), {.preconditioner = PreconditionerKind::none});
    CHECK(report.outcome == Outcome::breakdown);
    CHECK_THAT(report.reason, ContainsSubstring("not positive definite"));
}

TEST_CASE("a negative definite matrix ends in a breakdown", "[solvers][outcomes]") {
    CsrMatrix A = poisson2d(8);
    for (double& v : A.value) v = -v;
    const auto [report, x] = run(A, std::vector<double>(64, 1.0));
    CHECK(report.outcome == Outcome::breakdown);
}

TEST_CASE("two floats solve what single precision with corrections cannot", "[solvers][outcomes]") {
    if (is_slow() && device_under_test().info().stage == Stage::compute) return;  // minutes there
    // A beam: fourth differences, condition about 1e9; entries that single precision does not hold.
    const Index n = 220;
    std::vector<Triplet> entries;
    const double third = 1.0 / 3.0;
    for (Index i = 0; i < n; ++i) {
        for (const auto& [j, value] : {std::pair{i - 2, 1.0}, {i - 1, -4.0}, {i, 6.0}, {i + 1, -4.0}, {i + 2, 1.0}}) {
            if (j >= 0 && j < n) entries.push_back({i, j, third * value * (1 + 1e-9 * (i + j))});
        }
    }
    const CsrMatrix A = csr_from_triplets(n, n, entries);
    const std::vector<double> b = matching_right_hand_side(A);
    const auto [single, x1] = run(A, b, {.precision = Precision::single, .tolerance = 1e-11});
    const auto [two, x2] = run(A, b, {.precision = Precision::two_float, .tolerance = 1e-11});
    const auto [automatic, x3] = run(A, b, {.tolerance = 1e-11});
    CHECK(two.converged());
    CHECK(two.corrections <= 5);
    CHECK(automatic.converged());
    if (!single.converged()) CHECK_THAT(automatic.reason, ContainsSubstring("in two floats from iteration"));
    CHECK((single.converged() || single.outcome == Outcome::precision_limit));
}

TEST_CASE("where BiCGStab breaks down, BiCGStab(2) goes on", "[solvers][outcomes]") {
    // t = A s is orthogonal to s, whatever s is; two steps at a time do not mind.
    const CsrMatrix A = skew_symmetric(20);
    std::vector<double> x(20, 0.0);
    const Report report = solve(device_under_test(), A, std::vector<double>(20, 1.0), x,
                                {.method = Method::bicgstab, .preconditioner = PreconditionerKind::none});
    CAPTURE(report.reason);
    CHECK(report.outcome == Outcome::converged);
    CHECK(report.remarks.find("BiCGStab(2) from iteration") != std::string::npos);
    CHECK(report.history.back().iteration == report.iterations);
    std::fill(x.begin(), x.end(), 0.0);
    const Report other = solve(device_under_test(), A, std::vector<double>(20, 1.0), x,
                               {.method = Method::bicgstab2, .preconditioner = PreconditionerKind::none});
    CHECK(other.converged());
    CHECK(other.remarks.empty());
}

TEST_CASE("BiCGStab says where two steps at a time break down, too", "[solvers][outcomes]") {
    // Singular, and b such that A b = 0: there is no direction in which anything happens, and no answer.
    const CsrMatrix A = csr_from_triplets(2, 2, std::vector<Triplet>{{0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {1, 1, 1}});
    const std::vector<double> b{1, -1};
    const Method method = GENERATE(Method::bicgstab, Method::bicgstab2);
    std::vector<double> x(2, 0.0);
    const Report report =
        solve(device_under_test(), A, b, x, {.method = method, .preconditioner = PreconditionerKind::none});
    CAPTURE(report.reason);
    CHECK(report.outcome == Outcome::inconsistent);
    CHECK(report.reason.find("gmres") != std::string::npos);
    CHECK(report.relative_residual == Approx(1));
}

TEST_CASE("a chain with couplings over eight powers of ten is solved with amg by every coarsening, or soon given up",
          "[solvers][outcomes]") {
    if (is_slow()) return;
    const Index n = 100;
    std::vector<Triplet> entries{{0, 0, 1.0}};
    for (Index i = 0; i + 1 < n; ++i) {
        const double k = std::pow(10.0, (i * 37 % 81) / 10.0 - 4);
        entries.insert(entries.end(), {{i, i, k}, {i + 1, i + 1, k}, {i, i + 1, -k}, {i + 1, i, -k}});
    }
    const CsrMatrix A = csr_from_triplets(n, n, entries);
    for (const Coarsening coarsening : all_coarsenings()) {
        CAPTURE(name(coarsening));
        const auto [report, x] =
            run(A, matching_right_hand_side(A),
                {.preconditioner = PreconditionerKind::amg, .amg = {.coarsening = coarsening, .coarsest = 20}});
        CAPTURE(report.reason);
        CHECK((report.converged() || report.iterations < 20 * n));
        // Rounding in double precision is not to blame: a direct method finds an x with 1e-16.
        CHECK(report.reason.find("rounding in double precision alone") == std::string::npos);
    }
}

TEST_CASE("what no x solves is told soon, with how near an x can come", "[solvers][outcomes]") {
    if (is_slow()) return;
    // A closed box, and a b that is off balance by 1e-5 |b|: more than the tolerance.
    const CsrMatrix A = closed_box(12);
    std::vector<double> b = matching_right_hand_side(A);
    double norm = 0;
    for (const double b_i : b) norm += b_i * b_i;
    const double share = 1e-5, off = share * std::sqrt(norm / static_cast<double>(b.size()));
    for (double& b_i : b) b_i += off;
    for (const PreconditionerKind M : {PreconditionerKind::jacobi, PreconditionerKind::amg}) {
        CAPTURE(name(M));
        Attempt almost;
        almost.x.assign(b.size(), 0.0);
        const Report reaches =
            solve(device_under_test(), A, b, almost.x, {.preconditioner = M, .tolerance = 4 * share});
        CHECK(reaches.converged());
        const auto [report, x] = run(A, b, {.preconditioner = M});
        CAPTURE(report.reason, report.iterations, reaches.iterations);
        CHECK(report.outcome == Outcome::inconsistent);
        CHECK(report.relative_residual >= 0.99 * share);
        CHECK(report.relative_residual < 4 * share);
        CHECK(report.iterations < 5 * reaches.iterations + 64);
    }
}

TEST_CASE("iterations run out", "[solvers][outcomes]") {
    const CsrMatrix A = poisson2d(24);
    const auto [report, x] = run(A, matching_right_hand_side(A), {.max_iterations = 7});
    CHECK(report.outcome == Outcome::max_iterations);
    CHECK(report.iterations == 7);
    CHECK_THAT(report.reason, ContainsSubstring("7"));
    CHECK(report.relative_residual < 1);  // the work done is not lost
}

TEST_CASE("a tolerance that double precision cannot reach is a precision limit", "[solvers][outcomes]") {
    const CsrMatrix A = anisotropic(16, 0.01);
    const auto [report, x] = run(A, matching_right_hand_side(A), {.tolerance = 1e-19});
    CHECK(report.outcome == Outcome::precision_limit);
    CHECK_THAT(report.reason, ContainsSubstring("double precision"));
    CHECK(report.relative_residual < 1e-14);
}

TEST_CASE("a matrix too ill-conditioned for single precision is a precision limit", "[solvers][outcomes]") {
    if (is_slow() && device_under_test().info().stage == Stage::compute) return;  // minutes there
    const CsrMatrix A = hilbert(14);
    std::vector<double> b(14, 1.0);
    const auto [report, x] = run(A, b, {.tolerance = 1e-12});
    CAPTURE(report.reason);
    CHECK((report.outcome == Outcome::precision_limit || report.outcome == Outcome::breakdown));
    CHECK(report.outcome != Outcome::converged);
}

TEST_CASE("a matrix that is not symmetric ends, whatever happens", "[solvers][outcomes]") {
    if (is_slow() && device_under_test().info().stage == Stage::compute) return;  // minutes there
    // A rotation by a quarter in each pair: (p,Ap) is small and positive, and conjugate gradients get nowhere.
    std::vector<Triplet> entries;
    for (Index i = 0; i < 40; i += 2) {
        entries.insert(entries.end(), {{i, i, 0.01}, {i, i + 1, 1.0 + i}, {i + 1, i, -1.0 - i}, {i + 1, i + 1, 0.01}});
    }
    const CsrMatrix A = csr_from_triplets(40, 40, entries);
    const auto [report, x] = run(A, matching_right_hand_side(A), {.preconditioner = PreconditionerKind::none});
    CAPTURE(name(report.outcome), report.reason);
    CHECK_FALSE(report.converged());
    CHECK(report.relative_residual <= 1);  // the best answer so far, here the guess
}

TEST_CASE("a right-hand side that is not finite is an outcome", "[solvers][outcomes]") {
    std::vector<double> b(64, 1.0);
    b[5] = GENERATE(std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity());
    const auto [report, x] = run(poisson2d(8), b);
    CHECK(report.outcome == Outcome::not_finite);
}

TEST_CASE("the observer sees progress and can cancel", "[solvers][outcomes]") {
    const CsrMatrix A = poisson2d(24);
    std::vector<Progress> seen;
    Options options;
    options.observer = [&](const Progress& progress) {
        seen.push_back(progress);
        return seen.size() < 3;
    };
    const auto [report, x] = run(A, matching_right_hand_side(A), options);
    CHECK(report.outcome == Outcome::cancelled);
    REQUIRE(seen.size() == 3);
    CHECK(seen[1].iteration > seen[0].iteration);
    CHECK(seen[1].relative_residual > 0);
}

TEST_CASE("what cannot be solved is refused by name", "[solvers][refusals]") {
    Device& device = device_under_test();
    const auto make = [&](CsrMatrix A, Options o = {}) { Solver solver(device, std::move(A), o); };
    const auto triplets = [](Index rows, Index columns, std::vector<Triplet> t) {
        return csr_from_triplets(rows, columns, t);
    };
    CHECK_THROWS_WITH(make(triplets(3, 4, {{0, 0, 1}})), ContainsSubstring("3 x 4"));
    CHECK_THROWS_WITH(make(triplets(2, 2, {{0, 0, 1}, {1, 0, 1}})),
                      ContainsSubstring("row 2") && ContainsSubstring("zero on the diagonal"));
    CHECK_NOTHROW(make(triplets(2, 2, {{0, 0, 1}, {1, 0, 1}}), {.preconditioner = PreconditionerKind::none}));
    CHECK_THROWS_AS(make(triplets(1, 1, {{0, 0, std::numeric_limits<double>::infinity()}})), InvalidInput);
    CHECK_THROWS_WITH(make(triplets(2, 2, {{0, 0, 1}, {0, 1, 1e40}, {1, 0, 1e40}, {1, 1, 1}})),
                      ContainsSubstring("row 1, column 2") && ContainsSubstring("single precision"));
    CHECK_THROWS_AS(make(poisson2d(3), {.tolerance = -1}), InvalidInput);
    CHECK_THROWS_AS(make(poisson2d(3), {.tolerance = std::numeric_limits<double>::quiet_NaN()}), InvalidInput);
    CHECK_THROWS_AS(make(poisson2d(3), {.max_iterations = -1}), InvalidInput);
    Solver solver(device, poisson2d(3));
    std::vector<double> b(9), x(8);
    CHECK_THROWS_WITH(solver.solve(b, x), ContainsSubstring("9") && ContainsSubstring("8"));
}

}  // namespace tests_of_outcomes
