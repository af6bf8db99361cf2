// Preconditioners: what they make of a vector, what is refused, and what they save.
#include <fmt/format.h>

#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>

#include "support/catch.hpp"
#include "support/choices.hpp"
#include "support/conformance.hpp"
#include "support/device.hpp"

namespace tests_of_preconditioners {

using namespace glsolve;
using namespace glsolve::test;
using Kind = PreconditionerKind;

namespace {

Report run(const CsrMatrix& A, const Options& options) {
    std::vector<double> x(static_cast<std::size_t>(A.rows), 0.0);
    return solve(device_under_test(), A, matching_right_hand_side(A), x, options);
}

std::string refusal(const CsrMatrix& A, const Options& options) {
    try {
        run(A, options);
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("every method with every preconditioner ends in an answer or in words", "[solvers][preconditioners]") {
    std::vector<Problem> problems = all_problems();
    // The host does all of them, unless it is watched; tests/conformance_table.cpp does so on every device.
    if (is_sanitized || device_under_test().info().backend != BackendKind::host) {
        std::erase_if(problems, [](const Problem& p) { return p.A.rows > (is_slow() ? 64 : 256); });
    }
    const std::size_t which = GENERATE_COPY(range<std::size_t>(0, problems.size()));
    const Problem& problem = problems[which];
    for (const Method method : all_methods()) {
        if (is_slow() && method != Method::cg && method != Method::gmres) continue;
        for (const Kind kind : all_preconditioners()) {
            CAPTURE(problem.name, name(method), name(kind));
            Options options{.method = method, .preconditioner = kind, .tolerance = conformance_tolerance};
            // Those that need not converge need not run long either.
            const bool must_converge = promised(problem, method, kind);
            options.max_iterations = must_converge && !is_slow() ? 3000 : 500;
            const Attempt outcome = attempt(device_under_test(), problem, options);
            CAPTURE(outcome.refused, outcome.report.reason, outcome.true_residual);
            CHECK(outcome.honest());
            if (must_converge) CHECK(outcome.solved());
        }
    }
}

TEST_CASE("what a method does not take is refused in words", "[solvers][preconditioners]") {
    const CsrMatrix A = poisson2d(6);
    const auto has = [](const std::string& text, const char* words) {
        CAPTURE(text, words);
        CHECK(text.find(words) != std::string::npos);
    };
    has(refusal(A, {.method = Method::cg, .preconditioner = Kind::gauss_seidel}), "ssor is");
    has(refusal(A, {.method = Method::minres, .preconditioner = Kind::gauss_seidel}), "ssor is");
    has(refusal(A, {.method = Method::direct, .preconditioner = Kind::chebyshev}), "takes no");
    has(refusal(A, {.method = Method::sor, .preconditioner = Kind::ssor}), "of its own");
    has(refusal(A, {.preconditioner = Kind::ssor, .preconditioning = {.relaxation = 2}}), "below 2");
    has(refusal(A, {.preconditioner = Kind::block_jacobi, .preconditioning = {.block = 5}}), "2");
    has(refusal(A, {.preconditioning = {.steps = -1}}), "steps");
    const CsrMatrix indefinite = other_problems().back().A;
    has(refusal(indefinite, {.method = Method::gmres, .preconditioner = Kind::chebyshev}), "not positive definite");
    const CsrMatrix zero_diagonal = csr_from_triplets(2, 2, std::vector<Triplet>{{0, 1, 1}, {1, 0, 1}, {1, 1, 1}});
    for (const Kind kind : {Kind::jacobi, Kind::ssor, Kind::gauss_seidel, Kind::chebyshev, Kind::cf_jacobi}) {
        CAPTURE(name(kind));
        has(refusal(zero_diagonal, {.method = Method::gmres, .preconditioner = kind}), "row 1");
    }
    const CsrMatrix singular_block =
        csr_from_triplets(2, 2, std::vector<Triplet>{{0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {1, 1, 1}});
    has(refusal(singular_block, {.preconditioner = Kind::block_jacobi}), "rows 1 to 2");
}

TEST_CASE("better preconditioners take fewer iterations", "[solvers][preconditioners]") {
    const CsrMatrix A = poisson2d(is_slow() ? 10 : 24);
    const auto iterations = [&](Kind kind, PreconditionerOptions options = {}) {
        const Report report = run(A, {.preconditioner = kind, .preconditioning = options});
        CHECK(report.converged());
        return static_cast<double>(report.iterations);
    };
    const double none = iterations(Kind::none);
    CHECK(iterations(Kind::jacobi, {.steps = 3}) < 0.7 * none);
    CHECK(iterations(Kind::ssor) < 0.7 * none);
    CHECK(iterations(Kind::chebyshev) < 0.6 * none);
    CHECK(iterations(Kind::chebyshev, {.steps = 8}) < iterations(Kind::chebyshev, {.steps = 2}));
    CHECK(iterations(Kind::richardson) < 0.7 * none);
}

TEST_CASE("the size of a matrix changes nothing that is not scaled", "[solvers][preconditioners]") {
    CsrMatrix A = poisson2d(20);
    const std::vector<double> b(400, 1.0);
    std::vector<std::int64_t> iterations;
    for (const double unit : {1.0, 0x1p-23, 0x1p-46}) {
        for (double& value : A.value) value *= iterations.empty() ? 1.0 : 0x1p-23;
        std::vector<double> x(400, 0.0);
        const Report report =
            Solver(device_under_test(), A, {.method = Method::cg, .preconditioner = Kind::richardson}).solve(b, x);
        CAPTURE(unit, report.remarks);
        CHECK(report.converged());
        iterations.push_back(report.iterations);
    }
    CHECK(iterations[1] == iterations[0]);
    CHECK(iterations[2] == iterations[0]);
}

TEST_CASE("blocks that are all of the matrix solve it at once", "[solvers][preconditioners]") {
    // Unknowns of one point are coupled, and points are not.
    const int block = GENERATE(2, 3, 4);
    const Index n = 4 * block - 1;  // the last block is a smaller one
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; ++i) {
        for (Index j = i / block * block; j < std::min(n, (i / block + 1) * block); ++j) {
            entries.push_back({i, j, i == j ? 3.0 + i : 1.0 / (1 + i + j)});
        }
    }
    const CsrMatrix A = csr_from_triplets(n, n, entries);
    const Method method = GENERATE(Method::cg, Method::bicgstab, Method::gmres);
    const Report report =
        run(A, {.method = method, .preconditioner = Kind::block_jacobi, .preconditioning = {.block = block}});
    CAPTURE(name(method), block, report.reason);
    CHECK(report.converged());
    CHECK(report.iterations <= 3);  // one, and what rounding leaves for corrections
}

TEST_CASE("two floats and corrections work with preconditioners that take passes of their own",
          "[solvers][preconditioners]") {
    if (is_slow()) return;
    const CsrMatrix A = anisotropic(20, 0.01);
    const Kind kind = GENERATE(Kind::ssor, Kind::chebyshev, Kind::block_jacobi);
    const Precision precision = GENERATE(Precision::single, Precision::two_float);
    if (precision == Precision::two_float && !backend_under_test().info().two_float_fault.empty()) return;
    const Report report = run(A, {.preconditioner = kind, .precision = precision, .tolerance = 1e-12});
    CAPTURE(name(kind), name(precision), report.reason);
    CHECK(report.converged());
}

TEST_CASE("a solve with such a preconditioner goes on where it was",
          "[solvers][preconditioners][resume][every_driver]") {
    const CsrMatrix A = poisson2d(is_slow() ? 10 : 20);
    const auto b = matching_right_hand_side(A);
    const Kind kind = GENERATE(Kind::ssor, Kind::chebyshev);
    std::vector<double> x(b.size(), 0.0), y(b.size(), 0.0);
    Solver solver(device_under_test(), A, {.preconditioner = kind, .max_iterations = 9});
    std::int64_t iterations = solver.solve(b, x).iterations;
    for (int k = 0; k < 30; ++k) {
        const Report report = solver.resume(b, x);
        iterations += report.iterations;
        if (report.converged()) break;
    }
    CHECK(true_residual(A, x, b) < 1.0001e-8);
    const Report whole = solve(device_under_test(), A, b, y, {.preconditioner = kind});
    CAPTURE(name(kind), whole.iterations, iterations);
    CHECK(static_cast<double>(iterations) <= 1.5 * static_cast<double>(whole.iterations) + 9);
}

TEST_CASE("a zero on the diagonal is blamed on the preconditioner that was asked for", "[solvers][preconditioners]") {
    const CsrMatrix A =
        csr_from_triplets(3, 3, std::vector<Triplet>{{0, 0, 2}, {0, 1, 1}, {1, 0, 1}, {1, 2, 1}, {2, 1, 1}, {2, 2, 2}});
    for (const Kind kind :
         {Kind::jacobi, Kind::cf_jacobi, Kind::gauss_seidel, Kind::sor, Kind::ssor, Kind::chebyshev, Kind::amg}) {
        const std::string who = fmt::format("preconditioner {}: row 2 has a zero on the diagonal", name(kind));
        CHECK_THAT(refusal(A, {.method = Method::gmres, .preconditioner = kind}), StartsWith(who));
    }
}

}  // namespace tests_of_preconditioners
