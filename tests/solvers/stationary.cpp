// Stationary iterations: against the iterations of the textbook in double precision, row by row.
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>

#include "matrix/colouring.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_stationary {

using namespace glsolve;
using namespace glsolve::test;

namespace {

const auto stationary_methods = {Method::richardson,   Method::jacobi, Method::cf_jacobi,
                                 Method::gauss_seidel, Method::sor,    Method::ssor};

/// Rows that are relaxed together, in their order.
std::vector<std::vector<std::size_t>> groups(const CsrMatrix& A, Method method) {
    const Colouring colours = colour_rows(A);
    std::vector<std::vector<std::size_t>> made;
    for (std::size_t i = 0; i < colours.colour.size(); ++i) {
        Index group = method == Method::jacobi || method == Method::richardson ? 0 : colours.colour[i];
        if (method == Method::cf_jacobi) group = std::min(group, 1);
        if (made.size() <= static_cast<std::size_t>(group)) made.resize(static_cast<std::size_t>(group) + 1);
        made[static_cast<std::size_t>(group)].push_back(i);
    }
    if (method == Method::ssor) {
        for (std::size_t k = made.size(); k-- > 0;) made.push_back(std::vector<std::size_t>(made[k]));
    }
    return made;
}

/// x after so many iterations from zero.
std::vector<double> textbook(const CsrMatrix& A, const std::vector<double>& b, Method method, double weight,
                             int iterations) {
    std::vector<double> x(b.size(), 0.0), Ax(b.size());
    const std::vector<double> d = diagonal(A);
    for (int k = 0; k < iterations; ++k) {
        for (const std::vector<std::size_t>& group : groups(A, method)) {
            multiply(A, x, Ax);
            for (const std::size_t i : group) x[i] += weight * (b[i] - Ax[i]) / d[i];
        }
    }
    return x;
}

Report iterate(const CsrMatrix& A, const std::vector<double>& b, std::vector<double>& x, Options options) {
    x.assign(b.size(), 0.0);
    return solve(device_under_test(), A, b, x, options);
}

}  // namespace

TEST_CASE("stationary iterations are those of the textbook", "[solvers][stationary][every_driver]") {
    const CsrMatrix A = GENERATE(0, 1) == 0 ? anisotropic(6, 0.3) : random_spd(40, 300);
    const std::vector<double> b = matching_right_hand_side(A);
    const Method method = GENERATE(values(stationary_methods));
    const double weight = 0.8;
    const int iterations = 7;
    std::vector<double> x;
    const Report report = iterate(
        A, b, x,
        {.method = method, .test_every = 3, .relaxation = weight, .tolerance = 0, .max_iterations = iterations});
    CHECK(report.iterations == iterations);
    const std::vector<double> exact = textbook(A, b, method, weight, iterations);
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i)
        worst = std::max(worst, std::abs(x[i] - exact[i]) / (1 + std::abs(exact[i])));
    CAPTURE(name(method), report.reason);
    CHECK(worst < 2e-6);
}

TEST_CASE("stationary iterations converge, and truly", "[solvers][stationary]") {
    const CsrMatrix A = poisson2d(is_slow() ? 5 : 10);
    const std::vector<double> b = matching_right_hand_side(A);
    const Method method = GENERATE(values(stationary_methods));
    const PreconditionerKind preconditioner = GENERATE(PreconditionerKind::none, PreconditionerKind::jacobi);
    if (is_slow() && preconditioner == PreconditionerKind::none && method != Method::richardson) return;
    std::vector<double> x;
    const Report report = iterate(A, b, x, {.method = method, .preconditioner = preconditioner});
    CAPTURE(name(method), report.reason, report.remarks);
    CHECK(report.converged());
    CHECK(true_residual(A, x, b) <= 1e-8 * (1 + 1e-6));
    CHECK_FALSE(report.remarks.empty());
}

TEST_CASE("SOR with a chosen weight needs far fewer steps than Gauss-Seidel", "[solvers][stationary]") {
    const CsrMatrix A = poisson2d(is_slow() ? 8 : 16);
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x;
    const Report gauss_seidel = iterate(A, b, x, {.method = Method::gauss_seidel, .test_every = 4});
    const Report sor = iterate(A, b, x, {.method = Method::sor, .test_every = 4});
    REQUIRE(gauss_seidel.converged());
    REQUIRE(sor.converged());
    CHECK(3 * sor.iterations < gauss_seidel.iterations);
}

TEST_CASE("an iteration that diverges says so, and spoils nothing", "[solvers][stationary]") {
    // Positive definite, but 2 D - A is not: Jacobi diverges, Gauss and Seidel do not.
    const CsrMatrix A = csr_from_triplets(3, 3,
                                          std::vector<Triplet>{{0, 0, 1},
                                                               {0, 1, 0.9},
                                                               {0, 2, 0.9},
                                                               {1, 0, 0.9},
                                                               {1, 1, 1},
                                                               {1, 2, 0.9},
                                                               {2, 0, 0.9},
                                                               {2, 1, 0.9},
                                                               {2, 2, 1}});
    const std::vector<double> b{1, 2, 3};
    std::vector<double> x;
    const Report jacobi = iterate(A, b, x, {.method = Method::jacobi});
    CHECK(jacobi.outcome == Outcome::diverged);
    CHECK(jacobi.reason.find("gauss-seidel") != std::string::npos);
    CHECK(true_residual(A, x, b) <= 1 + 1e-12);
    CHECK(iterate(A, b, x, {.method = Method::jacobi, .relaxation = 0.5}).converged());
    CHECK(iterate(A, b, x, {.method = Method::gauss_seidel}).converged());
}

TEST_CASE("richardson never goes on with a weight of zero", "[solvers][stationary]") {
    CsrMatrix negative = poisson2d(6), indefinite = poisson2d(6);
    for (double& value : negative.value) value = -value;
    for (double& value : indefinite.value) value -= value > 0 ? 2 : 0;  // the diagonal
    using enum PreconditionerKind;
    for (const CsrMatrix& A : {negative, indefinite}) {
        const std::vector<double> b = matching_right_hand_side(A);
        for (const PreconditionerKind preconditioner :
             {none, jacobi, block_jacobi, richardson, gauss_seidel, sor, ssor, amg}) {
            CAPTURE(name(preconditioner));
            std::vector<double> x;
            const Report report = iterate(A, b, x, {.method = Method::richardson, .preconditioner = preconditioner});
            CHECK_THAT(report.remarks, !ContainsSubstring("weight 0;") && !ContainsSubstring("weight -"));
            CHECK(report.iterations < 1000);
            // A splitting of -A is one of A: what converges for a matrix converges for its negative.
            const bool splits = preconditioner != none && preconditioner != richardson;
            if (A.value == negative.value && splits) CHECK(report.converged());
            if (report.outcome == Outcome::diverged)
                CHECK_THAT(report.reason, ContainsSubstring("not positive definite"));
        }
    }
}

TEST_CASE("what stationary iterations cannot take is refused in words", "[solvers][stationary]") {
    const CsrMatrix A = csr_from_triplets(2, 2, std::vector<Triplet>{{0, 1, 1}, {1, 0, 1}, {1, 1, 1}});
    for (const Method method : {Method::jacobi, Method::gauss_seidel, Method::ssor}) {
        CHECK_THROWS_WITH(
            Solver(device_under_test(), A, {.method = method, .preconditioner = PreconditionerKind::none}),
            ContainsSubstring(std::string(name(method))) && ContainsSubstring("row 1 has a zero on the diagonal"));
    }
    // Nobody asked for the preconditioner jacobi, which is there by default.
    CHECK_THROWS_WITH(Solver(device_under_test(), A, {.method = Method::ssor}), StartsWith("ssor: row 1"));
    const CsrMatrix good = poisson2d(3);
    // What single precision takes for zero or infinity is no weight.
    for (const double weight : {-1.0, 2.0, std::nan(""), 1e-60, 1e60}) {
        CHECK_THROWS_AS(Solver(device_under_test(), good, {.method = Method::sor, .relaxation = weight}), InvalidInput);
        CHECK_THROWS_AS(Solver(device_under_test(), good,
                               {.method = Method::gmres,
                                .preconditioner = PreconditionerKind::ssor,
                                .preconditioning = {.relaxation = weight}}),
                        InvalidInput);
    }
    CHECK_THROWS_AS(Solver(device_under_test(), good, {.method = Method::jacobi, .test_every = 0}), InvalidInput);
}

}  // namespace tests_of_stationary
