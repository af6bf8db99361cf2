// MINRES with a preconditioner of its own passes: what it takes, what it gains, and what an unfit one ends as.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>
#include <numeric>

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_minres_preconditioned {

using namespace glsolve;
using namespace glsolve::test;
using Kind = PreconditionerKind;
using Numbers = std::vector<double>;

namespace {

struct Solved {
    Report report;
    Numbers x;
};

Solved run(const CsrMatrix& A, const Numbers& b, Options options) {
    options.method = Method::minres;
    Solved solved{.report = {}, .x = Numbers(b.size(), 0.0)};
    solved.report = solve(device_under_test(), A, b, solved.x, options);
    CHECK_FALSE(solved.report.reason.empty());
    CHECK(solved.report.relative_residual == Approx(true_residual(A, solved.x, b)).epsilon(1e-3).margin(1e-15));
    return solved;
}

Report solved(const CsrMatrix& A, const Options& options) {
    return run(A, matching_right_hand_side(A), options).report;
}

/// Factors in a way that no measured time decides.
Options by_levels(Kind kind) {
    return {.preconditioner = kind, .preconditioning = {.apply = FactorApplication::levels}};
}

/// a A - sigma I
CsrMatrix shifted(CsrMatrix A, double a, double sigma) {
    for (double& v : A.value) v *= a;
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset e = A.offsets[i]; e < A.offsets[i + 1]; ++e) {
            if (A.column[e] == i) A.value[e] -= sigma;
        }
    }
    return A;
}

/// Eigenvalues on both sides of zero, and a diagonal of one sign.
CsrMatrix helmholtz() { return shifted(poisson2d(is_slow() ? 8 : 24), 1, is_slow() ? 0.9 : 0.3); }

/// A chain of springs whose diagonal changes its sign halfway.
CsrMatrix of_both_signs(Index n) {
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; ++i) {
        entries.push_back({i, i, i < n / 2 ? 3.0 : -3.0});
        if (i + 1 < n) entries.insert(entries.end(), {{i, i + 1, 1.0}, {i + 1, i, 1.0}});
    }
    return csr_from_triplets(n, n, entries);
}

double dot(const Numbers& x, const Numbers& y) { return std::inner_product(x.begin(), x.end(), y.begin(), 0.0); }

/// x <- x + a y
void add(Numbers& x, double a, const Numbers& y) {
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += a * y[i];
}

Numbers product(const CsrMatrix& A, const Numbers& x) {
    Numbers y(x.size());
    multiply(A, x, y);
    return y;
}

/// Two steps of damped Jacobi from zero: z = w D^-1 r,  z <- z + w D^-1 (r - A z).
Numbers two_steps(const CsrMatrix& A, double w, const Numbers& r) {
    const Numbers d = diagonal(A);
    Numbers z(r.size());
    for (int step = 0; step < 2; ++step) {
        const Numbers A_z = product(A, z);
        for (std::size_t i = 0; i < r.size(); ++i) z[i] += w / d[i] * (r[i] - A_z[i]);
    }
    return z;
}

/// What MINRES makes smallest, |b - A x| in the norm of M^-1, after 0, 1, ... steps of the textbook in double precision
/// (Elman, Silvester and Wathen, algorithm 6.1, by Givens rotations), and |b - A x| of the same x.
std::vector<double> residuals_of_textbook(const CsrMatrix& A, double w, const Numbers& b, int steps) {
    Numbers x(b.size()), v_before(b.size()), v = b, w_before(b.size()), w_now(b.size()), z = two_steps(A, w, v);
    double gamma_before = 1, gamma = std::sqrt(dot(z, v)), eta = gamma, s_before = 0, s = 0, c_before = 1, c = 1;
    std::vector<double> norms{1.0};
    for (int k = 0; k < steps; ++k) {
        for (double& number : z) number /= gamma;
        Numbers v_next = product(A, z);
        const double delta = dot(v_next, z);
        add(v_next, -delta / gamma, v);
        add(v_next, -gamma / gamma_before, v_before);
        const Numbers z_next = two_steps(A, w, v_next);
        const double gamma_next = std::sqrt(dot(z_next, v_next));
        const double a0 = c * delta - c_before * s * gamma, a1 = std::hypot(a0, gamma_next);
        const double a2 = s * delta + c_before * c * gamma, a3 = s_before * gamma;
        c_before = std::exchange(c, a0 / a1);
        s_before = std::exchange(s, gamma_next / a1);
        Numbers w_next = z;
        add(w_next, -a3, w_before);
        add(w_next, -a2, w_now);
        for (double& number : w_next) number /= a1;
        add(x, c * eta, w_next);
        eta *= -s;
        v_before = std::exchange(v, v_next);
        w_before = std::exchange(w_now, w_next);
        gamma_before = std::exchange(gamma, gamma_next);
        z = z_next;
        norms.push_back(true_residual(A, x, b));
    }
    return norms;
}

}  // namespace

TEST_CASE("preconditioned MINRES makes the iterates of the textbook", "[solvers][minres][preconditioners]") {
    const CsrMatrix A = shifted(poisson2d(8), 1, 0.9);
    const Numbers b = matching_right_hand_side(A);
    const int steps = 12;
    const std::vector<double> expected = residuals_of_textbook(A, 0.6, b, steps);
    for (int k = 1; k <= steps; ++k) {
        const Solved made = run(A, b,
                                {.preconditioner = Kind::jacobi,
                                 .preconditioning = {.steps = 2, .relaxation = 0.6},
                                 .tolerance = 1e-12,
                                 .max_iterations = k});
        CAPTURE(k, made.report.reason);
        CHECK(made.report.outcome == Outcome::max_iterations);
        CHECK(made.report.relative_residual == Approx(expected[static_cast<std::size_t>(k)]).epsilon(1e-3));
    }
}

TEST_CASE("a preconditioner saves iterations of MINRES on an indefinite matrix", "[solvers][minres][preconditioners]") {
    const CsrMatrix A = helmholtz();
    const Report plain = solved(A, {.preconditioner = Kind::none});
    REQUIRE(plain.converged());
    for (const Kind kind : {Kind::ssor, Kind::ic0, Kind::ick, Kind::ict, Kind::fsai}) {
        if (is_slow() && kind == Kind::fsai) continue;  // refuses the coarser grid: its small blocks are not definite
        const Report report = solved(A, by_levels(kind));
        CAPTURE(name(kind), report.reason, report.iterations, plain.iterations);
        CHECK(report.converged());
        CHECK(report.iterations < plain.iterations);
    }
}

TEST_CASE("MINRES takes every symmetric preconditioner of a definite matrix", "[solvers][minres][preconditioners]") {
    const CsrMatrix A = poisson2d(is_slow() ? 8 : 20);
    const Report plain = solved(A, {.preconditioner = Kind::none});
    for (const Kind kind : {Kind::block_jacobi, Kind::chebyshev, Kind::richardson, Kind::ssor, Kind::amg, Kind::ic0,
                            Kind::ick, Kind::ict, Kind::fsai, Kind::multigrid}) {
        const Report report = solved(A, {.preconditioner = kind});
        CAPTURE(name(kind), report.reason);
        CHECK(report.converged());
        CHECK(report.iterations < plain.iterations);
    }
}

TEST_CASE("where M is negative definite MINRES works with -M", "[solvers][minres][preconditioners]") {
    const Index n = is_slow() ? 6 : 16;
    const CsrMatrix A = poisson2d(n), minus = shifted(A, -1, 0);
    for (const Kind kind : {Kind::ssor, Kind::ic0, Kind::ict}) {
        const Report report = solved(A, by_levels(kind)), negative = solved(minus, by_levels(kind));
        CAPTURE(name(kind), negative.reason);
        CHECK(negative.converged());
        CHECK(negative.iterations == report.iterations);
    }
}

TEST_CASE("where M is not definite MINRES says so", "[solvers][minres][preconditioners][outcomes]") {
    const CsrMatrix A = of_both_signs(is_slow() ? 20 : 60);
    const Report report = solved(A, {.preconditioner = Kind::ssor});
    CAPTURE(name(report.outcome), report.reason);
    CHECK(report.outcome == Outcome::breakdown);
    CHECK_THAT(report.reason, ContainsSubstring("the preconditioner M is not definite"));
    CHECK(report.relative_residual <= 1);
    // |diag(A)| is.
    CHECK(solved(A, {.preconditioner = Kind::jacobi}).converged());
}

TEST_CASE("a preconditioner that sees nothing of b ends MINRES with a reason",
          "[solvers][minres][preconditioners][outcomes]") {
    // M^-1 = (0 1; 1 0) = A^-1, and (b, M^-1 b) = 0 for b = (1, 0).
    const CsrMatrix A = csr_from_triplets(2, 2, std::vector<Triplet>{{0, 1, 1}, {1, 0, 1}});
    const Report report = run(A, {1, 0}, {.preconditioner = Kind::block_jacobi}).report;
    CAPTURE(name(report.outcome));
    CHECK(report.outcome == Outcome::breakdown);
    CHECK_THAT(report.reason, ContainsSubstring("not definite"));
}

TEST_CASE("MINRES tells of saddle points what incomplete factors make of them",
          "[solvers][minres][preconditioners][outcomes]") {
    const CsrMatrix A = stokes2d(is_slow() ? 4 : 10);
    for (const Kind kind : {Kind::ic0, Kind::ict, Kind::fsai}) {
        CAPTURE(name(kind));
        try {
            const Report report = solved(A, {.preconditioner = kind, .max_iterations = 3000});
            CHECK((report.converged() || report.relative_residual <= 1));
        } catch (const InvalidInput& error) {
            CHECK_THAT(error.what(), ContainsSubstring(std::string(name(kind))));
        }
    }
}

TEST_CASE("a singular system converges with a preconditioner, too", "[solvers][minres][preconditioners]") {
    // -u'' on a ring: A 1 = 0.
    const Index n = 40;
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; ++i)
        entries.insert(entries.end(), {{i, i, 2.0}, {i, (i + 1) % n, -1.0}, {(i + 1) % n, i, -1.0}});
    const CsrMatrix A = csr_from_triplets(n, n, entries);
    for (const Kind kind : {Kind::ssor, Kind::ic0}) {
        const Report report = solved(A, {.preconditioner = kind});
        CAPTURE(name(kind), report.reason);
        CHECK(report.converged());
    }
}

TEST_CASE("two floats go with a preconditioner of MINRES", "[solvers][minres][preconditioners]") {
    if (!device_under_test().info().two_float_fault.empty()) return;
    const Report report =
        solved(helmholtz(), {.preconditioner = Kind::ic0, .precision = Precision::two_float, .tolerance = 1e-11});
    CAPTURE(report.reason);
    CHECK(report.converged());
}

TEST_CASE("what preconditioned MINRES recalls of |r| is near the truth", "[solvers][minres][preconditioners]") {
    const CsrMatrix A = helmholtz();
    for (const Kind kind : {Kind::ssor, Kind::ic0, Kind::fsai}) {
        if (is_slow() && kind == Kind::fsai) continue;
        const Report report = solved(A, {.preconditioner = kind, .tolerance = 1e-4});
        CAPTURE(name(kind), report.reason);
        REQUIRE(report.converged());
        double last = 0;
        for (const HistoryEntry& entry : report.history) {
            if (!entry.corrected) last = entry.relative_residual;
        }
        CHECK(last >= report.relative_residual / 3);
        CHECK(last <= report.relative_residual * 3);
    }
}

TEST_CASE("MINRES refuses preconditioners that are not symmetric, or change", "[solvers][minres][refusals]") {
    const auto make = [](const CsrMatrix& A, Options options) {
        options.method = Method::minres;
        const Solver solver(device_under_test(), A, options);
    };
    const CsrMatrix A = poisson2d(6);
    for (const Kind kind : {Kind::gauss_seidel, Kind::sor, Kind::cf_jacobi, Kind::ilu0, Kind::spai}) {
        CHECK_THROWS_WITH(make(A, {.preconditioner = kind}), ContainsSubstring("needs a symmetric preconditioner"));
    }
    CHECK_THROWS_WITH(make(A, {.preconditioner = Kind::amg, .amg = {.cycle = MultigridCycle::k}}),
                      ContainsSubstring("always the same"));
    CHECK_THROWS_WITH(make(shifted(poisson2d(8), 1, 0.9), {.preconditioner = Kind::chebyshev}),
                      ContainsSubstring("not positive definite"));
    const CsrMatrix zero_diagonal = csr_from_triplets(2, 2, std::vector<Triplet>{{0, 1, 1}, {1, 0, 1}, {1, 1, 1}});
    CHECK_THROWS_WITH(make(zero_diagonal, {.preconditioner = Kind::ssor}), ContainsSubstring("row 1"));
}

}  // namespace tests_of_minres_preconditioned
