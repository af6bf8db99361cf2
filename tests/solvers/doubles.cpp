// Precision::doubles: vectors and matrices in double precision where the device has it, and a refusal in words
// elsewhere.
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/grid.hpp>
#include <glsolve/operator.hpp>
#include <glsolve/solver.hpp>

#include "preconditioners/preconditioner_table.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_doubles {

using namespace glsolve;
using namespace glsolve::test;

namespace {

bool has_doubles() { return backend_under_test().can().doubles; }

/// With the true residual that was asked for. Returns the report.
Report check_solve(const CsrMatrix& A, Options options) {
    options.precision = Precision::doubles;
    const auto b = matching_right_hand_side(A);
    std::vector<double> x(static_cast<std::size_t>(A.columns), 0.0);
    const Report report = solve(device_under_test(), A, b, x, options);
    CAPTURE(name(options.method), name(options.preconditioner), name(options.format), report.reason);
    CHECK(report.outcome == Outcome::converged);
    CHECK(true_residual(A, x, b) <= options.tolerance * (1 + 1e-6));
    return report;
}

}  // namespace

TEST_CASE("double precision is refused in words where the device has none", "[solvers][doubles]") {
    if (has_doubles()) return;
    for (const Method method : {Method::cg, Method::gmres, Method::direct, Method::automatic}) {
        CHECK_THROWS_WITH(
            Solver(device_under_test(), poisson2d(5), {.method = method, .precision = Precision::doubles}),
            ContainsSubstring("precision double") && ContainsSubstring("two-float")
                && ContainsSubstring(device_under_test().info().renderer));
    }
    CHECK_THROWS_AS(GridSolver(device_under_test(), {.width = 8, .height = 8}, {.precision = Precision::doubles}),
                    InvalidInput);
}

TEST_CASE("every method converges in double precision, and hardly corrects", "[solvers][doubles]") {
    if (!has_doubles()) return;
    const auto problems = spd_problems();
    const std::size_t which = GENERATE_COPY(range<std::size_t>(0, problems.size()));
    const Method method = GENERATE(Method::cg, Method::pipelined_cg, Method::minres, Method::bicgstab,
                                   Method::bicgstab2, Method::idr, Method::gmres, Method::fgmres, Method::chebyshev,
                                   Method::bicgstab_chebyshev, Method::direct, Method::automatic);
    const PreconditionerKind M = method == Method::direct
                                     ? PreconditionerKind::none
                                     : GENERATE(PreconditionerKind::none, PreconditionerKind::jacobi);
    CAPTURE(problems[which].name);
    const Report report = check_solve(problems[which].A, {.method = method, .preconditioner = M, .tolerance = 1e-11});
    // Restarts are corrections, and so are changes of bounds.
    if (method == Method::cg || method == Method::pipelined_cg || method == Method::minres || method == Method::direct)
        CHECK(report.corrections <= 3);
}

TEST_CASE("stationary iterations, least squares and all formats in double precision", "[solvers][doubles]") {
    if (!has_doubles()) return;
    const CsrMatrix A = poisson2d(9);
    for (const Method method : {Method::jacobi, Method::cf_jacobi, Method::gauss_seidel, Method::sor, Method::ssor})
        check_solve(A, {.method = method, .preconditioner = PreconditionerKind::none, .tolerance = 1e-10});
    check_solve(A, {.method = Method::cgnr, .preconditioner = PreconditionerKind::none, .tolerance = 1e-10});
    for (const FormatKind format :
         {FormatKind::ell, FormatKind::csr, FormatKind::hec, FormatKind::hyb, FormatKind::coo, FormatKind::bcsr,
          FormatKind::sell, FormatKind::runs, FormatKind::dia, FormatKind::dense})
        check_solve(anisotropic(12, 0.1), {.format = format, .tolerance = 1e-12});
}

TEST_CASE("every preconditioner in double precision", "[solvers][doubles]") {
    if (!has_doubles()) return;
    const CsrMatrix A = poisson2d(33);
    for (const PreconditionerKind M : all_preconditioners()) {
        if (M == PreconditionerKind::saddle) continue;  // of other matrices
        const bool symmetric = preconditioner_row(M).is.symmetric;
        check_solve(A, {.method = symmetric ? Method::cg : Method::gmres, .preconditioner = M, .tolerance = 1e-12});
    }
}

TEST_CASE("what single precision cannot hold, doubles can", "[solvers][doubles]") {
    if (!has_doubles()) return;
    // Neighbouring rows that differ in the ninth digit: in single precision they are the same, and the matrix singular.
    CsrMatrix A;
    A.rows = A.columns = 40;
    A.offsets = {0};
    for (Index i = 0; i < 40; ++i) {
        const bool first = i % 2 == 0;
        A.column.insert(A.column.end(), {i - i % 2, i - i % 2 + 1});
        A.value.insert(A.value.end(), {first ? 1.0 : 1.0 - 1e-9, first ? 1.0 - 1e-9 : 1.0});
        A.offsets.push_back(2 * (i + 1));
    }
    const Report report = check_solve(A, {.method = Method::cg, .tolerance = 1e-12});
    CHECK(report.iterations <= 8);
    CHECK(report.corrections <= 2);
}

TEST_CASE("functions in double precision", "[solvers][doubles]") {
    if (!has_doubles() || !backend_under_test().can().glsl) return;
    const CsrMatrix A = poisson2d(15);
    const std::vector<double> b = matching_right_hand_side(A);
    const Options options{.precision = Precision::doubles, .tolerance = 1e-12};
    GlslOperator laplace{.width = 15,
                         .height = 15,
                         .source =
                             "vec4 apply(ivec2 at) {\n"
                             "    return 4.0 * x(at) - x(at - ivec2(1, 0)) - x(at + ivec2(1, 0)) - x(at - ivec2(0, 1)) "
                             "- x(at + ivec2(0, 1));\n"
                             "}\n"};
    std::vector<double> y(225, 0.0);
    const Report by_function = Solver(device_under_test(), laplace, options).solve(b, y);
    CHECK(by_function.outcome == Outcome::converged);
    CHECK(true_residual(A, y, b) <= 1e-12 * 1.001);
}

TEST_CASE("grids and several right-hand sides in double precision", "[solvers][doubles]") {
    if (!has_doubles()) return;
    const CsrMatrix A = poisson2d(15);
    const Options options{.precision = Precision::doubles, .tolerance = 1e-12};
    const int columns = 6;
    std::vector<double> b, x(225 * columns, 0.0);
    for (int k = 0; k < columns; ++k) {
        for (const double v : matching_right_hand_side(A)) b.push_back(v * (k + 1));
    }
    Solver several(device_under_test(), A, options);
    for (const Report& report : several.solve_several(b, x, columns)) CHECK(report.outcome == Outcome::converged);

    GridSolver grid(
        device_under_test(), {.width = 24, .height = 17, .shift = 0.5},
        {.preconditioner = PreconditionerKind::multigrid, .precision = Precision::doubles, .tolerance = 1e-12});
    std::vector<double> g(24 * 17), u(24 * 17, 0.0);
    for (std::size_t i = 0; i < g.size(); ++i) g[i] = static_cast<double>(i % 7) - 3;
    CHECK(grid.solve(g, u).outcome == Outcome::converged);
}

}  // namespace tests_of_doubles
