// The direct method: any matrix that is not singular, small enough for its inverse.
#include <array>
#include <cmath>
#include <glsolve/dense.hpp>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>
#include <random>

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_direct {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// Uniform in [-1, 1): neither symmetric nor dominant.
DenseMatrix random_dense(Index n, unsigned seed) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    DenseMatrix A(n, n);
    for (double& v : A.values) v = uniform(generator);
    return A;
}

Report solve_directly(const CsrMatrix& A, const std::vector<double>& b, std::vector<double>& x, Options options) {
    options.method = Method::direct;
    x.assign(b.size(), 0.0);
    Report report = solve(device_under_test(), A, b, x, options);
    CHECK_FALSE(report.reason.empty());
    CHECK(report.history.size() == static_cast<std::size_t>(report.corrections) + 1);
    if (std::isfinite(report.relative_residual)) {
        CHECK(report.relative_residual == Approx(exact_residual(A, x, b)).epsilon(0.05).margin(1e-15));
    }
    return report;
}

void check_solved(const CsrMatrix& A, const std::vector<double>& b) {
    for (const DirectForm form : {DirectForm::inverse, DirectForm::factors}) {
        std::vector<double> x;
        const Report report = solve_directly(A, b, x, {.direct = {.form = form}, .tolerance = 1e-12});
        CAPTURE(name(form), report.reason);
        CHECK(report.converged());
    }
}

}  // namespace

TEST_CASE("the direct method reaches 1e-12, with whatever symmetry", "[solvers][accuracy][direct]") {
    const std::vector<Problem> problems{{"random dense", to_csr(random_dense(61, 3))},
                                        {"one row", csr_from_triplets(1, 1, {{{0, 0, -3.0}}})},
                                        {"convection", convection_diffusion(7, {.diffusion = 0.01})},
                                        {"poisson", poisson2d(6)}};
    for (const auto& [problem, A, definite, grid] : problems) {
        if (A.rows > 50 && is_slow()) continue;
        for (const FormatKind format : {FormatKind::automatic, FormatKind::dense, FormatKind::ell}) {
            const DirectForm form = format == FormatKind::automatic ? DirectForm::factors : DirectForm::inverse;
            CAPTURE(problem, name(format));
            const std::vector<double> b = matching_right_hand_side(A);
            std::vector<double> x;
            const Report report =
                solve_directly(A, b, x, {.format = format, .direct = {.form = form}, .tolerance = 1e-12});
            CAPTURE(report.reason);
            CHECK(report.converged());
            CHECK(true_residual(A, x, b) <= 1e-12 * (1 + 1e-3));
            CHECK(report.corrections >= 1);
            CHECK(report.corrections <= 8);
        }
    }
}

TEST_CASE("zeros on the diagonal are what pivots are for", "[solvers][direct][every_driver]") {
    // A cyclic shift, scaled: no diagonal entry at all.
    const Index n = 33;
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; ++i) entries.push_back({i, (i + 1) % n, 1.0 + i});
    const CsrMatrix A = csr_from_triplets(n, n, entries);
    check_solved(A, matching_right_hand_side(A));
}

TEST_CASE("tiny numbers on the diagonal are no scale", "[solvers][direct]") {
    // As modified nodal analysis makes them: currents of voltage sources have next to nothing on the diagonal.
    const CsrMatrix A = csr_from_triplets(
        3, 3, {{{0, 0, 2.0}, {0, 2, 1.0}, {1, 1, 3.0}, {1, 2, -1.0}, {2, 0, 1.0}, {2, 1, -1.0}, {2, 2, 1e-70}}});
    check_solved(A, matching_right_hand_side(A));
}

TEST_CASE("columns may be far from each other", "[solvers][direct]") {
    const std::array<std::array<double, 3>, 3> B{{{2, 1, 1}, {1, 3, 1}, {1, 1, 4}}};
    for (const std::array far : {std::array{1.0, 1e-20, 1e-40}, std::array{1.0, 1e-18, 1e-38}}) {
        std::vector<Triplet> entries;
        for (std::size_t i = 0; i < 3; ++i) {
            for (std::size_t j = 0; j < 3; ++j) {
                entries.push_back({static_cast<Index>(i), static_cast<Index>(j), B[i][j] * far[j]});
            }
        }
        const CsrMatrix A = csr_from_triplets(3, 3, entries);
        check_solved(A, matching_right_hand_side(A));
        // And x as far from each other, the other way round: beyond single precision's range.
        std::vector<double> x{1 / far[0], -2 / far[1], 3 / far[2]}, b(3);
        multiply(A, x, b);
        check_solved(A, b);
    }
}

TEST_CASE("numbers that outgrow single precision get double precision where n is small, else words",
          "[solvers][direct]") {
    if (is_slow()) return;
    // Wilkinson's matrix: with partial pivoting its last column doubles in each step. Its condition is small.
    const Index n = GENERATE(140, 520);
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < i; ++j) entries.push_back({i, j, -1.0});
        if (i + 1 < n) entries.push_back({i, i, 1.0});
        entries.push_back({i, n - 1, 1.0});
    }
    std::vector<double> x;
    const Report report =
        solve_directly(csr_from_triplets(n, n, entries), std::vector<double>(static_cast<std::size_t>(n), 1.0), x,
                       {.tolerance = 1e-12});
    CAPTURE(report.reason);
    CHECK(report.converged() == (n == 140));
    CHECK((report.converged() || report.outcome == Outcome::breakdown || report.outcome == Outcome::not_finite
           || report.outcome == Outcome::precision_limit));
}

TEST_CASE("entries over sixty orders of magnitude are scaled on the way", "[solvers][direct]") {
    CsrMatrix A = poisson2d(5);
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            A.value[k] = std::ldexp(A.value[k], 4 * (i + A.column[k]) - 96);
        }
    }
    std::vector<double> b(25);  // such that the residual of no row is beyond what rounding in another one makes
    for (std::size_t i = 0; i < 25; ++i) b[i] = std::ldexp(1.0, 4 * static_cast<int>(i));
    check_solved(A, b);
}

TEST_CASE("a singular matrix has no inverse, and that is said", "[solvers][direct]") {
    DenseMatrix A = random_dense(20, 5);
    for (Index i = 0; i < 20; ++i) A(i, 7) = A(i, 3);  // the same column twice
    std::vector<double> b(20, 0.0), x;
    b[0] = 1;
    const Report report = solve_directly(to_csr(A), b, x, {.tolerance = 1e-12});
    CAPTURE(report.reason, name(report.outcome));
    CHECK(report.outcome == Outcome::inconsistent);  // b is not in the range of A
    CHECK_THAT(report.reason, ContainsSubstring("singular"));
    CHECK(report.relative_residual < 0.1);  // 1.7e-2 is the least there is
}

TEST_CASE("what an inverse in single precision cannot solve is a precision limit", "[solvers][direct]") {
    const Index n = 12;
    DenseMatrix A(n, n);  // Hilbert's
    for (Index i = 0; i < n; ++i) {
        for (Index j = 0; j < n; ++j) A(i, j) = 1.0 / (i + j + 1);
    }
    std::vector<double> x;
    const Report report = solve_directly(to_csr(A), std::vector<double>(12, 1.0), x, {.tolerance = 1e-12});
    CAPTURE(report.reason);
    CHECK((report.outcome == Outcome::precision_limit || report.outcome == Outcome::breakdown));
}

TEST_CASE("the direct method keeps to the rules of all methods", "[solvers][direct]") {
    const CsrMatrix A = poisson2d(5);
    std::vector<double> b(25, 1.0), x;
    const DirectOptions inverse{.form = DirectForm::inverse};
    SECTION("a limit of corrections") {
        const Report report = solve_directly(A, b, x, {.direct = inverse, .tolerance = 1e-14, .max_iterations = 1});
        CHECK(report.outcome == Outcome::max_iterations);
        CHECK(report.corrections == 1);
        CHECK(report.relative_residual < 1e-5);
    }
    SECTION("an observer that cancels") {
        // Two panels are inverted, then a correction is made: each of them can be the last.
        const int last = GENERATE(1, 2, 3);
        int asked = 0;
        const Report report = solve_directly(
            A, b, x,
            {.direct = inverse, .tolerance = 1e-14, .observer = [&](const Progress&) { return ++asked < last; }});
        CHECK(report.outcome == Outcome::cancelled);
        CHECK(asked == last);
        CHECK(report.corrections == (last == 3 ? 1 : 0));
        CHECK_THAT(report.reason, ContainsSubstring(last == 3 ? "relative residual" : "inverted"));
    }
    SECTION("not a number") {
        b[3] = std::nan("");
        CHECK(solve_directly(A, b, x, {}).outcome == Outcome::not_finite);
    }
    SECTION("two floats are for iterations") {
        CHECK_THROWS_AS(solve_directly(A, b, x, {.precision = Precision::two_float}), InvalidInput);
    }
    SECTION("one solver, many right-hand sides, a guess that is used") {
        Solver solver(device_under_test(), A, {.method = Method::direct, .tolerance = 1e-12});
        x.assign(25, 0.0);
        CHECK(solver.solve(b, x).converged());
        const Report warm = solver.solve(b, x);
        CHECK(warm.converged());
        CHECK(warm.corrections == 0);
        b[7] = -5;
        CHECK(solver.solve(b, x).converged());
        CHECK(true_residual(A, x, b) <= 1e-12 * (1 + 1e-3));
    }
}

TEST_CASE("factors keep to the budget of the caller", "[solvers][direct]") {
    const CsrMatrix A = poisson3d(14);
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x;
    const DirectOptions factors{.form = DirectForm::factors};
    const Report report = solve_directly(A, b, x, {.direct = factors, .seconds = 1e-5});
    CHECK(report.outcome == Outcome::time_limit);
    CHECK_THAT(report.reason, ContainsSubstring("sparse factors are predicted to take about"));
    CHECK_THROWS_WITH(solve_directly(A, b, x, {.direct = factors, .memory = 0.001}), ContainsSubstring("memory 0.001"));
    CHECK(solve_directly(A, b, x, {.direct = factors}).converged());
}

TEST_CASE("factors of a large singular matrix solve what can be solved", "[solvers][direct]") {
    if (is_slow()) return;
    const CsrMatrix A = graph_laplacian(2000, 5);  // too many rows for dense factors
    std::vector<double> x;
    const Report report = solve_directly(A, matching_right_hand_side(A), x, {.direct = {.form = DirectForm::factors}});
    CAPTURE(report.reason);
    CHECK(report.converged());
}

TEST_CASE("a dense matrix goes into a solver as it is", "[solvers][dense]") {
    DenseMatrix A = random_dense(30, 9);
    for (Index i = 0; i < 30; ++i) {  // symmetric, strictly dominant: positive definite
        for (Index j = 0; j < i; ++j) A(i, j) = A(j, i);
        A(i, i) = 40 + i;
    }
    const CsrMatrix sparse = to_csr(A);
    const std::vector<double> b = matching_right_hand_side(sparse);
    for (const Method method : {Method::cg, Method::direct}) {
        CAPTURE(name(method));
        Solver solver(device_under_test(), A, {.method = method, .tolerance = 1e-12});
        CHECK(solver.format().format == FormatKind::dense);
        std::vector<double> x(30, 0.0);
        CHECK(solver.solve(b, x).converged());
        CHECK(true_residual(sparse, x, b) <= 1e-12 * (1 + 1e-3));
        std::vector<double> again(30, 0.0);
        CHECK(solve(device_under_test(), A, b, again, {.method = method, .tolerance = 1e-12}).converged());
    }
    A.values.pop_back();
    CHECK_THROWS_AS(Solver(device_under_test(), A), InvalidInput);
}

}  // namespace tests_of_direct
