// Method::automatic: what it chooses, why, and that what it chooses works.
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// A - shift I
CsrMatrix shifted(CsrMatrix A, double shift) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(A.rows); ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            if (A.column[e] == static_cast<Index>(i)) A.value[e] -= shift;
        }
    }
    return A;
}

void check_choice(const CsrMatrix& A, Options options, Method expected, const std::string& why) {
    options.method = Method::automatic;
    Solver solver(device_under_test(), A, options);
    CAPTURE(solver.method().reason);
    CHECK(solver.method().method == expected);
    CHECK(solver.method().reason.find(why) != std::string::npos);
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    const Report report = solver.solve(b, x);
    CAPTURE(report.reason);
    CHECK(report.converged());
    CHECK(true_residual(A, x, b) <= 1e-8 * (1 + 1e-6));
}

}  // namespace

TEST_CASE("auto takes the method that suits the matrix", "[solvers][choice]") {
    SECTION("positive definite") { check_choice(poisson2d(9), {}, Method::cg, "Lanczos found nothing against"); }
    SECTION("indefinite, with a positive diagonal") {
        check_choice(shifted(poisson2d(7), 0.9), {}, Method::minres, "(p,Ap) <= 0");
    }
    SECTION("indefinite by its diagonal") {
        check_choice(shifted(poisson2d(6), 4.7), {}, Method::minres, "row 1 has -0.7 on the diagonal");
    }
    SECTION("small and not symmetric") { check_choice(convection_diffusion(6), {}, Method::direct, "not symmetric"); }
    SECTION("small and not symmetric, with a preconditioner that was asked for") {
        check_choice(convection_diffusion(6), {.preconditioner = PreconditionerKind::amg}, Method::gmres,
                     "not symmetric");
    }
    SECTION("not symmetric") {
        if (is_slow()) return;
        check_choice(convection_diffusion(24), {}, Method::gmres, "not symmetric");
    }
}

TEST_CASE("a method that was asked for stays", "[solvers][choice]") {
    const Solver solver(device_under_test(), poisson2d(4), {.method = Method::minres});
    CHECK(solver.method().method == Method::minres);
    CHECK(solver.method().reason == "as asked for");
}

TEST_CASE("methods for symmetric matrices say so where that is why they fail", "[solvers][choice]") {
    const CsrMatrix A = convection_diffusion(12, {.diffusion = 0.001});
    const Method method = GENERATE(Method::cg, Method::minres);
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    const Report report = solve(device_under_test(), A, b, x, {.method = method, .max_iterations = 40});
    REQUIRE_FALSE(report.converged());
    CHECK(report.reason.find("the matrix is not symmetric, as " + std::string(name(method))) != std::string::npos);
}
