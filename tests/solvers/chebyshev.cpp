// The Chebyshev iteration: what is its own alone. Every method on every problem: conformance.cpp.
#include <Eigen/Core>
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>
#include <numbers>

#include "base/tridiagonal.hpp"
#include "support/catch.hpp"
#include "support/dense.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"
#include "support/problems.hpp"

namespace tests_of_chebyshev {

using namespace glsolve;
using namespace glsolve::test;

namespace {

Report solve_chebyshev(const CsrMatrix& A, Options options) {
    options.method = Method::chebyshev;
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    const Report report = solve(device_under_test(), A, b, x, options);
    CHECK_FALSE(report.reason.empty());
    CHECK(report.relative_residual == Approx(true_residual(A, x, b)).epsilon(1e-3).margin(1e-15));
    return report;
}

Index small() { return is_slow() ? 8 : 24; }

}  // namespace

TEST_CASE("extreme eigenvalues of tridiagonal matrices", "[solvers][lanczos]") {
    const std::size_t n = GENERATE(1, 2, 3, 20, 64);
    const std::vector<float> a = random_numbers(n, 1), b = random_numbers(n, 2);
    const std::vector<double> diagonal(a.begin(), a.end()), beside(b.begin(), b.end() - 1);
    Eigen::MatrixXd T = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
    for (std::size_t i = 0; i < n; ++i) {
        const auto k = static_cast<Eigen::Index>(i);
        T(k, k) = diagonal[i];
        if (i + 1 < n) T(k, k + 1) = T(k + 1, k) = beside[i];
    }
    const Eigen::VectorXd all = eigenvalues_of_symmetric(T);
    const auto [smallest, largest] = extreme_eigenvalues(diagonal, beside);
    CHECK(smallest == Approx(all.minCoeff()).epsilon(1e-10));
    CHECK(largest == Approx(all.maxCoeff()).epsilon(1e-10));
}

TEST_CASE("Lanczos finds where the spectrum lies", "[solvers][lanczos]") {
    const Index n = 12;
    const CsrMatrix A = poisson2d(n);
    const double angle = std::numbers::pi / (2 * (n + 1));
    const double smallest = 8 * std::pow(std::sin(angle), 2), largest = 8 * std::pow(std::cos(angle), 2);
    const bool jacobi = GENERATE(false, true);
    const Options options{.preconditioner = jacobi ? PreconditionerKind::jacobi : PreconditionerKind::none};
    const Spectrum found = Solver(device_under_test(), A, options).spectrum(40);
    CHECK(found.definite);
    CHECK(found.steps > 10);
    const double unit =
        found.gershgorin / 8;  // a constant diagonal needs no preconditioner; powers of two may be in it
    CHECK(found.smallest == Approx(unit * smallest).epsilon(1e-2));
    CHECK(found.largest == Approx(unit * largest).epsilon(1e-3));
    CHECK(found.largest <= found.gershgorin);
}

TEST_CASE("Lanczos notices what is not definite", "[solvers][lanczos]") {
    CsrMatrix A = poisson2d(8);
    for (std::size_t i = 0; i < 64; ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            if (A.column[e] == static_cast<Index>(i)) A.value[e] -= 2;
        }
    }
    CHECK_FALSE(Solver(device_under_test(), A).spectrum().definite);
    const Report report = solve_chebyshev(A, {});
    CHECK(report.outcome == Outcome::breakdown);
    CHECK(report.reason.find("not positive definite") != std::string::npos);
}

TEST_CASE("Gershgorin's bound is a size: of a negative definite matrix, too, and of an empty one",
          "[solvers][lanczos]") {
    CsrMatrix A = poisson2d(6);
    for (double& value : A.value) value = -value;
    const Spectrum negative = Solver(device_under_test(), A).spectrum();  // of D^-1 A
    CHECK(negative.gershgorin == Approx(2));
    CHECK_FALSE(negative.definite);
    const Spectrum empty = Solver(device_under_test(), csr_from_triplets(0, 0, {})).spectrum();
    CHECK(empty.gershgorin == 0);
    CHECK(empty.steps == 0);
    CHECK(empty.definite);
}

TEST_CASE("wrong bounds are mended", "[solvers][chebyshev]") {
    const CsrMatrix A = poisson2d(small());
    ChebyshevOptions chebyshev;
    int test_every = 16;
    std::string remark;
    SECTION("too small by far") { chebyshev.largest = 0.01, chebyshev.smallest = 0.001, remark = "raised"; }
    SECTION("a little too small") { chebyshev.largest = 1.7, chebyshev.smallest = 0.01, remark = "raised"; }
    SECTION("overflow between two tests") {
        chebyshev.largest = 0.02, chebyshev.smallest = 0.01, test_every = 400, remark = "raised";
    }
    SECTION("far too large") { chebyshev.largest = 1e20, chebyshev.smallest = 0.01, remark = "Gershgorin"; }
    SECTION("the smaller one too large") { chebyshev.smallest = 1.5, remark = "lowered"; }
    const Report report = solve_chebyshev(A, {.chebyshev = chebyshev, .test_every = test_every});
    CAPTURE(report.reason, report.remarks);
    CHECK(report.converged());
    CHECK(report.remarks.find(remark) != std::string::npos);
}

TEST_CASE("with the right bounds it takes as many steps as theory says", "[solvers][chebyshev][every_driver]") {
    const Index n = small();
    const double angle = std::numbers::pi / (2 * (n + 1));
    const double smallest = 2 * std::pow(std::sin(angle), 2), largest = 2 * std::pow(std::cos(angle), 2);
    const double root = std::sqrt(largest / smallest);
    const double factor = (root + 1) / (root - 1), steps = std::log(2e8) / std::log(factor);
    const ChebyshevForm form = GENERATE(ChebyshevForm::fused, ChebyshevForm::published);
    const Report report =
        solve_chebyshev(poisson2d(n), {.chebyshev = {.form = form, .smallest = smallest, .largest = largest}});
    CAPTURE(report.remarks, report.iterations, steps);
    CHECK(report.converged());
    CHECK(static_cast<double>(report.iterations) < 1.3 * steps + 48);
    CHECK(report.remarks.find("lowered") == std::string::npos);
    CHECK(report.remarks.find("raised") == std::string::npos);
}

TEST_CASE("bounds are those of M^-1 A, also where M is a multiple of the identity", "[solvers][chebyshev]") {
    CsrMatrix A = poisson2d(6);
    for (double& value : A.value) value *= 0.7;
    const Spectrum found = Solver(device_under_test(), A).spectrum(36);
    const double angle = std::numbers::pi / 14;
    CHECK(found.largest == Approx(2 * std::pow(std::cos(angle), 2)).epsilon(1e-3));
    const Report report = solve_chebyshev(
        A, {.chebyshev = {.smallest = 2 * std::pow(std::sin(angle), 2), .largest = 2 * std::pow(std::cos(angle), 2)},
            .test_every = 4});
    CHECK(report.converged());
    CHECK(report.remarks.find("raised") == std::string::npos);
    CHECK(report.iterations < 60);
}

TEST_CASE("a matrix that is not symmetric is told so, or solved", "[solvers][chebyshev]") {
    const Report report = solve_chebyshev(convection_diffusion(8, {.diffusion = 0.001}), {});
    CAPTURE(report.reason);
    if (!report.converged()) CHECK(report.reason.find("not symmetric") != std::string::npos);
}

TEST_CASE("a Chebyshev step is one pass", "[solvers][chebyshev]") {
    const CsrMatrix A = poisson2d(small());
    const std::vector<double> b = matching_right_hand_side(A);
    // The difference between two solves leaves out what belongs to a solve.
    const auto passes = [&](std::int64_t iterations) {
        std::vector<double> x(b.size(), 0.0);
        const Options options{.method = Method::chebyshev,
                              .format = FormatKind::dia,
                              .chebyshev = {.smallest = 1e-9, .largest = 2},
                              .tolerance = 0,
                              .max_iterations = iterations};
        const Report report = solve(device_under_test(), A, b, x, options);
        CHECK(report.iterations == iterations);
        CHECK(report.corrections == 1);
        return static_cast<double>(report.passes);
    };
    const double steps = 64, tests = steps / 16;
    // With each test a sum and its tree (at most four stages), the control and the record.
    CHECK(passes(32 + 64) - passes(32) <= steps + 6 * tests);
}

TEST_CASE("the chaotic form converges, and says that no two runs are the same", "[solvers][chebyshev][chaotic]") {
    const CsrMatrix A = GENERATE(poisson2d(small()), is_slow() ? random_spd(40, 200) : random_spd(300, 2400));
    const FormatKind format = GENERATE(FormatKind::dia, FormatKind::ell);
    const PreconditionerKind preconditioner = GENERATE(PreconditionerKind::jacobi, PreconditionerKind::none);
    if (is_slow() && preconditioner == PreconditionerKind::none) return;
    const Report report = solve_chebyshev(
        A, {.preconditioner = preconditioner, .format = format, .chebyshev = {.form = ChebyshevForm::chaotic}});
    CAPTURE(name(format), report.reason, report.remarks);
    CHECK(report.converged());
    CHECK(report.relative_residual <= 1e-8);
    if (!device_under_test().backend().can().asynchronous) {
        CHECK_THAT(report.remarks, ContainsSubstring("not chaotic: this device has no compute stage"));
        return;
    }
    CHECK_THAT(report.remarks, ContainsSubstring("chaotic, 2 steps a pass"));
    CHECK_THAT(report.remarks, ContainsSubstring("results differ from run to run"));
}

TEST_CASE("the chaotic form takes hardly more steps than theory says, in fewer passes",
          "[solvers][chebyshev][chaotic]") {
    const Index n = is_slow() ? 8 : 40;
    const double angle = std::numbers::pi / (2 * (n + 1));
    const ChebyshevOptions exact{.smallest = 2 * std::pow(std::sin(angle), 2),
                                 .largest = 2 * std::pow(std::cos(angle), 2)};
    ChebyshevOptions chaotic = exact;
    chaotic.form = ChebyshevForm::chaotic;
    const Report fused = solve_chebyshev(poisson2d(n), {.chebyshev = exact});
    const Report report = solve_chebyshev(poisson2d(n), {.chebyshev = chaotic});
    CAPTURE(report.remarks, report.iterations, fused.iterations);
    CHECK(report.converged());
    CHECK(report.iterations < 3 * fused.iterations / 2 + 32);
    CHECK(report.passes < static_cast<std::uint64_t>(report.iterations) + 100);
}

TEST_CASE("the chaotic form mends bounds, or ends in words", "[solvers][chebyshev][chaotic]") {
    const CsrMatrix A = poisson2d(small());
    ChebyshevOptions chebyshev{.form = ChebyshevForm::chaotic};
    Options options;
    bool converges = false;
    SECTION("too small by far") { chebyshev.smallest = 0.001, chebyshev.largest = 0.01, converges = true; }
    SECTION("the smaller one too large") { chebyshev.smallest = 1.0, converges = true; }
    SECTION("no bound below, and as many steps at once as there may be") {
        chebyshev.smallest = 1e-9, chebyshev.largest = 2, chebyshev.chaotic_steps = 16;
        options.max_iterations = is_slow() ? 200 : 3000;
    }
    SECTION("overflow between two tests") {
        chebyshev.smallest = 0.01, chebyshev.largest = 0.02, options.test_every = is_slow() ? 40 : 400,
        converges = true;
    }
    options.chebyshev = chebyshev;
    const Report report = solve_chebyshev(A, options);  // checks the reason and the residual
    CAPTURE(report.reason, report.remarks);
    if (converges) CHECK(report.converged());
    if (!report.converged()) CHECK(report.relative_residual > 1e-8);
}

TEST_CASE("what no bounds can mend makes the chaotic form shorten its interval, and end in words",
          "[solvers][chebyshev][chaotic]") {
    CsrMatrix A = poisson2d(8);  // minus 2: indefinite, which no Lanczos run sees where both bounds are given
    for (std::size_t i = 0; i < 64; ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            if (A.column[e] == static_cast<Index>(i)) A.value[e] -= 2;
        }
    }
    const ChebyshevOptions bounds{.form = ChebyshevForm::chaotic, .smallest = 0.001, .largest = 3};
    const Report report = solve_chebyshev(A, {.chebyshev = bounds});
    CAPTURE(report.reason, report.remarks);
    CHECK(report.outcome == Outcome::diverged);
    CHECK(report.reason.find("hardly depend on those before") != std::string::npos);
    CHECK(report.remarks.find("shortened") != std::string::npos);
}

TEST_CASE("what has no chaotic form is told so", "[solvers][chebyshev][chaotic]") {
    const CsrMatrix A = poisson2d(6);
    const ChebyshevOptions chaotic{.form = ChebyshevForm::chaotic};
    const bool never = !device_under_test().backend().can().asynchronous;
    for (const FormatKind format :
         {FormatKind::dense, FormatKind::csr, FormatKind::runs, FormatKind::sell, FormatKind::bcsr}) {
        const Report other = solve_chebyshev(A, {.format = format, .chebyshev = chaotic});
        CAPTURE(name(format), other.remarks);
        CHECK(other.converged());
        CHECK_THAT(other.remarks, ContainsSubstring(never ? "not chaotic: this device has no compute stage"
                                                          : "not chaotic: only the formats dia and ell have passes"));
    }
    if (never) return;
    const Report tested = solve_chebyshev(A, {.format = FormatKind::dia, .chebyshev = chaotic, .test_every = 1});
    CHECK(tested.converged());
    CHECK(tested.remarks.find("each step is tested") != std::string::npos);
}

TEST_CASE("a chaotic iteration goes on where it was", "[solvers][chebyshev][chaotic]") {
    const CsrMatrix A = poisson2d(small());
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    Solver solver(device_under_test(), A,
                  {.method = Method::chebyshev, .chebyshev = {.form = ChebyshevForm::chaotic}, .max_iterations = 41});
    Report report = solver.solve(b, x);
    for (int k = 0; k < 40 && !report.converged(); ++k) report = solver.resume(b, x);
    CHECK(report.converged());
    CHECK(true_residual(A, x, b) <= 1e-8);
}

TEST_CASE("BiCGStab comes first, and Chebyshev refines what it has found", "[solvers][chebyshev][bicgstab]") {
    const CsrMatrix A = poisson2d(small());
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0), again(b.size(), 0.0);
    const Options options{.method = Method::bicgstab_chebyshev, .tolerance = 1e-11};
    const Report report = solve(device_under_test(), A, b, x, options);
    CAPTURE(report.reason, report.remarks);
    CHECK(report.converged());
    CHECK(true_residual(A, x, b) <= 1e-11);
    CHECK(report.corrections >= 2);
    CHECK_THAT(report.remarks, ContainsSubstring("Chebyshev from iteration "));
    CHECK_THAT(report.remarks, ContainsSubstring("eigenvalues between"));

    // One history, whose iterations go on where the first method has stopped.
    std::int64_t last = 0;
    for (const HistoryEntry& entry : report.history) {
        CHECK(entry.iteration >= last);
        last = entry.iteration;
        CHECK(std::isfinite(entry.relative_residual));
    }
    CHECK(last == report.iterations);

    // BiCGStab alone does up to the first correction what it does here.
    const Report alone = solve(device_under_test(), A, b, again, {.method = Method::bicgstab, .tolerance = 1e-11});
    std::vector<std::int64_t> corrections, corrections_alone;
    for (const HistoryEntry& entry : report.history) {
        if (entry.corrected) corrections.push_back(entry.iteration);
    }
    for (const HistoryEntry& entry : alone.history) {
        if (entry.corrected) corrections_alone.push_back(entry.iteration);
    }
    REQUIRE(corrections.size() >= 2);
    REQUIRE(corrections_alone.size() >= 2);
    CHECK(corrections[1] == corrections_alone[1]);
}

TEST_CASE("what Chebyshev cannot refine ends in words", "[solvers][chebyshev][bicgstab][outcomes]") {
    CsrMatrix A = poisson2d(6);
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset k = A.offsets[static_cast<std::size_t>(i)]; k < A.offsets[static_cast<std::size_t>(i) + 1]; ++k) {
            if (A.column[static_cast<std::size_t>(k)] == i) A.value[static_cast<std::size_t>(k)] = 1.3;  // indefinite
        }
    }
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    const Report report =
        solve(device_under_test(), A, b, x, {.method = Method::bicgstab_chebyshev, .tolerance = 1e-12});
    CAPTURE(report.reason, report.remarks);
    CHECK((report.converged() || report.outcome == Outcome::breakdown || report.outcome == Outcome::diverged));
    if (!report.converged()) CHECK_THAT(report.reason, ContainsSubstring("positive definite"));
    CHECK(report.relative_residual == Approx(true_residual(A, x, b)).epsilon(1e-3).margin(1e-15));
}

TEST_CASE("chebyshev's options are checked", "[solvers][chebyshev]") {
    const CsrMatrix A = poisson2d(4);
    const auto refused = [&](const ChebyshevOptions& chebyshev) {
        CHECK_THROWS_AS(Solver(device_under_test(), A, {.method = Method::chebyshev, .chebyshev = chebyshev}),
                        InvalidInput);
    };
    refused({.lanczos_steps = 0});
    refused({.chaotic_steps = 0});
    refused({.chaotic_steps = 17});
    refused({.smallest = -1});
    refused({.largest = std::nan("")});
    refused({.smallest = 2, .largest = 1});
    CHECK_THROWS_AS(Solver(device_under_test(), A, {.method = Method::chebyshev, .precision = Precision::two_float}),
                    InvalidInput);
}

}  // namespace tests_of_chebyshev
