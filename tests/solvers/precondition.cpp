// One application of a preconditioner, x = M^-1 b: is it linear, symmetric where it should be, and that of A?
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/grid.hpp>
#include <glsolve/solver.hpp>

#include "base/random.hpp"
#include "preconditioners/preconditioner_table.hpp"
#include "support/catch.hpp"
#include "support/choices.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_precondition {

using namespace glsolve;
using namespace glsolve::test;

namespace {

using Numbers = std::vector<double>;

Numbers random_numbers(std::size_t n, std::uint64_t seed) {
    Random random(seed);
    Numbers made(n);
    for (double& number : made) number = 2 * random.uniform() - 1;
    return made;
}

double dot(const Numbers& x, const Numbers& y) {
    double sum = 0;
    for (std::size_t i = 0; i < x.size(); ++i) sum += x[i] * y[i];
    return sum;
}
double norm(const Numbers& x) { return std::sqrt(dot(x, x)); }
Numbers combined(double a, const Numbers& x, double b, const Numbers& y) {
    Numbers made(x.size());
    for (std::size_t i = 0; i < x.size(); ++i) made[i] = a * x[i] + b * y[i];
    return made;
}

template <class AnySolver>
Numbers applied(AnySolver& solver, const Numbers& b) {
    Numbers x(b.size(), 1e30);  // none of it may be left
    solver.precondition(b, x);
    return x;
}

/// Rounding of single precision in some hundred terms.
constexpr double rounding = 2e-5;

template <class AnySolver>
void check_linear(AnySolver& solver, std::size_t n) {
    const Numbers b = random_numbers(n, 1), c = random_numbers(n, 2);
    const Numbers Mb = applied(solver, b), Mc = applied(solver, c);
    const Numbers sum = applied(solver, combined(3, b, -0.5, c));
    CHECK(norm(combined(1, sum, -1, combined(3, Mb, -0.5, Mc))) <= rounding * (3 * norm(Mb) + 0.5 * norm(Mc)));
    // By powers of two exactly, wherever numbers are.
    CHECK(applied(solver, combined(0x1p300, b, 0, c)) == combined(0x1p300, Mb, 0, c));
    CHECK(applied(solver, Numbers(n, 0.0)) == Numbers(n, 0.0));
}

template <class AnySolver>
void check_symmetric(AnySolver& solver, std::size_t n) {
    const Numbers b = random_numbers(n, 3), c = random_numbers(n, 4);
    const Numbers Mb = applied(solver, b), Mc = applied(solver, c);
    CHECK(std::abs(dot(Mb, c) - dot(b, Mc)) <= rounding * (norm(Mb) * norm(c) + norm(b) * norm(Mc)));
}

/// Iterations of conjugate gradients in double precision, with M applied by the solver.
template <class AnySolver>
int iterations(CsrView A, AnySolver& solver, const Numbers& b) {
    Numbers x(b.size(), 0.0), r = b, z = applied(solver, r), p = z, q(b.size());
    double rho = dot(r, z);
    for (int k = 1; k <= 200; ++k) {
        multiply(A, p, q);
        const double alpha = rho / dot(p, q);
        x = combined(1, x, alpha, p);
        r = combined(1, r, -alpha, q);
        if (norm(r) <= 1e-10 * norm(b)) return true_residual(A, x, b) <= 2e-10 ? k : 1000;
        z = applied(solver, r);
        const double next = dot(r, z);
        p = combined(1, z, next / rho, p);
        rho = next;
    }
    return 1000;
}

}  // namespace

TEST_CASE("preconditioners are applied linearly, and symmetrically where they are symmetric",
          "[solvers][preconditioners][precondition][every_driver]") {
    const CsrMatrix A = jumping_coefficients(is_slow() ? 12 : 20, 100, Coefficients::cells);
    const auto n = static_cast<std::size_t>(A.rows);
    for (const PreconditionerRow* const row : preconditioner_table) {
        if (row->kind == PreconditionerKind::automatic || row->kind == PreconditionerKind::saddle) continue;
        if (!is_tried(4, row->kind)) continue;
        CAPTURE(row->name);
        const Method method = row->is.symmetric ? Method::cg : Method::bicgstab;
        Solver solver(device_under_test(), A,
                      {.method = method, .preconditioner = row->kind, .precision = precision_under_test()});
        check_linear(solver, n);
        if (row->is.symmetric) check_symmetric(solver, n);
    }
}

TEST_CASE("none is the identity, jacobi divides by the diagonal, and lu solves",
          "[solvers][preconditioners][precondition]") {
    CsrMatrix A = convection_diffusion(14);
    for (Index i = 0; i < A.rows; ++i) {  // scales that differ
        for (auto [j, a] : A.row(i)) a *= std::ldexp(1.0, i % 7 + j % 7);
    }
    const auto n = static_cast<std::size_t>(A.rows);
    const Numbers b = random_numbers(n, 5);
    const auto with = [&](PreconditionerKind kind, Reordering reorder = Reordering::none) {
        return Solver(
            device_under_test(), A,
            {.method = Method::gmres, .preconditioner = kind, .reorder = reorder, .precision = precision_under_test()});
    };
    Solver none = with(PreconditionerKind::none);
    CHECK(applied(none, b) == b);
    const Numbers d = diagonal(A);
    for (const Reordering reorder : {Reordering::none, Reordering::rcm}) {
        CAPTURE(name(reorder));
        Solver jacobi = with(PreconditionerKind::jacobi, reorder);
        const Numbers x = applied(jacobi, b);
        for (std::size_t i = 0; i < n; ++i) CHECK(std::abs(x[i] * d[i] - b[i]) <= 1e-6 * std::abs(b[i]));
        Solver lu = with(PreconditionerKind::lu, reorder);
        CHECK(true_residual(A, applied(lu, b), b) < 1e-4);
    }
}

TEST_CASE("conjugate gradients of the caller's own take multigrid", "[solvers][preconditioners][precondition]") {
    const Index N = is_slow() ? 16 : 32;
    CsrMatrix A = poisson2d(N);
    const Numbers b = random_numbers(static_cast<std::size_t>(A.rows), 6);
    const Options options{.preconditioner = PreconditionerKind::amg, .precision = precision_under_test()};
    Solver amg(device_under_test(), A, options);
    const int usual = iterations(A, amg, b);
    CHECK(usual <= 16);
    for (double& a : A.value) a = std::ldexp(a, 900);  // beyond the range that the device computes in
    Solver large(device_under_test(), A, options);
    CHECK(iterations(A, large, b) == usual);
    amg.update_values(jumping_coefficients(N, 1).value);
    CHECK(std::abs(iterations(jumping_coefficients(N, 1), amg, b) - usual) <= 2);
}

TEST_CASE("the preconditioner of a grid is one of its matrix", "[solvers][preconditioners][precondition]") {
    for (const GridPoints points : {GridPoints::cells, GridPoints::vertices}) {
        for (const bool closed : {false, true}) {
            CAPTURE(points, closed);
            Grid grid{.width = 18, .height = 15, .spacing = {0.1, 0.1, 1}, .points = points};
            if (!closed) grid.x_walls = {Wall::dirichlet, Wall::neumann};
            GridSolver solver(device_under_test(), grid);
            const auto n = static_cast<std::size_t>(grid.width * grid.height);
            check_linear(solver, n);
            check_symmetric(solver, n);
            Numbers b = random_numbers(n, 7);
            double mean = 0;
            for (const double b_i : b) mean += b_i / static_cast<double>(n);
            for (double& b_i : b) b_i -= closed ? mean : 0;
            CHECK(iterations(solver.matrix(), solver, b) <= 16);
        }
    }
}

TEST_CASE("what has no preconditioner says so, and sizes are checked", "[solvers][preconditioners][precondition]") {
    const CsrMatrix A = poisson2d(8);
    Numbers b(64, 1.0), x(64), few(63);
    for (const Method method : {Method::direct, Method::cgnr, Method::jacobi}) {
        CAPTURE(name(method));
        Solver solver(device_under_test(), A, {.method = method});
        CHECK_THROWS_WITH(solver.precondition(b, x), ContainsSubstring("has no preconditioner"));
    }
    Solver solver(device_under_test(), A);
    CHECK_THROWS_WITH(solver.precondition(b, few), ContainsSubstring("64 rows and 64 columns"));
    CHECK_THROWS_AS(Solver().precondition(b, x), InvalidInput);
    GridSolver grid(device_under_test(), {.width = 8, .height = 8});
    CHECK_THROWS_WITH(grid.precondition(few, x), ContainsSubstring("64 cells"));
}

TEST_CASE("a matrix of the caller's is read in place, and solved with the same bits", "[solvers][csr_view]") {
    const CsrMatrix A = random_spd(300, 2400);
    const Numbers b = matching_right_hand_side(A);
    const Options options{.precision = precision_under_test(), .tolerance = 1e-10};
    Solver owner(device_under_test(), A, options), reader(device_under_test(), CsrView(A), options);
    CHECK(reader.matrix().value.data() == A.value.data());
    CHECK(reader.matrix().column.data() == A.column.data());
    CHECK(owner.matrix().value.data() != A.value.data());
    Numbers x(b.size(), 0.0), y(b.size(), 0.0);
    CHECK(owner.solve(b, x).converged());
    CHECK(reader.solve(b, y).converged());
    CHECK(x == y);
    Numbers values = A.value;
    for (double& value : values) value *= 3;
    for (Solver* const solver : {&owner, &reader}) solver->update_values(values);
    std::ranges::fill(values, 0.0);  // they were copied
    CHECK(reader.matrix().column.data() == A.column.data());
    Numbers third(b.size(), 0.0);
    CHECK(reader.solve(b, third).converged());
    CHECK(norm(combined(3, third, -1, x)) <= 1e-8 * norm(x));
    CsrMatrix bad = A;
    bad.column[1] = bad.column[0];
    CHECK_THROWS_AS(Solver(device_under_test(), CsrView(bad)), InvalidInput);
}

}  // namespace tests_of_precondition
