// Geometric multigrid for the matrix of a grid: does it do what it does for the grid itself?
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/grid.hpp>

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"
#include "support/problems.hpp"
#include "support/words.hpp"

namespace tests_of_matrix_grid {

using namespace glsolve;
using namespace glsolve::test;

namespace {

constexpr Wall closed = Wall::neumann, value = Wall::dirichlet;

std::vector<double> right_hand_side(const CsrMatrix& A) {
    const std::vector<float> numbers = random_numbers(static_cast<std::size_t>(A.rows), 7);
    return {numbers.begin(), numbers.end()};
}

Report check_solves(const CsrMatrix& A, std::vector<double> b, Options options = {}) {
    options.preconditioner = PreconditionerKind::multigrid;
    std::vector<double> x(b.size(), 0.0);
    const Report report = solve(device_under_test(), A, b, x, options);
    CAPTURE(report.reason, report.iterations);
    CHECK(report.converged());
    CHECK(true_residual(A, x, b) <= options.tolerance * (1 + 1e-6));
    return report;
}

Report check_solves(const CsrMatrix& A, Options options = {}) { return check_solves(A, right_hand_side(A), options); }

/// Solves on a grid, and with the matrix of it.
void check_same_iterations(GridSolver& grid, std::vector<double> b) {
    const CsrMatrix A = grid.matrix();
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (A.offsets[i + 1] - A.offsets[i] == 1) b[i] = 0;  // solid, or by itself
    }
    std::vector<double> x(b.size(), 0.0);
    const Report of_grid = grid.solve(b, x);
    const Report of_matrix = check_solves(A, b);
    CAPTURE(of_grid.iterations, of_matrix.iterations, of_grid.remarks);
    // Where cells are two deep, what is a mass and what is given by a wall is not told apart in the same way.
    CHECK(of_matrix.iterations <= of_grid.iterations + 1);
    CHECK(of_matrix.iterations >= of_grid.iterations - 2);
}

std::string refusal(const CsrMatrix& A, Options options = {}) {
    options.preconditioner = PreconditionerKind::multigrid;
    std::vector<double> x(static_cast<std::size_t>(A.rows), 0.0);
    try {
        solve(device_under_test(), A, std::vector<double>(x.size(), 1.0), x, options);
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "";
}

/// Each entry times d_i d_j.
CsrMatrix scaled(CsrMatrix A, const std::function<double(Index)>& d) {
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) A.value[k] *= d(i) * d(A.column[k]);
    }
    return A;
}

}  // namespace

TEST_CASE("the matrix of a grid takes as many iterations as the grid", "[solvers][matrix_grid]") {
    const auto shape =
        GENERATE(std::array<Index, 3>{16, 16, 1}, std::array<Index, 3>{7, 5, 1}, std::array<Index, 3>{61, 43, 1},
                 std::array<Index, 3>{5, 6, 7}, std::array<Index, 3>{12, 2, 9}, std::array<Index, 3>{40, 3, 1});
    if (is_slow() && shape[0] * shape[1] * shape[2] > 60) return;
    CAPTURE(shape[0], shape[1], shape[2]);
    const auto cells = static_cast<std::size_t>(shape[0] * shape[1] * shape[2]);
    const std::vector<float> numbers = random_numbers(cells, 7);
    const std::vector<double> b(numbers.begin(), numbers.end());
    Grid grid{.width = shape[0], .height = shape[1], .depth = shape[2]};
    SECTION("between vertices") {
        grid.points = GridPoints::vertices;
        grid.x_walls = grid.y_walls = grid.z_walls = {value, value};
        GridSolver solver(device_under_test(), grid);
        check_same_iterations(solver, b);
    }
    SECTION("walls of both kinds, spacings that differ, a shift") {
        grid.spacing = {0.5, 0.75, 1};
        grid.x_walls = {value, closed};
        grid.y_walls = {closed, value};
        grid.shift = 0.25;
        GridSolver solver(device_under_test(), grid);
        check_same_iterations(solver, b);
    }
    SECTION("a strong axis") {
        grid.spacing = {0.05, 1, 1};
        grid.x_walls = grid.y_walls = {value, value};
        GridSolver solver(device_under_test(), grid);
        check_same_iterations(solver, b);
    }
    SECTION("solids, open cells, coefficients") {
        grid.x_walls = {value, closed};
        GridSolver solver(device_under_test(), grid);
        std::vector<Cell> kinds(cells, Cell::unknown);
        std::vector<float> coefficients(cells);
        for (std::size_t i = 0; i < cells; ++i) {
            if (i % 11 == 5) kinds[i] = Cell::solid;
            if (i % 29 == 7) kinds[i] = Cell::open;
            coefficients[i] = i % 5 < 3 ? 1.0f : 100.0f;
        }
        solver.set_cells(kinds, coefficients);
        check_same_iterations(solver, b);
    }
}

TEST_CASE("matrices of grids, with any format and method that takes it", "[solvers][matrix_grid]") {
    const Index side = is_slow() ? 7 : 37;
    for (const CsrMatrix& A :
         {poisson2d(side), poisson3d(is_slow() ? 4 : 11), anisotropic(side, 1e-3), poisson2d(1), poisson2d(2)}) {
        CAPTURE(A.rows);
        CHECK(check_solves(A).iterations <= 20);
    }
    if (is_slow()) return;
    const CsrMatrix A = poisson2d(side);
    for (const Method method :
         {Method::cg, Method::pipelined_cg, Method::richardson, Method::gmres, Method::fgmres, Method::bicgstab,
          Method::bicgstab2, Method::idr, Method::chebyshev, Method::automatic}) {
        CAPTURE(name(method));
        CHECK(check_solves(A, {.method = method}).iterations <= 60);
    }
    for (const FormatKind format :
         {FormatKind::ell, FormatKind::csr, FormatKind::sell, FormatKind::runs, FormatKind::dia}) {
        CAPTURE(name(format));
        CHECK(check_solves(A, {.format = format}).iterations <= 16);
    }
    for (const Method method : {Method::cg, Method::richardson, Method::fgmres}) {
        CHECK(check_solves(A, {.method = method, .amg = {.cycle = MultigridCycle::k}}).iterations <= 40);
    }
    for (const int steps : {1, 2, 5}) check_solves(A, {.amg = {.steps = steps}});
    check_solves(A, {.amg = {.levels = 2}});
    check_solves(A, {.precision = Precision::single, .tolerance = 1e-10});
}

TEST_CASE("coefficients that jump from cell to cell, and of any size", "[solvers][matrix_grid]") {
    const Index side = is_slow() ? 7 : 38;
    for (const Coefficients kind : {Coefficients::checkerboard, Coefficients::inclusions, Coefficients::cells}) {
        CAPTURE(static_cast<int>(kind));
        check_solves(jumping_coefficients(side, 1e6, kind));
    }
    // Tiles of four cells a side, which are joined with their like.
    if (!is_slow()) CHECK(check_solves(jumping_coefficients(32, 1e4)).iterations <= 16);
    // Of every size, all of it: the same iterations but for what single precision rounds.
    const std::int64_t usual = check_solves(poisson2d(side)).iterations;
    for (const double size : {1e-15, 3e-4, 1e9, 1e14}) {
        CAPTURE(size);
        const CsrMatrix A = scaled(poisson2d(side), [&](Index) { return size; });
        std::vector<double> b = right_hand_side(A);
        for (double& v : b) v *= size;
        CHECK(std::abs(check_solves(A, b).iterations - usual) <= 1);
    }
    // Diagonals from 1 to 1e8, which other preconditioners scale row by row.
    std::vector<Triplet> entries;
    const CsrMatrix A = poisson2d(side);
    for (Index i = 0; i < A.rows; ++i) {
        const double mass = i % 7 == 0 ? 1e8 : 0;
        entries.push_back({i, i, mass});
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) entries.push_back({i, A.column[k], A.value[k]});
    }
    check_solves(csr_from_triplets(A.rows, A.rows, entries));
}

TEST_CASE("rows by themselves are solved beside the grid", "[solvers][matrix_grid]") {
    const Index side = is_slow() ? 6 : 30;
    CsrMatrix A = poisson2d(side);  // the rim of the grid, and some points within: values that are known
    const auto known = [&](Index i) {
        const Index x = i % side, y = i / side;
        return x == 0 || y == 0 || x + 1 == side || y + 1 == side || i % 41 == 20;
    };
    std::vector<Triplet> entries;
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            const Index j = A.column[k];
            if (i == j) entries.push_back({i, i, known(i) ? 1e4 : A.value[k]});
            if (i != j && !known(i) && !known(j)) entries.push_back({i, j, A.value[k]});
        }
    }
    CHECK(check_solves(csr_from_triplets(A.rows, A.rows, entries)).iterations <= 16);
    std::vector<Triplet> diagonal;
    for (Index i = 0; i < 9; ++i) diagonal.push_back({i, i, 1.0 + i});
    CHECK(check_solves(csr_from_triplets(9, 9, diagonal)).iterations <= 2);
}

TEST_CASE("a singular matrix of a grid converges for what is in its range", "[solvers][matrix_grid]") {
    const Index side = is_slow() ? 6 : 33;
    GridSolver closed_grid(device_under_test(), {.width = side, .height = side});
    const CsrMatrix A = closed_grid.matrix();
    const std::vector<double> b = matching_right_hand_side(A);
    CHECK(check_solves(A, b).iterations <= 16);
}

TEST_CASE("the grids are told", "[solvers][matrix_grid]") {
    Solver solver(device_under_test(), poisson2d(18), {.preconditioner = PreconditionerKind::multigrid});
    REQUIRE(solver.hierarchy().levels.size() == 3);  // 18, 9, 5 cells a side, in rows of 8
    CHECK(solver.hierarchy().levels.front().rows == 18 * 18);
    CHECK(solver.hierarchy().levels.back().rows == 25);
    CHECK(solver.hierarchy().coarsest.find("by a product") != std::string::npos);
}

TEST_CASE("what geometric multigrid does not take is refused in words", "[solvers][matrix_grid]") {
    check_has(refusal(convection_diffusion(8), {.method = Method::gmres}), "not symmetric");
    check_has(refusal(elasticity(2, 2, 2).A), "needs the matrix of a grid");
    check_has(refusal(poisson2d(6), {.method = Method::direct}), "takes no");
    check_has(refusal(poisson2d(6), {.method = Method::pipelined_cg, .amg = {.cycle = MultigridCycle::k}}), "K cycle");
    check_has(refusal(poisson2d(6), {.amg = {.cycle = MultigridCycle::w}}), "cycles v and k");
    check_has(refusal(poisson2d(6), {.amg = {.smoother = MultigridSmoother::jacobi}}), "chebyshev");
    check_has(refusal(poisson2d(6), {.slicing = {.sort_window = 32}}), "sort_window");
    CsrMatrix wide = csr_from_triplets(2, 3, std::vector<Triplet>{{0, 0, 1}, {1, 1, 1}});
    check_has(refusal(wide), "2 x 3");
}

}  // namespace tests_of_matrix_grid
