// Verdicts on systems whose numbers are extreme: neither the range of double precision nor its rounding makes
// `converged` of what is not, and no answer holds anything but finite numbers.
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>
#include <limits>

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_verdicts {

using namespace glsolve;
using namespace glsolve::test;

namespace {

bool all_finite(const std::vector<double>& x) {
    return std::all_of(x.begin(), x.end(), [](double number) { return std::isfinite(number); });
}

struct Answer {
    std::string refused;
    Report report;
    std::vector<double> x;
};

/// (2^a A) x = 2^b c
Answer solve_scaled(CsrMatrix A, std::vector<double> c, int a, int b, const Options& options) {
    for (double& value : A.value) value = std::ldexp(value, a);
    for (double& value : c) value = std::ldexp(value, b);
    Answer answer;
    answer.x.assign(static_cast<std::size_t>(A.columns), 0.0);
    try {
        answer.report = solve(device_under_test(), A, c, answer.x, options);
    } catch (const InvalidInput& error) {
        answer.refused = error.what();
    }
    return answer;
}

}  // namespace

TEST_CASE("powers of two before A and b change no verdict", "[solvers][verdicts]") {
    const int far = GENERATE(-548, -500, 500, 515);  // 1e-165 ... 1e155: squares leave the range of double precision
    if (is_slow() && std::abs(far) == 500) return;
    const CsrMatrix A = poisson2d(6);
    const std::vector<double> b = matching_right_hand_side(A);
    for (const Method method : all_methods()) {
        for (const PreconditionerKind preconditioner : {PreconditionerKind::none, PreconditionerKind::jacobi,
                                                        PreconditionerKind::amg, PreconditionerKind::ssor}) {
            Options options{.method = method, .preconditioner = preconditioner, .max_iterations = 500};
            const Answer plain = solve_scaled(A, b, 0, 0, options);
            const Answer extreme = solve_scaled(A, b, far, far, options);
            INFO(name(method) << " with " << name(preconditioner) << ", times 2^" << far);
            INFO(plain.report.reason << " / " << extreme.report.reason << extreme.refused);
            CHECK(plain.refused.empty() == extreme.refused.empty());
            CHECK(name(plain.report.outcome) == name(extreme.report.outcome));
            CHECK(all_finite(extreme.x));
            if (plain.report.converged()) CHECK(true_residual(A, extreme.x, b) <= options.tolerance * 1.0001);
        }
    }
}

TEST_CASE("a residual that twice the precision cannot see is told as it is", "[solvers][verdicts]") {
    // At the guess A x cancels but for rounding, which is 1e20 times as large as b; found by fuzz_verdicts.
    const double a = 3.9101496547088187e+19;
    const CsrMatrix A = csr_from_triplets(2, 2, std::vector<Triplet>{{0, 0, a}, {0, 1, -a}, {1, 0, -a}, {1, 1, a}});
    const std::vector<double> b{-1.5830256856531968e-10, -2.2851449399877696e-12};
    for (const Method method : {Method::automatic, Method::cg, Method::gmres, Method::cgnr}) {
        std::vector<double> x{-20679562.450844049, 4.0806413501377968e-18};
        const Report report = solve(device_under_test(), A, b, x, {.method = method, .tolerance = 0.08});
        CAPTURE(name(method), report.reason);
        CHECK((report.converged() || report.relative_residual > 0.7));  // no x does better than 0.717
    }
}

TEST_CASE("a right-hand side whose length overflows is not called solved", "[solvers][verdicts]") {
    const CsrMatrix A = poisson2d(8);
    const std::vector<double> b(64, 1e308);
    for (const Method method : {Method::cgnr, Method::cg, Method::gmres, Method::automatic}) {
        std::vector<double> x(64, 0.0);
        const Report report = solve(device_under_test(), A, b, x, {.method = method});
        CAPTURE(name(method), report.reason);
        CHECK(all_finite(x));
        if (!report.converged()) continue;
        double worst = 0;  // of b - A x, with both a thousandth as large
        std::vector<double> small_x = x, small_b = b, product(64);
        for (std::size_t i = 0; i < 64; ++i) small_x[i] *= 1e-3, small_b[i] *= 1e-3;
        multiply(A, small_x, product);
        for (std::size_t i = 0; i < 64; ++i) worst = std::max(worst, std::abs(small_b[i] - product[i]));
        CHECK(worst < 1e-6 * 1e305);
    }
}

TEST_CASE("least squares of tiny and of huge numbers are solved, not taken for solved", "[solvers][verdicts]") {
    const int a = GENERATE(-548, 0, 515), b = GENERATE(-548, 0, 515);
    if (std::abs(b - a) > 1000) return;  // the answer would be infinite, or next to nothing
    CsrMatrix A = csr_from_triplets(3, 2, std::vector<Triplet>{{0, 0, 1}, {1, 0, 2}, {1, 1, 1}, {2, 1, -3}});
    const std::vector<double> consistent{1, 3, -3}, other{1, 0, 2};
    for (const auto& right : {consistent, other}) {
        const Answer answer = solve_scaled(A, right, a, b, {.method = Method::cgnr});
        const Answer plain = solve_scaled(A, right, 0, 0, {.method = Method::cgnr});
        INFO("A times 2^" << a << ", b times 2^" << b << ": " << answer.report.reason);
        CHECK(answer.report.outcome == Outcome::converged);
        for (std::size_t j = 0; j < 2; ++j) {
            CHECK(std::ldexp(answer.x[j], a - b) == Approx(plain.x[j]).epsilon(1e-6));
        }
    }
}

TEST_CASE("what rounding hides of a residual is found before it is called converged", "[solvers][verdicts]") {
    // Symmetric positive definite, over 25 powers of ten. Of the answer eps |A| |x| is 3.5e-7 |b|: no answer in double
    // precision meets 1e-8, but residuals computed in it look like 4e-9.
    const CsrMatrix A = csr_from_triplets(3, 3,
                                          std::vector<Triplet>{{0, 0, 4.4148381596168177e-11},
                                                               {0, 1, 0.016232706267543844},
                                                               {0, 2, -7.571695419664603e-17},
                                                               {1, 0, 0.016232706267543844},
                                                               {1, 1, 922478173.5254807},
                                                               {1, 2, -5.0639871251615525e-05},
                                                               {2, 0, -7.571695419664603e-17},
                                                               {2, 1, -5.0639871251615525e-05},
                                                               {2, 2, 1.496972965794486e-17}});
    const std::vector<double> b{0.007777217055413752, 44.58483868948876, 0.016722813243606013};
    for (const Method method : all_methods()) {
        if (method == Method::cgnr || is_stationary(method)) continue;
        Answer answer = solve_scaled(A, b, 0, 0, {.method = method});
        INFO(name(method) << ": " << answer.report.reason);
        CHECK_FALSE(answer.report.converged());
        CHECK(all_finite(answer.x));
    }
}

TEST_CASE("an ordinary system meets a tolerance near rounding by a residual in twice the precision",
          "[solvers][verdicts]") {
    // Residuals in plain double precision are known to 5 u (|A| |x| + |b|) only, here about 2e-14 |b|.
    const CsrMatrix A = poisson2d(8);
    const std::vector<double> b = matching_right_hand_side(A);
    const Answer answer = solve_scaled(A, b, 0, 0, {.tolerance = 1.5e-15});
    INFO(answer.report.reason);
    CHECK(answer.report.outcome == Outcome::converged);
}

TEST_CASE("no answer holds anything but finite numbers", "[solvers][verdicts]") {
    const CsrMatrix A = poisson2d(5);
    const double infinity = std::numeric_limits<double>::infinity(), nan = std::numeric_limits<double>::quiet_NaN();
    for (const Method method : all_methods()) {
        for (const double bad : {nan, infinity, 1e308}) {
            for (const bool in_guess : {false, true}) {
                std::vector<double> b(25, 1.0), x(25, 0.0);
                (in_guess ? x : b)[7] = bad;
                const Report report = solve(device_under_test(), A, b, x, {.method = method, .max_iterations = 50});
                INFO(name(method) << ", " << bad << (in_guess ? " in the guess: " : " in b: ") << report.reason);
                CHECK(all_finite(x));
                // From a guess that is none `auto` goes on with another method, from zero.
                const bool may_recover = in_guess && method == Method::automatic;
                if (!std::isfinite(bad) && !may_recover) CHECK(report.outcome == Outcome::not_finite);
                CHECK_FALSE(report.reason.empty());
            }
        }
    }
}

}  // namespace tests_of_verdicts
