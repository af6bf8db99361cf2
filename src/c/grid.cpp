// Grids of the C interface.
#include <fmt/format.h>

#include <array>
#include <memory>

#include "c/guarded.hpp"
#include "c/handles.hpp"

namespace glsolve::c {
namespace {

Grid grid_of(const glsolve_grid* given) {
    const glsolve_grid g = taken(given, "grid");
    Grid grid{.width = g.width,
              .height = g.height,
              .depth = g.depth == 0 ? 1 : g.depth,
              .points = g.at_vertices != 0 ? GridPoints::vertices : GridPoints::cells,
              .shift = g.shift};
    const std::array<std::array<Wall, 2>*, 3> walls{&grid.x_walls, &grid.y_walls, &grid.z_walls};
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (g.spacing[axis] != 0) grid.spacing[axis] = g.spacing[axis];
        for (std::size_t end = 0; end < 2; ++end) {
            const std::int32_t wall = g.walls[2 * axis + end];
            if (wall != GLSOLVE_CLOSED_WALL && wall != GLSOLVE_DIRICHLET_WALL) {
                throw InvalidInput(fmt::format(
                    "grid: walls[{}] is {}; it is 0, a closed wall, or 1, one with the value 0", 2 * axis + end, wall));
            }
            (*walls[axis])[end] = wall == GLSOLVE_DIRICHLET_WALL ? Wall::dirichlet : Wall::neumann;
        }
    }
    return grid;
}

Cell cell_of(std::uint8_t kind, std::size_t i) {
    if (kind == GLSOLVE_UNKNOWN_CELL) return Cell::unknown;
    if (kind == GLSOLVE_SOLID_CELL) return Cell::solid;
    if (kind == GLSOLVE_OPEN_CELL) return Cell::open;
    throw InvalidInput(fmt::format("kinds[{}] is {}; it is 0 (unknown), 1 (solid) or 2 (open)", i, kind));
}

}  // namespace

GridSolver& grid_solver(glsolve_solver* solver) {
    if (GridSolver* const made = std::get_if<GridSolver>(&required(solver, "solver").solver)) return *made;
    throw InvalidInput("this solver is one of a matrix; the call is for grids");
}

}  // namespace glsolve::c

using namespace glsolve;
using namespace glsolve::c;

int glsolve_grid_solver_create(glsolve_device* device, const glsolve_grid* grid, const glsolve_settings* settings,
                               glsolve_solver** solver) {
    return guarded([&] {
        glsolve_solver*& to = required(solver, "solver");
        Device& on = required(device, "device").device;
        const Grid given = grid_of(grid);
        auto made = std::make_unique<glsolve_solver>();
        made->rows = made->columns = std::int64_t{given.width} * given.height * given.depth;
        const Options options = options_of(taken_if_any(settings, "settings"), GridSolver::usual_options(), made->rows);
        made->solver = GridSolver(on, given, options);
        made->grid_method = name(options.method);
        made->grid_preconditioner = name(options.preconditioner);
        to = made.release();
    });
}

int glsolve_set_cells(glsolve_solver* solver, const uint8_t* kinds, const float* coefficients) {
    return guarded([&] {
        GridSolver& grid = grid_solver(solver);
        const auto count = static_cast<std::size_t>(solver->rows);
        std::vector<Cell> cells(kinds != nullptr ? count : 0);
        for (std::size_t i = 0; i < cells.size(); ++i) cells[i] = cell_of(kinds[i], i);
        grid.set_cells(cells, {coefficients, coefficients != nullptr ? count : 0});
    });
}

int glsolve_grid_matrix(glsolve_solver* solver, glsolve_matrix** matrix) {
    return guarded([&] {
        glsolve_matrix*& to = required(matrix, "matrix");
        to = new glsolve_matrix{grid_solver(solver).matrix()};
    });
}
