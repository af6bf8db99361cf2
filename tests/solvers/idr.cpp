// IDR(s): how many products it takes, with how many shadow vectors, and where it breaks down.
#include <algorithm>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>

#include "base/random.hpp"
#include "support/catch.hpp"
#include "support/conformance.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_idr {

using namespace glsolve;
using namespace glsolve::test;

namespace {

Report solved(const CsrMatrix& A, std::vector<double>& x, Options options) {
    const std::vector<double> b = matching_right_hand_side(A);
    x.assign(b.size(), 0.0);
    return solve(device_under_test(), A, b, x, options);
}

}  // namespace

TEST_CASE("IDR(s) converges with every number of shadow vectors", "[solvers][idr][every_driver]") {
    const CsrMatrix A = convection_diffusion(is_slow() ? 8 : 24);
    const int s = GENERATE(range(1, 9));
    if (is_slow() && s != 1 && s != 4 && s != 8) return;
    const PreconditionerKind M =
        GENERATE(PreconditionerKind::none, PreconditionerKind::jacobi, PreconditionerKind::gauss_seidel);
    std::vector<double> x;
    const Report report = solved(A, x, {.method = Method::idr, .preconditioner = M, .idr = {.s = s}});
    CAPTURE(s, name(M), report.reason);
    CHECK(report.converged());
    CHECK(true_residual(A, x, matching_right_hand_side(A)) <= 1e-8 * (1 + 1e-6));
    CHECK(report.iterations * (s + 1) <= (is_slow() ? 150 : 400));  // products
}

TEST_CASE("more shadow vectors than unknowns are as many as there are unknowns", "[solvers][idr]") {
    for (const Index n : {1, 2, 3, 5, 8, 9}) {
        const CsrMatrix A = convection_diffusion(n);
        std::vector<double> x;
        const Report report = solved(A, x, {.method = Method::idr, .idr = {.s = 8}});
        CAPTURE(n, report.reason);
        CHECK(report.converged());
    }
}

TEST_CASE("IDR(s) takes skew-symmetric matrices, where omega vanishes", "[solvers][idr]") {
    Solver solver(device_under_test(), skew_symmetric(20),
                  {.method = Method::idr, .preconditioner = PreconditionerKind::none});
    Random random(1);
    for (int k = 0; k < (is_slow() ? 2 : 20); ++k) {
        std::vector<double> b(20, 1.0), x(20, 0.0);
        if (k > 0) {
            for (double& number : b) number = random.normal();
        }
        const Report report = solver.solve(b, x);
        CAPTURE(k, report.reason);
        CHECK(report.converged());
    }
}

TEST_CASE("a run of IDR(s) that makes the residual much larger is taken back", "[solvers][idr]") {
    // Few shadow vectors lose skew-symmetric matrices on the way, again and again.
    const CsrMatrix A = skew_symmetric(20);
    const int s = GENERATE(1, 2, 4);
    std::vector<double> x;
    const Report report = solved(A, x,
                                 {.method = Method::idr,
                                  .preconditioner = PreconditionerKind::none,
                                  .idr = {.s = s},
                                  .max_iterations = is_slow() ? 100 : 500});
    CAPTURE(s, name(report.outcome), report.reason);
    double best = 1;
    for (const HistoryEntry& entry : report.history) {
        if (!entry.corrected) continue;
        CHECK(entry.relative_residual <= 100 * best * (1 + 1e-6));
        best = std::min(best, entry.relative_residual);
    }
    CHECK(report.outcome != Outcome::diverged);
    CHECK(true_residual(A, x, matching_right_hand_side(A)) <= 1);
}

TEST_CASE("IDR(s) says so where it breaks down again and again", "[solvers][idr][outcomes]") {
    // Singular, and b such that A b = 0: there is no direction in which anything happens, and no answer.
    const CsrMatrix A = csr_from_triplets(2, 2, std::vector<Triplet>{{0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {1, 1, 1}});
    const std::vector<double> b{1, -1};
    std::vector<double> x(2, 0.0);
    const Report report =
        solve(device_under_test(), A, b, x, {.method = Method::idr, .preconditioner = PreconditionerKind::none});
    CAPTURE(report.reason);
    CHECK(report.outcome == Outcome::inconsistent);
    CHECK(report.reason.find("gmres") != std::string::npos);
    CHECK(report.relative_residual == Approx(1));
}

TEST_CASE("a solve by IDR(s) does not depend on those before", "[solvers][idr]") {
    const CsrMatrix A = convection_diffusion(is_slow() ? 6 : 16);
    const std::vector<double> b = matching_right_hand_side(A), other(b.size(), 1.0);
    Solver solver(device_under_test(), A, {.method = Method::idr});
    std::vector<double> x(b.size(), 0.0), y(b.size(), 0.0), again(b.size(), 0.0);
    const Report first = solver.solve(b, x);
    solver.solve(other, y);
    const Report second = solver.solve(b, again);
    CHECK(first.iterations == second.iterations);
    CHECK(x == again);
}

TEST_CASE("the number of shadow vectors is from 1 to 8", "[solvers][idr]") {
    const CsrMatrix A = convection_diffusion(4);
    for (const int s : {0, 9, -1}) {
        CHECK_THROWS_AS(Solver(device_under_test(), A, {.method = Method::idr, .idr = {.s = s}}), InvalidInput);
    }
}

}  // namespace tests_of_idr
