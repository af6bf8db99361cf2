// Pipelined conjugate gradients: what is their alone. Every method on every problem: conformance.cpp.
#include <cmath>
#include <cstdlib>
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>
#include <glsolve/solver.hpp>
#include <map>
#include <memory>

#include "device/verbs.hpp"
#include "matrix/scaling.hpp"
#include "methods/method_table.hpp"
#include "refinement/true_residual.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/formats.hpp"
#include "support/problems.hpp"

namespace tests_of_pipelined_cg {

using namespace glsolve;
using namespace glsolve::test;

namespace {

Report solve_by(Method method, const CsrMatrix& A, const std::vector<double>& b, Options options = {}) {
    options.method = method;
    std::vector<double> x(b.size(), 0.0);
    const Report report = solve(device_under_test(), A, b, x, options);
    CHECK_FALSE(report.reason.empty());
    CHECK(report.relative_residual == Approx(true_residual(A, x, b)).epsilon(1e-3).margin(1e-15));
    return report;
}

/// A beam: fourth differences, condition about n^4 / 100; entries that single precision does not hold.
CsrMatrix beam(Index n) {
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; ++i) {
        for (const auto& [j, value] : {std::pair{i - 2, 1.0}, {i - 1, -4.0}, {i, 6.0}, {i + 1, -4.0}, {i + 2, 1.0}}) {
            if (j >= 0 && j < n) entries.push_back({i, j, value / 3 * (1 + 1e-9 * (i + j))});
        }
    }
    return csr_from_triplets(n, n, entries);
}

/// M^-1 = 2 D^-1 - D^-1 A D^-1: two terms of Neumann's series, which is no diagonal.
class Neumann final : public Preconditioner {
  public:
    Neumann(Backend& backend, Operator& A, const CsrMatrix& matrix)
        : A_(A), d_(backend, matrix.rows, "1 / D"), t_(backend, matrix.rows, "t"), v_(backend, matrix.rows, "v") {
        std::vector<float> inverse(static_cast<std::size_t>(matrix.rows));
        const std::vector<double> diagonal = glsolve::diagonal(matrix);
        for (std::size_t i = 0; i < inverse.size(); ++i) inverse[i] = static_cast<float>(1 / diagonal[i]);
        d_.upload(inverse);
    }
    void apply(Vector& z, const Vector& r) override {
        glsolve::hadamard(t_, d_, r);  // t <- D^-1 r
        A_.multiply(v_, t_);           // v <- A t
        glsolve::hadamard(z, d_, v_);  // z <- D^-1 v
        axpy(t_, scalar_arg(1), t_);   // t <- 2 t
        xpay(z, t_, scalar_arg(-1));   // z <- t - z
    }

  private:
    Operator& A_;
    Vector d_, t_, v_;
};

}  // namespace

TEST_CASE("one sum an iteration, in three passes beside it", "[solvers][pipelined_cg][every_driver]") {
    CsrMatrix A = poisson2d(is_slow() ? 9 : 24);
    A.value[0] = 5;  // a constant diagonal would need no preconditioner
    const std::vector<double> b = matching_right_hand_side(A);
    const Report report = solve_by(Method::pipelined_cg, A, b, {.format = FormatKind::dia, .profile = true});
    REQUIRE(report.converged());
    std::map<std::string, std::uint64_t> times;
    std::uint64_t total = 0;
    for (const PassReport& pass : report.profile) {
        times[pass.name] = pass.calls;
        total += pass.calls;
    }
    CHECK(total == report.passes);
    const std::uint64_t done = times["pipelined_update_jacobi"];  // some encoded in vain, one at each correction
    const auto runs = static_cast<std::uint64_t>(report.corrections),
               on_device = static_cast<std::uint64_t>(report.corrections_on_device);
    CHECK(done >= static_cast<std::uint64_t>(report.iterations) + runs);
    CHECK(times["dia_multiply_dots"] == done);
    CHECK(times["pipelined_control"] == done);
    // Beside the iterations' there are two sums in each correction, each with a pass for what is left of partial sums,
    // and two at each restart, which are one pass each where reductions are made at once.
    const bool at_once = backend_under_test().reduces_at_once(layout_of(A.rows).extent());
    CHECK(times["sum"] == done + 2 * on_device + (at_once ? 2 : 4) * runs);
    // An iteration is the three, its sum, and the record of |r|.
    CHECK(times["record"] == done - runs + 2 * on_device);
    // All passes of both, those between tests included. Fixed numbers of iterations, as none of these are in vain.
    const auto passes_of_twenty = [&](Method method) {
        const auto passes = [&](int iterations) {
            return solve_by(method, A, b, {.fixed_iterations = iterations}).passes;
        };
        return passes(30) - passes(10);
    };
    CHECK(passes_of_twenty(Method::pipelined_cg) < passes_of_twenty(Method::cg));
}

TEST_CASE("pipelined or not, conjugate gradients take as many iterations", "[solvers][pipelined_cg]") {
    std::vector<Problem> problems = spd_problems();
    if (!is_slow()) problems.push_back({"a beam", beam(60)});
    for (const Problem& problem : problems) {
        if (is_slow() && problem.A.rows > 50) continue;
        for (const PreconditionerKind preconditioner : {PreconditionerKind::none, PreconditionerKind::jacobi}) {
            CAPTURE(problem.name, name(preconditioner));
            const std::vector<double> b = matching_right_hand_side(problem.A);
            const Options options{.preconditioner = preconditioner};
            const Report cg = solve_by(Method::cg, problem.A, b, options),
                         pipelined = solve_by(Method::pipelined_cg, problem.A, b, options);
            CHECK(cg.converged());
            CHECK(pipelined.converged());
            CHECK(10 * pipelined.iterations <= 13 * cg.iterations + 50);
            CHECK(pipelined.corrections <= cg.corrections + 1 + cg.corrections / 4);
        }
    }
}

TEST_CASE("pipelined or not, as many iterations for real matrices", "[solvers][pipelined_cg][matrices]") {
    const char* folder = std::getenv("GLSOLVE_MATRICES");
    if (folder == nullptr) {
        WARN("GLSOLVE_MATRICES names no folder of matrices: skipped");
        return;
    }
    if (is_slow()) return;
    const std::string matrix = GENERATE("nos3", "nos5", "494_bus", "bcsstk03");
    CAPTURE(matrix);
    const CsrMatrix A = read_matrix_market(std::string(folder) + "/" + matrix + ".mtx.gz");
    const std::vector<double> b = matching_right_hand_side(A);
    const Report cg = solve_by(Method::cg, A, b), pipelined = solve_by(Method::pipelined_cg, A, b);
    CHECK(cg.converged());
    CHECK(pipelined.converged());
    CHECK(10 * pipelined.iterations <= 13 * cg.iterations);
}

TEST_CASE("the direction survives corrections", "[solvers][pipelined_cg]") {
    if (is_slow()) return;  // thousands of iterations
    // So small a tolerance takes corrections, and each that began anew would cost what has been learnt.
    const CsrMatrix A = anisotropic(40, 0.002);
    const Report report = solve_by(Method::pipelined_cg, A, matching_right_hand_side(A), {.tolerance = 1e-12});
    REQUIRE(report.converged());
    CHECK(report.corrections >= 6);
    const Report loose = solve_by(Method::pipelined_cg, A, matching_right_hand_side(A), {.tolerance = 1e-4});
    // Of twelve digits each four take about as long as the first.
    CHECK(report.iterations < 4 * loose.iterations);
}

TEST_CASE("pipelined conjugate gradients in two floats", "[solvers][pipelined_cg]") {
    if (is_slow() && device_under_test().info().stage == Stage::compute) return;  // minutes there
    const PreconditionerKind preconditioner = GENERATE(PreconditionerKind::none, PreconditionerKind::jacobi);
    const CsrMatrix A = beam(is_slow() ? 40 : 150);
    const std::vector<double> b = matching_right_hand_side(A);
    Options options{.preconditioner = preconditioner, .precision = Precision::two_float, .tolerance = 1e-11};
    const Report two = solve_by(Method::pipelined_cg, A, b, options);
    CHECK(two.converged());
    CHECK(two.corrections <= 5);
    options.precision = Precision::automatic;
    CHECK(solve_by(Method::pipelined_cg, A, b, options).converged());
}

TEST_CASE("a preconditioner that is no diagonal has z and u of its own", "[solvers][pipelined_cg]") {
    const Precision precision = GENERATE(Precision::single, Precision::two_float);
    if (precision == Precision::two_float && !device_under_test().info().two_float_fault.empty()) return;
    const CsrMatrix matrix = anisotropic(is_slow() ? 8 : 24, 0.1);
    Backend& backend = backend_under_test();
    const Session session(backend);
    const std::vector<double> ones(static_cast<std::size_t>(matrix.rows), 1.0), b = matching_right_hand_side(matrix);
    const auto A = make_ell(backend, {matrix, ones});
    Neumann M(backend, *A, matrix);
    AssembledSystem system({backend, *A, &M, matrix.rows, infinity_norm(matrix, ones)}, *A);
    system.scale = ones;
    system.precision = precision;
    const auto method = pipelined_cg_method.make({system, matrix, {}, 1000});
    std::vector<double> x(b.size(), 0.0);
    TrueResidual truth(matrix, RowFactors(ones), b, x, 1e-9, 0);
    truth.recompute();
    Report report;
    method->solve(truth, {.precision = precision}, report);
    CAPTURE(report.reason);
    CHECK(report.converged());
    CHECK(true_residual(matrix, x, b) <= 1e-9 * (1 + 1e-6));
    const Report jacobi = solve_by(Method::pipelined_cg, matrix, b, {.tolerance = 1e-9});
    CHECK(3 * report.iterations < 2 * jacobi.iterations);  // in exact arithmetic 59 and 111
}

TEST_CASE("what is not positive definite ends in words", "[solvers][pipelined_cg][outcomes]") {
    CsrMatrix A = poisson2d(8);
    PreconditionerKind preconditioner = PreconditionerKind::none;
    SECTION("eigenvalues on both sides of zero") {
        for (double& v : A.value) v = v == 4 ? 1.0 : v;
    }
    SECTION("all of them negative") {
        for (double& v : A.value) v = -v;
        preconditioner = GENERATE(PreconditionerKind::none, PreconditionerKind::jacobi);
    }
    const Report report =
        solve_by(Method::pipelined_cg, A, std::vector<double>(64, 1.0), {.preconditioner = preconditioner});
    CHECK(report.outcome == Outcome::breakdown);
    CHECK_THAT(report.reason, ContainsSubstring("not positive definite"));
}

TEST_CASE("what is not symmetric ends in words", "[solvers][pipelined_cg][outcomes]") {
    if (is_slow() && device_under_test().info().stage == Stage::compute) return;  // minutes there
    std::vector<Triplet> entries;  // a rotation by a quarter in each pair
    for (Index i = 0; i < 40; i += 2) {
        entries.insert(entries.end(), {{i, i, 0.01}, {i, i + 1, 1.0 + i}, {i + 1, i, -1.0 - i}, {i + 1, i + 1, 0.01}});
    }
    const CsrMatrix A = csr_from_triplets(40, 40, entries);
    const Report report = solve_by(Method::pipelined_cg, A, matching_right_hand_side(A));
    CHECK_FALSE(report.converged());
    CHECK(report.relative_residual <= 1);
    CHECK_THAT(report.reason, ContainsSubstring("not symmetric, as pipelined-cg needs it"));
}

}  // namespace tests_of_pipelined_cg
