/// What stands behind a GridSolver.
#pragma once

#include <functional>
#include <glsolve/grid.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "base/host_array.hpp"
#include "device/reductions.hpp"
#include "grid/grid_multigrid.hpp"
#include "grid/grid_truth.hpp"
#include "matrix/row_factors.hpp"
#include "refinement/method.hpp"
#include "solver/check_grid.hpp"
#include "solver/method_on_device.hpp"
#include "solver/one_call.hpp"
#include "solver/texture_work.hpp"

namespace glsolve::inline v0_1 {

/// Ends of an axis that are walls of this kind: bit 0 low, bit 1 high.
inline std::int32_t bits(const std::array<Wall, 2>& walls, Wall kind) {
    return (walls[0] == kind ? 1 : 0) | (walls[1] == kind ? 2 : 0);
}

/// Ends of axes where the outermost unknowns lie on the wall.
inline std::int32_t halved(const Grid& grid) {
    if (grid.points != GridPoints::vertices) return 0;
    const std::int32_t z = grid.depth > 1 ? bits(grid.z_walls, Wall::neumann) : 0;
    return bits(grid.x_walls, Wall::neumann) | bits(grid.y_walls, Wall::neumann) << 2 | z << 4;
}

/// V b, with the volume of each unknown in cells.
std::vector<double> times_volumes(const Grid& grid, std::span<const double> b);

/// What a report remarks where so much of |b| was taken off.
std::string closed_box_remark(double share);

/// Are all couplings the same number, without coefficients?
inline bool couplings_alike(const Grid& grid) {
    const std::array<double, 3> w = weights(grid);
    return w[0] == w[1] && (grid.depth == 1 || w[0] == w[2]) && grid.shift == 0 && halved(grid) == 0;
}

struct GridSolver::Impl {
    Impl(Backend& b, const Grid& g, Options o);
    ~Impl();
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    void make(bool constant);
    void drop();
    void make_operator();
    void set_cells(std::span<const Cell> kinds, std::span<const float> coefficients);
    void set_cells_from(const TextureView& view);
    /// The operator and all coarser grids, of what `fill` makes of the vector of cells.
    void make_grids(const std::function<void(Vector&)>& fill);
    bool no_value_given() const;
    TextureWork& on_textures();
    Work::Subject subject() const { return {A->matrix().bytes(), static_cast<Index>(cells.size()), setup}; }
    Numbering numbering() const { return {0, grid.width, grid.height, grid.depth, cells.pitch(), cells.rows}; }
    void weigh(Vector& b);
    void know_volumes();
    void count_unknowns();
    void take_off_mean(Vector& v, Scalar* taken = nullptr);
    /// What the mean over unknowns takes.
    struct Mean {
        Mean(Backend& b, Offset length)
            : reductions(b, length), ones(b, length, "unknowns"), sum(b, "sum"), count(b, "number of unknowns") {}
        Reductions reductions;
        Vector ones;
        Scalar sum, count;
        bool counted = false;  // the cells that are there now
    };
    /// Throws InvalidInput where there is not one number per cell, Error where nothing is left to solve with.
    void check_sizes(std::size_t b, std::size_t x) const;
    Report solve(std::span<const double> b, std::span<double> x);
    void precondition(std::span<const double> b, std::span<double> x);
    std::shared_ptr<const GridTruth> known_truth();
    /// Calls f(number in the caller's order, number on the device) for each cell, on all cores, and adds up what it
    /// returns.
    template <class Function>
    double sum_over_cells(const Function& f) const;
    template <class Function>
    void each_cell(const Function& f) const;

    /// Throws InvalidInput where another call is under way.
    OneCall one_call() { return {under_way, "GridSolver"}; }

    bool under_way = false;         // a call
    std::shared_ptr<Backend> kept;  // where it is shared: the device may end before its solvers
    Backend& backend;
    std::optional<Session> session;  // of the constructor: ends before the object does
    Grid grid;
    Options options;
    std::vector<Cell> kinds;  // empty: all hold unknowns
    GridCells cells;
    double factor = 1;  // what is on the device is factor * A: its largest couplings are near 1
    bool constant = true;
    bool has_coefficients = false;  // has once been given some
    std::optional<Vector> cells_on_device;
    std::unique_ptr<GridOperator> A;
    std::unique_ptr<GridMultigrid> multigrid;
    std::shared_ptr<const GridTruth> truth;  // none: the cells have changed since
    HostArray<double> own_b, own_x;  // as they lie on the device; kept, since new pages take as long as filling them
    std::vector<double> scale;
    RowFactors factors{scale};
    std::optional<MethodOnDevice> method_on_device;  // none: the device ran out of memory
    std::unique_ptr<TextureWork> textures;           // made when it is first needed
    std::unique_ptr<Vector> volumes;                 // of unknowns, where some lie on a wall; the same
    std::unique_ptr<Mean> mean;                      // of b and x; the same
    bool closed = false;  // no value is given anywhere, as far as the processor knows: not in cells from a texture
    bool cells_from_texture = false;
    HierarchyReport hierarchy;
    Spent setup;
};

template <class Function>
double GridSolver::Impl::sum_over_cells(const Function& f) const {
    const Offset lines = Offset{grid.height} * grid.depth, grain = std::max<Offset>(usual_grain / grid.width, 1);
    return parallel_sum_of_ranges(lines, grain, [&](Offset begin, Offset end) {
        double sum = 0;
        for (Offset line = begin; line < end; ++line) {
            const std::size_t first = static_cast<std::size_t>(line) * static_cast<std::size_t>(grid.width),
                              at = cells.at(0, static_cast<Index>(line % grid.height),
                                            static_cast<Index>(line / grid.height));
            for (std::size_t x = 0; x < static_cast<std::size_t>(grid.width); ++x) sum += f(first + x, at + x);
        }
        return sum;
    });
}

template <class Function>
void GridSolver::Impl::each_cell(const Function& f) const {
    sum_over_cells([&](std::size_t i, std::size_t at) {
        f(i, at);
        return 0.0;
    });
}

}  // namespace glsolve::inline v0_1
