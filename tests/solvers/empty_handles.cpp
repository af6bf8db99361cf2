// Handles that hold nothing yet, or nothing any more: they can be asked, assigned to and destroyed; the rest ends in
// words.
#include <functional>
#include <glsolve/glsolve.hpp>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/device.hpp"

namespace tests_of_empty_handles {

using namespace glsolve;
using namespace glsolve::test;

namespace {

using Actions = std::vector<std::pair<const char*, std::function<void()>>>;

/// Each of the actions is refused, and says which handle is empty and what makes one.
void check_refused(const Actions& actions, const char* handle, const char* remedy) {
    for (const auto& [what, action] : actions) {
        INFO(what);
        CHECK_THROWS_AS(action(), InvalidInput);
        CHECK_THROWS_WITH(action(),
                          ContainsSubstring(std::string(handle) + ": this one is empty") && ContainsSubstring(remedy));
    }
}

void check_refused(Device& empty) {
    CHECK_FALSE(empty);
    const CsrMatrix A = poisson2d(3);
    std::vector<double> b(9, 1.0), x(9, 0.0);
    check_refused({{"info", [&] { empty.info(); }},
                   {"backend", [&] { empty.backend(); }},
                   {"a solver of a matrix", [&] { Solver(empty, A); }},
                   {"a solver of a dense matrix", [&] { Solver(empty, DenseMatrix(2, 2)); }},
                   {"a solver of a function", [&] { Solver(empty, five_point(8, 8)); }},
                   {"a solver of a grid", [&] { GridSolver(empty, {.width = 8, .height = 8}); }},
                   {"solve", [&] { solve(empty, A, b, x); }}},
                  "Device", "Device::open");
    CHECK(x == std::vector<double>(9, 0.0));
}

void check_refused(Solver& empty) {
    CHECK_FALSE(empty);
    std::vector<double> b(9, 1.0), x(9, 0.0);
    const std::vector<float> numbers(9, 1.0f);
    check_refused({{"solve", [&] { empty.solve(b, x); }},
                   {"solve_several", [&] { empty.solve_several(b, x, 1); }},
                   {"resume", [&] { empty.resume(b, x); }},
                   {"enqueue", [&] { empty.enqueue({.texture = 1}, {.texture = 2}); }},
                   {"poll", [&] { empty.poll(); }},
                   {"solve on textures", [&] { empty.solve(TextureView{.texture = 1}, {.texture = 2}); }},
                   {"warm_up", [&] { empty.warm_up({.texture = 1}, {.texture = 2}); }},
                   {"update_values", [&] { empty.update_values(b); }},
                   {"set_input", [&] { empty.set_input("k", numbers); }},
                   {"set_input from a texture", [&] { empty.set_input("k", TextureView{.texture = 1}); }},
                   {"set_constant", [&] { empty.set_constant("shift", 1); }},
                   {"spectrum", [&] { empty.spectrum(); }},
                   {"spectrum of no steps", [&] { empty.spectrum(0); }},
                   {"method", [&] { empty.method(); }},
                   {"format", [&] { empty.format(); }},
                   {"hierarchy", [&] { empty.hierarchy(); }},
                   {"matrix", [&] { empty.matrix(); }}},
                  "Solver", "Solver(device, A)");
    CHECK(x == std::vector<double>(9, 0.0));
}

void check_refused(GridSolver& empty) {
    CHECK_FALSE(empty);
    std::vector<double> b(9, 1.0), x(9, 0.0);
    check_refused({{"set_cells", [&] { empty.set_cells({}); }},
                   {"set_cells_from", [&] { empty.set_cells_from({.texture = 1}); }},
                   {"solve", [&] { empty.solve(b, x); }},
                   {"enqueue", [&] { empty.enqueue({.texture = 1}, {.texture = 2}); }},
                   {"poll", [&] { empty.poll(); }},
                   {"solve on textures", [&] { empty.solve(TextureView{.texture = 1}, {.texture = 2}); }},
                   {"warm_up", [&] { empty.warm_up({.texture = 1}, {.texture = 2}); }},
                   {"hierarchy", [&] { empty.hierarchy(); }},
                   {"matrix", [&] { empty.matrix(); }}},
                  "GridSolver", "GridSolver(device, grid)");
    CHECK(x == std::vector<double>(9, 0.0));
}

/// A member of a program's class, as it is before there is a context.
struct Members {
    Device device;
    Solver solver;
    GridSolver grid;
};

}  // namespace

TEST_CASE("empty handles end in words", "[solvers][empty]") {
    Members members;
    check_refused(members.device);
    check_refused(members.solver);
    check_refused(members.grid);
    Members other = std::move(members);  // nothing into nothing
    members = std::move(other);
    check_refused(members.solver);
}

TEST_CASE("what was moved from is empty, and what it was moved to works", "[solvers][empty]") {
    Device& device = device_under_test();
    const CsrMatrix A = poisson2d(3);
    std::vector<double> b(9, 1.0), x(9, 0.0);

    Solver solver(device, A), other;
    CHECK(solver);
    other = std::move(solver);
    check_refused(solver);  // NOLINT(bugprone-use-after-move)
    CHECK(other);
    CHECK(other.solve(b, x).converged());
    solver = std::move(other);
    check_refused(other);  // NOLINT(bugprone-use-after-move)
    CHECK(solver.solve(b, x).converged());
    solver = {};
    check_refused(solver);
    solver = Solver(device, A);
    CHECK(solver.solve(b, x).converged());

    std::vector<double> y(9, 0.0);
    GridSolver grid;
    grid = GridSolver(device, {.width = 3, .height = 3, .x_walls = {Wall::dirichlet, Wall::dirichlet}});
    CHECK(grid);
    GridSolver next(std::move(grid));
    check_refused(grid);  // NOLINT(bugprone-use-after-move)
    CHECK(next.solve(b, y).converged());
}

TEST_CASE("a device that was moved from is empty; solvers follow it", "[solvers][empty]") {
    std::vector<double> b(9, 1.0), x(9, 0.0);
    Device first = Device::host(), second;
    CHECK(first);
    Solver solver(first, poisson2d(3));
    second = std::move(first);
    check_refused(first);  // NOLINT(bugprone-use-after-move)
    CHECK(second.info().backend == BackendKind::host);
    CHECK(solver.solve(b, x).converged());
}

}  // namespace tests_of_empty_handles
