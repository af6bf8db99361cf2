// Grids without a matrix, solved: judged by the matrix that they stand for.
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/grid.hpp>

#include "matrix/csr_entries.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"
#include "support/problems.hpp"

namespace tests_of_grid {

using namespace glsolve;
using namespace glsolve::test;

namespace {

constexpr Wall closed = Wall::neumann, value = Wall::dirichlet;

std::vector<double> right_hand_side(std::size_t size) {
    const std::vector<float> numbers = random_numbers(size, 7);
    return {numbers.begin(), numbers.end()};
}

/// A disc and a thin bar of solid cells.
std::vector<Cell> obstacles(Index side) {
    std::vector<Cell> kinds;
    for (Index y = 0; y < side; ++y) {
        for (Index x = 0; x < side; ++x) {
            const double u = (x + 0.5) / side - 0.4, v = (y + 0.5) / side - 0.3;
            const bool disc = u * u + v * v < 0.02, bar = std::abs(u) < 0.2 && y == 2 * side / 3;
            kinds.push_back(disc || bar ? Cell::solid : Cell::unknown);
        }
    }
    return kinds;
}

Report check_solves(GridSolver& solver, std::vector<double> b, double tolerance = 1e-8) {
    const CsrMatrix A = solver.matrix();
    std::vector<double> x(b.size(), 0.0);
    const Report report = solver.solve(b, x);
    CAPTURE(report.reason, report.iterations);
    CHECK(report.converged());
    CHECK(true_residual(A, x, b) <= tolerance * (1 + 1e-6));
    // Near 1e-16 residuals are what double precision has rounded, and that depends on the order of the sums.
    CHECK(report.relative_residual == Approx(true_residual(A, x, b)).epsilon(1e-5).margin(1e-12));
    return report;
}

/// b without what cells that hold no unknown have of it.
std::vector<double> within(const std::vector<Cell>& kinds, std::vector<double> b) {
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (kinds[i] != Cell::unknown) b[i] = 0;
    }
    return b;
}

}  // namespace

TEST_CASE("vertices between Dirichlet walls are poisson2d", "[solvers][grid]") {
    GridSolver solver(device_under_test(), {.width = 9,
                                            .height = 9,
                                            .points = GridPoints::vertices,
                                            .x_walls = {value, value},
                                            .y_walls = {value, value}});
    const CsrMatrix A = solver.matrix(), expected = poisson2d(9);
    CHECK(A.offsets == expected.offsets);
    CHECK(A.column == expected.column);
    CHECK(A.value == expected.value);
}

TEST_CASE("Neumann walls through vertices: modes of the equation are found", "[solvers][grid]") {
    // On an axis of n vertices, spacing 1:  cos(pi i / (n - 1)) between two Neumann walls, cos(pi i / 2 n) between one
    // and a value, sin(pi (i + 1) / (n + 1)) between values, of eigenvalue 2 - 2 cos of the angle of a step.
    constexpr double pi = 3.14159265358979323846;
    const bool space = GENERATE(false, true);
    const Index nx = is_slow() ? 5 : 21, ny = is_slow() ? 6 : 14, nz = space ? 5 : 1;
    const double hx = 0.5, hy = 0.75, shift = GENERATE(0.0, 0.3);
    const double at_x = pi / (nx - 1), at_y = pi / (2 * ny), at_z = pi / (nz + 1);
    const auto eigenvalue = [](double angle, double h) { return (2 - 2 * std::cos(angle)) / (h * h); };
    const double lambda = eigenvalue(at_x, hx) + eigenvalue(at_y, hy) + (space ? eigenvalue(at_z, 1) : 0) + shift;
    std::vector<double> mode, b;
    for (Index z = 0; z < nz; ++z) {
        for (Index y = 0; y < ny; ++y) {
            for (Index x = 0; x < nx; ++x) {
                mode.push_back(std::cos(at_x * x) * std::cos(at_y * y) * (space ? std::sin(at_z * (z + 1)) : 1));
                b.push_back(lambda * mode.back());
            }
        }
    }
    GridSolver solver(device_under_test(), {.width = nx,
                                            .height = ny,
                                            .depth = nz,
                                            .spacing = {hx, hy, 1},
                                            .points = GridPoints::vertices,
                                            .x_walls = {closed, closed},
                                            .y_walls = {closed, value},
                                            .z_walls = {value, value},
                                            .shift = shift});
    std::vector<double> x(b.size());
    const Report report = solver.solve(b, x);
    CHECK(report.converged());
    CHECK(report.iterations <= 15);
    double worst = 0;
    for (std::size_t i = 0; i < x.size(); ++i) worst = std::max(worst, std::abs(x[i] - mode[i]));
    CHECK(worst < 1e-5);  // couplings are rounded to single precision
    CHECK(asymmetry(solver.matrix()) == 0);
}

TEST_CASE("Neumann walls through vertices all around: x but for a constant", "[solvers][grid]") {
    const Index side = 9;
    GridSolver solver(device_under_test(), {.width = side, .height = side, .points = GridPoints::vertices});
    std::vector<double> b(static_cast<std::size_t>(side * side), 0.0), x(b.size());
    b[0] = 4;  // a corner has a quarter of a volume, the middle a whole one
    b[b.size() / 2] = -1;
    const Report report = solver.solve(b, x);
    CHECK(report.converged());
    CHECK(report.remarks.empty());
    b[0] = 1;
    CHECK(solver.solve(b, x).remarks.find("was taken off") != std::string::npos);
}

TEST_CASE("grids of any shape are solved, and truly", "[solvers][grid]") {
    const auto preconditioner =
        GENERATE(PreconditionerKind::multigrid, PreconditionerKind::jacobi, PreconditionerKind::none);
    const auto shape =
        GENERATE(std::array<Index, 3>{1, 1, 1}, std::array<Index, 3>{2, 1, 1}, std::array<Index, 3>{7, 5, 1},
                 std::array<Index, 3>{40, 3, 1}, std::array<Index, 3>{16, 16, 1}, std::array<Index, 3>{5, 6, 7},
                 std::array<Index, 3>{12, 2, 9});
    if (is_slow() && shape[0] * shape[1] * shape[2] > 60) return;
    CAPTURE(name(preconditioner), shape[0], shape[1], shape[2]);
    Options options = GridSolver::usual_options();
    options.preconditioner = preconditioner;
    GridSolver solver(device_under_test(),
                      {.width = shape[0],
                       .height = shape[1],
                       .depth = shape[2],
                       .spacing = {0.5, 0.75, 1},
                       .x_walls = {value, closed},
                       .y_walls = {closed, value},
                       .shift = 0.25},
                      options);
    check_solves(solver, right_hand_side(static_cast<std::size_t>(shape[0] * shape[1] * shape[2])));
}

TEST_CASE("multigrid on a grid hardly needs more iterations where the grid is larger", "[solvers][grid]") {
    if (is_slow()) return;
    std::int64_t fewest = 1000, most = 0;
    for (const Index side : {32, 64, 128, 200}) {
        GridSolver solver(device_under_test(),
                          {.width = side, .height = side, .x_walls = {value, value}, .y_walls = {value, value}});
        const Report report = check_solves(solver, std::vector<double>(static_cast<std::size_t>(side * side), 1.0));
        fewest = std::min(fewest, report.iterations);
        most = std::max(most, report.iterations);
    }
    CHECK(most <= 13);
    CHECK(most <= fewest + 4);
}

TEST_CASE("solids, open cells and coefficients", "[solvers][grid]") {
    const Index side = is_slow() ? 8 : 50;
    GridSolver solver(device_under_test(), {.width = side, .height = side, .y_walls = {closed, value}});
    std::vector<Cell> kinds = obstacles(side);
    const auto cells = static_cast<std::size_t>(side * side);
    solver.set_cells(kinds);
    const Report solids = check_solves(solver, within(kinds, right_hand_side(cells)));
    for (std::size_t i = 0; i < cells / 5; ++i) kinds[i] = Cell::open;
    solver.set_cells(kinds);
    check_solves(solver, within(kinds, right_hand_side(cells)));
    std::vector<float> coefficients(cells);
    for (std::size_t i = 0; i < cells; ++i) coefficients[i] = i % static_cast<std::size_t>(side) < 20 ? 1.0f : 100.0f;
    solver.set_cells(kinds, coefficients);
    check_solves(solver, within(kinds, right_hand_side(cells)));
    solver.set_cells({});
    check_solves(solver, right_hand_side(cells));
    if (!is_slow()) CHECK(solids.iterations <= 16);
}

TEST_CASE("a closed grid has a solution but for a constant", "[solvers][grid][every_driver]") {
    const Index side = is_slow() ? 8 : 40;
    const auto cells = static_cast<std::size_t>(side * side);
    GridSolver solver(device_under_test(), {.width = side, .height = side});
    std::vector<Cell> kinds = obstacles(side);
    for (Index y = 0; y < side; ++y) kinds[static_cast<std::size_t>(y * side + side - 3)] = Cell::solid;  // two rooms
    solver.set_cells(kinds);
    std::vector<double> b = within(kinds, right_hand_side(cells)), x(cells, 0.0);
    const Report report = solver.solve(b, x);
    CAPTURE(report.reason, report.remarks);
    CHECK(report.converged());
    CHECK(report.remarks.find("taken off") != std::string::npos);
    // In each room the residual is what was taken off: the same number everywhere.
    const CsrMatrix A = solver.matrix();
    std::vector<double> product(cells);
    multiply(A, x, product);
    for (const bool right : {false, true}) {
        double smallest = 1e300, largest = -1e300;
        for (std::size_t i = 0; i < cells; ++i) {
            const bool in_right = static_cast<Index>(i) % side > side - 3;
            if (kinds[i] != Cell::unknown || in_right != right) continue;
            smallest = std::min(smallest, b[i] - product[i]);
            largest = std::max(largest, b[i] - product[i]);
        }
        CHECK(largest - smallest < 1e-6);
    }
}

TEST_CASE("cycles alone solve a grid", "[solvers][grid]") {
    const Index side = is_slow() ? 6 : GENERATE(40, 129);  // 129: one cell is left over on each level
    Options options = GridSolver::usual_options();
    options.method = Method::richardson;
    options.amg.cycle = GENERATE(MultigridCycle::v, MultigridCycle::k);
    GridSolver solver(device_under_test(), {.width = side, .height = side, .x_walls = {value, value}}, options);
    const Report report = check_solves(solver, right_hand_side(static_cast<std::size_t>(side * side)));
    CHECK(report.iterations <= 32);
}

TEST_CASE("a grid keeps nothing of the solve before", "[solvers][grid]") {
    Options options = GridSolver::usual_options();
    options.zero_guess = GENERATE(false, true);
    GridSolver solver(device_under_test(), {.width = 13, .height = 9, .x_walls = {Wall::dirichlet, Wall::dirichlet}},
                      options);
    std::vector<double> b(13 * 9), first(b.size()), again(b.size()), other(b.size());
    for (std::size_t i = 0; i < b.size(); ++i) b[i] = std::sin(static_cast<double>(i));
    CHECK(solver.solve(b, first).converged());
    std::vector<double> bad = b;
    bad[5] = std::numeric_limits<double>::quiet_NaN();
    try {
        CHECK_FALSE(solver.solve(bad, other).converged());
    } catch (const InvalidInput&) {
    }
    CHECK(solver.solve(std::vector<double>(b.size(), 0.0), other).converged());
    CHECK(solver.solve(b, again).converged());
    CHECK(again == first);
}

TEST_CASE("what is given counts, however little it is", "[solvers][grid]") {
    const Index side = is_slow() ? 6 : 32;
    const auto cells = static_cast<std::size_t>(side * side);
    const double h = 1.0 / side;
    const auto solved = [&](const Grid& grid, const std::vector<double>& b) {
        GridSolver solver(device_under_test(), grid);
        std::vector<double> x(b.size(), 0.0);
        const Report report = solver.solve(b, x);
        CAPTURE(report.reason, report.remarks);
        CHECK(report.converged());
        CHECK(report.remarks.find("taken off") == std::string::npos);
        return x;
    };
    // -x'' + 0.1 x = 1 between closed walls: x = 10
    const std::vector<double> ones(cells, 1.0);
    for (const double v : solved({.width = side, .height = side, .spacing = {h, h, h}, .shift = 0.1}, ones)) {
        REQUIRE(v == Approx(10).epsilon(1e-4));
    }
    // A line, whose cells are flat: a wall at one end, at x = 0, closed at the other.
    const std::vector<double> line = solved(
        {.width = 16, .height = 1, .spacing = {1, 1e-4, 1}, .x_walls = {value, closed}}, std::vector<double>(16, 1.0));
    for (int i = 0; i < 16; ++i) {  // what the cells behind make flows through each face
        REQUIRE(line[static_cast<std::size_t>(i)] == Approx(8 + 16 * i - 0.5 * i * (i + 1)).epsilon(1e-6));
    }
}

TEST_CASE("coefficients of any size, and one size after another", "[solvers][grid]") {
    const Index side = is_slow() ? 6 : 24;
    const auto cells = static_cast<std::size_t>(side * side);
    const auto preconditioner = GENERATE(PreconditionerKind::multigrid, PreconditionerKind::jacobi);
    Options options = GridSolver::usual_options();
    options.preconditioner = preconditioner;
    GridSolver solver(device_under_test(),
                      {.width = side, .height = side, .spacing = {10, 10, 10}, .x_walls = {value, value}}, options);
    std::int64_t iterations = 0;
    for (const float k : {5e-20f, 1.0f, 3e18f, 1e-12f}) {
        solver.set_cells({}, std::vector<float>(cells, k));
        std::vector<double> x(cells, 0.0), b = right_hand_side(cells);
        for (double& v : b) v *= static_cast<double>(k);
        const CsrMatrix A = solver.matrix();
        const Report report = solver.solve(b, x);
        CAPTURE(k, report.reason);
        CHECK(report.converged());
        CHECK(true_residual(A, x, b) <= 1e-8 * (1 + 1e-6));
        if (iterations > 0) CHECK(std::abs(report.iterations - iterations) <= 2);
        iterations = report.iterations;
    }
}

TEST_CASE("what no x can make is taken off, and told", "[solvers][grid]") {
    GridSolver closed_grid(device_under_test(), {.width = 8, .height = 8});
    std::vector<double> b(64, 0.1), x(64, 0.0);
    const Report even = closed_grid.solve(b, x);
    CHECK(even.converged());
    CHECK(even.remarks.find("1.00e+00 of |b| was taken off") != std::string::npos);
    std::vector<Cell> kinds(64, Cell::unknown);
    for (const std::size_t around : {18, 26, 28, 36, 20}) kinds[around] = Cell::solid;  // of cell 27: 19 is open below
    for (const std::size_t around : {19, 35}) kinds[around] = Cell::solid;
    closed_grid.set_cells(kinds);
    b.assign(64, 0.0);
    b[27] = 5;
    const Report alone = closed_grid.solve(b, x);
    CHECK(alone.converged());
    CHECK(alone.remarks.find("1.00e+00 of |b| was taken off") != std::string::npos);
    CHECK(x[27] == 0);
}

TEST_CASE("numbers whose squares over- or underflow are solved for, and what is taken off is told", "[solvers][grid]") {
    const double tiny = GENERATE(1e-170, 1e-250, 1e160);
    CAPTURE(tiny);
    constexpr std::size_t cells = 64;
    std::vector<Cell> kinds(cells, Cell::unknown);
    for (const std::size_t around : {19, 26, 28, 35}) kinds[around] = Cell::solid;  // cell 27 is by itself
    GridSolver solver(device_under_test(), {.width = 8, .height = 8});
    solver.set_cells(kinds);
    std::vector<double> b(cells), x(cells, 0.0), as_usual(cells, 0.0);
    for (std::size_t i = 0; i < cells; ++i) b[i] = std::sin(1.0 + 3.0 * static_cast<double>(i)) + 0.1;
    const Report expected = solver.solve(b, as_usual);
    CHECK(expected.converged());
    CHECK_THAT(expected.remarks, ContainsSubstring("was taken off"));
    for (double& value : b) value *= tiny;
    const Report report = solver.solve(b, x);
    CAPTURE(report.reason);
    CHECK(report.converged());
    CHECK(report.remarks == expected.remarks);
    double largest = 0, difference = 0;
    for (std::size_t i = 0; i < cells; ++i) {
        largest = std::max(largest, std::abs(as_usual[i]));
        difference = std::max(difference, std::abs(x[i] / tiny - as_usual[i]));
    }
    CHECK(difference < 1e-5 * largest);
}

TEST_CASE("a winding corridor is connected with what is given at its end", "[solvers][grid]") {
    const Index side = is_slow() ? 9 : 25;  // walls in every other row, open at the right and at the left in turn
    std::vector<Cell> kinds(static_cast<std::size_t>(side * side), Cell::unknown);
    for (Index y = 1; y < side; y += 2) {
        for (Index x = 0; x < side; ++x) {
            const bool gap = x == (y % 4 == 1 ? side - 1 : 0);
            if (!gap) kinds[static_cast<std::size_t>(y * side + x)] = Cell::solid;
        }
    }
    std::vector<double> b(kinds.size(), 1.0), x(kinds.size());
    GridSolver solver(device_under_test(), {.width = side, .height = side});
    solver.set_cells(kinds);
    CHECK(solver.solve(b, x).remarks.find("was taken off") != std::string::npos);
    kinds[0] = Cell::open;
    solver.set_cells(kinds);
    std::ranges::fill(x, 0.0);
    const Report report = solver.solve(b, x);
    CHECK(report.converged());
    CHECK(report.remarks.find("was taken off") == std::string::npos);
    CHECK(true_residual(solver.matrix(), x, within(kinds, b)) <= 1e-8 * (1 + 1e-6));
}

TEST_CASE("richardson with the diagonal is Jacobi's method on a grid", "[solvers][grid]") {
    Device& device = device_under_test();
    const Index side = is_slow() ? 6 : 11;
    GridSolver solver(device, {.width = side, .height = side, .x_walls = {value, value}, .y_walls = {value, value}},
                      {.method = Method::richardson, .preconditioner = PreconditionerKind::jacobi, .tolerance = 1e-6});
    const Report report = check_solves(solver, right_hand_side(static_cast<std::size_t>(side * side)), 1e-6);
    CHECK(report.iterations > 50);
    GridSolver damped(device, {.width = side, .height = side, .x_walls = {value, value}, .y_walls = {value, value}},
                      {.method = Method::richardson,
                       .preconditioner = PreconditionerKind::jacobi,
                       .relaxation = 0.5,
                       .tolerance = 1e-6});
    const Report slower = check_solves(damped, right_hand_side(static_cast<std::size_t>(side * side)), 1e-6);
    CHECK(2 * slower.iterations > 3 * report.iterations);  // smooth errors: half as fast
}

TEST_CASE("grids that cannot be are refused in words", "[solvers][grid]") {
    Device& device = device_under_test();
    CHECK_THROWS_AS(GridSolver(device, {.width = 0}), InvalidInput);
    CHECK_THROWS_AS(GridSolver(device, {.width = 4, .spacing = {1, 0, 1}}), InvalidInput);
    CHECK_THROWS_AS(GridSolver(device, {.width = 4, .shift = -1}), InvalidInput);
    CHECK_THROWS_AS(GridSolver(device, {.width = 4}, {.preconditioner = PreconditionerKind::amg}), InvalidInput);
    CHECK_THROWS_AS(GridSolver(device, {.width = 4}, {.method = Method::minres}), InvalidInput);
    CHECK_THROWS_AS(GridSolver(device, {.width = 1 << 30, .height = 1 << 30, .depth = 1 << 30}), InvalidInput);
    CHECK_THROWS_AS(GridSolver(device, {.width = 4, .spacing = {1, 1e-20, 1}}), InvalidInput);
    CHECK_THROWS_AS(GridSolver(device, {.width = 4, .shift = 1e40}), InvalidInput);
    CHECK_THROWS_AS(
        GridSolver(device, {.width = 4}, {.method = Method::richardson, .preconditioner = PreconditionerKind::none}),
        InvalidInput);
    CHECK_THROWS_AS(
        GridSolver(device, {.width = 4},
                   {.preconditioner = PreconditionerKind::multigrid, .amg = {.smoother = MultigridSmoother::jacobi}}),
        InvalidInput);
    CHECK_THROWS_AS(GridSolver(device, {.width = 4},
                               {.preconditioner = PreconditionerKind::multigrid, .amg = {.cycle = MultigridCycle::w}}),
                    InvalidInput);
    GridSolver solver(device, {.width = 4, .height = 2, .x_walls = {value, value}});
    CHECK_THROWS_AS(solver.set_cells(std::vector<Cell>(7)), InvalidInput);
    CHECK_THROWS_AS(solver.set_cells({}, std::vector<float>(8, 0.0f)), InvalidInput);
    std::vector<double> b(8, 1.0), x(7, 0.0);
    CHECK_THROWS_AS(solver.solve(b, x), InvalidInput);
}

}  // namespace tests_of_grid
