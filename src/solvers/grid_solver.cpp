#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/grid.hpp>
#include <optional>

#include "core/csr_build.hpp"
#include "core/method.hpp"
#include "grid/grid_multigrid.hpp"
#include "grid/grid_truth.hpp"
#include "solvers/cg.hpp"
#include "solvers/check_options.hpp"
#include "solvers/pipelined_cg.hpp"
#include "solvers/stationary.hpp"
#include "solvers/work.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr double worth_telling = 1e-12;  // of b, what no x makes

std::int64_t count(const Grid& grid) { return std::int64_t{grid.width} * grid.height * grid.depth; }

void check(const Grid& grid, const Options& options) {
    if (grid.width < 1 || grid.height < 1 || grid.depth < 1) {
        throw InvalidInput(
            fmt::format("grid: {} x {} x {}; each side must be at least 1", grid.width, grid.height, grid.depth));
    }
    for (const double h : grid.spacing) {
        if (!(h > 0) || !std::isfinite(h)) {
            throw InvalidInput(fmt::format("grid: a spacing is {}; it has to be positive and finite", h));
        }
    }
    if (!(grid.shift >= 0) || !std::isfinite(grid.shift)) {
        throw InvalidInput(fmt::format("grid: shift is {}; it has to be finite and not negative", grid.shift));
    }
    const std::array<std::array<Wall, 2>, 3> walls{grid.x_walls, grid.y_walls, grid.z_walls};
    for (std::size_t axis = 0; axis < (grid.depth > 1 ? 3u : 2u); ++axis) {
        if (grid.points != GridPoints::vertices) break;
        if (walls[axis] == std::array{Wall::dirichlet, Wall::dirichlet}) continue;
        throw InvalidInput(
            "grid: unknowns at vertices take Dirichlet walls only; those in cells take Neumann walls too");
    }
    check_options(options);
    if (!is_cg(options.method) && options.method != Method::richardson) {
        throw InvalidInput(
            fmt::format("grids are solved by cg, pipelined-cg or richardson, and not by {}", name(options.method)));
    }
    const PreconditionerKind M = options.preconditioner;
    if (M != PreconditionerKind::none && M != PreconditionerKind::jacobi && M != PreconditionerKind::multigrid) {
        throw InvalidInput(fmt::format("grids take preconditioner multigrid, jacobi or none, and not {}", name(M)));
    }
    if (options.amg.cycle == MultigridCycle::k && options.method == Method::pipelined_cg) {
        throw InvalidInput("pipelined-cg needs a preconditioner that is always the same, which the K cycle is not");
    }
}

std::array<float, 3> weights(const Grid& grid) {
    std::array<float, 3> made{};
    for (std::size_t a = 0; a < 3; ++a) made[a] = static_cast<float>(1 / (grid.spacing[a] * grid.spacing[a]));
    if (grid.depth == 1) made[2] = 0;
    return made;
}

std::int32_t bits(const std::array<Wall, 2>& walls) {
    return (walls[0] == Wall::dirichlet ? 1 : 0) | (walls[1] == Wall::dirichlet ? 2 : 0);
}

GridCoefficients coefficients_of(const Grid& grid) {
    return {.weight = weights(grid),
            .dirichlet = {bits(grid.x_walls), bits(grid.y_walls), bits(grid.z_walls)},
            .wall = grid.points == GridPoints::cells ? 2.0f : 1.0f,
            .mass = static_cast<float>(grid.shift)};
}

}  // namespace

struct GridSolver::Impl {
    Impl(Backend& b, const Grid& g, Options o);
    ~Impl();
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    void make(bool constant);
    void set_cells(std::span<const Cell> kinds, std::span<const float> coefficients);
    Report solve(std::span<const double> b, std::span<double> x);
    const GridTruth& known_truth();
    std::vector<double> to_device(std::span<const double> natural) const;
    /// Calls f(number in the caller's order, number on the device) for each cell.
    template <class Function>
    void each_cell(const Function& f) const;

    Backend& backend;
    Grid grid;
    Options options;
    GridCells cells;
    bool constant = true;
    std::optional<Vector> cells_on_device;
    std::unique_ptr<GridOperator> A;
    std::unique_ptr<GridMultigrid> multigrid;
    std::optional<GridTruth> truth;  // none: the cells have changed since
    std::vector<double> scale;
    std::optional<AssembledSystem> system;
    std::unique_ptr<IterativeMethod> method;
    HierarchyReport hierarchy;
    double setup_seconds = 0;
};

GridSolver::Impl::Impl(Backend& b, const Grid& g, Options o) : backend(b), grid(g), options(std::move(o)) {
    check(grid, options);
    set_cells({}, {});
}

GridSolver::Impl::~Impl() {
    // Storages are given back inside one session. Where there can be none, since another OpenGL context is current,
    // the backend keeps them to its own end.
    std::unique_ptr<Session> open;
    try {
        open = std::make_unique<Session>(backend);
    } catch (const Error&) {
    }
    method.reset();
    multigrid.reset();
    A.reset();
    cells_on_device.reset();
}

template <class Function>
void GridSolver::Impl::each_cell(const Function& f) const {
    std::size_t i = 0;
    for (Index z = 0; z < grid.depth; ++z) {
        for (Index y = 0; y < grid.height; ++y) {
            for (Index x = 0; x < grid.width; ++x) f(i++, cells.at(x, y, z));
        }
    }
}

std::vector<double> GridSolver::Impl::to_device(std::span<const double> natural) const {
    std::vector<double> made(static_cast<std::size_t>(cells.size()), 0.0);
    each_cell([&](std::size_t i, std::size_t at) {
        if (truth->has_unknown(at)) made[at] = natural[i];
    });
    return made;
}

/// All that depends on whether the couplings are constant.
void GridSolver::Impl::make(bool constant_couplings) {
    method.reset();
    multigrid.reset();
    system.reset();
    A.reset();
    constant = constant_couplings;
    cells = GridCells::of(grid.width, grid.height, grid.depth, grid.depth > 1, constant);
    const GridCoefficients coefficients = coefficients_of(grid);
    cells_on_device.emplace(backend, cells.size(), "cells");
    A = std::make_unique<GridOperator>(backend, cells, coefficients.weight, constant);
    scale.assign(static_cast<std::size_t>(cells.size()), 1.0);
    const DeviceInfo& info = backend.info();
    const bool corrects = info.backend != BackendKind::host && info.two_float_fault.empty();
    system.emplace(system_of(backend, *A));
    system->scale = scale;
    system->residuals_on_device = corrects;
    system->why_on_host = info.two_float_fault;
    system->precision = options.precision;
    if (options.preconditioner == PreconditionerKind::none) system->M = nullptr;
    if (options.preconditioner == PreconditionerKind::multigrid) {
        multigrid = std::make_unique<GridMultigrid>(backend, *A, options.amg);
        system->M = multigrid.get();
        hierarchy = multigrid->report();
        // As with amg: two floats need no corrections, each of which costs a cycle.
        const bool dear = is_cg(options.method) && options.fixed_iterations == 0 && corrects;
        if (dear && options.precision == Precision::automatic) system->precision = Precision::two_float;
    }
}

void GridSolver::Impl::set_cells(std::span<const Cell> kinds, std::span<const float> coefficients) {
    const auto wanted = static_cast<std::size_t>(count(grid));
    if (!kinds.empty() && kinds.size() != wanted) {
        throw InvalidInput(fmt::format("grid: {} kinds of cells for {} cells", kinds.size(), wanted));
    }
    if (!coefficients.empty() && coefficients.size() != wanted) {
        throw InvalidInput(fmt::format("grid: {} coefficients for {} cells", coefficients.size(), wanted));
    }
    float most = 1;
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
        const float k = coefficients[i];
        const bool counts = kinds.empty() || kinds[i] != Cell::solid;
        if (counts && (!(k > 0) || !std::isfinite(k))) {
            throw InvalidInput(
                fmt::format("grid: the coefficient of cell {} is {}; it has to be positive and finite", i, k));
        }
        if (counts) most = std::max(most, k);
    }
    const auto begin = Clock::now();
    const Session session(backend);
    if (!A || (constant && !coefficients.empty())) make(coefficients.empty());
    std::vector<float> numbers(static_cast<std::size_t>(cells.size()), 0.0f);
    each_cell([&](std::size_t i, std::size_t at) {
        const Cell kind = kinds.empty() ? Cell::unknown : kinds[i];
        const float k = coefficients.empty() ? 1.0f : coefficients[i];
        numbers[at] = kind == Cell::unknown ? k : kind == Cell::open ? -k : 0.0f;
    });
    cells_on_device->upload(numbers);
    const GridCoefficients made_of = coefficients_of(grid);
    A->couple(*cells_on_device, made_of);
    if (multigrid) multigrid->update();
    truth.reset();
    // Twice the largest diagonal: rows are diagonally dominant, and no face couples more than a wall.
    const double faces = 2.0 * static_cast<double>(made_of.weight[0] + made_of.weight[1] + made_of.weight[2]);
    system->infinity_norm = 2 * (2 * faces * static_cast<double>(most) + static_cast<double>(made_of.mass));
    if (!method) {
        const std::int64_t limit = options.max_iterations > 0 ? options.max_iterations
                                   : options.fixed_iterations > 0
                                       ? options.fixed_iterations
                                       : default_max_iterations(static_cast<Index>(count(grid)));
        method = options.method == Method::cg ? make_cg(*system, limit)
                 : options.method == Method::pipelined_cg
                     ? make_pipelined_cg(*system, limit)
                     : make_stationary(*system, known_truth().matrix(), options, limit);
    }
    setup_seconds = seconds_since(begin);
}

const GridTruth& GridSolver::Impl::known_truth() {
    if (!truth) truth.emplace(*A);
    return *truth;
}

Report GridSolver::Impl::solve(std::span<const double> b, std::span<double> x) {
    const auto wanted = static_cast<std::size_t>(count(grid));
    if (b.size() != wanted || x.size() != wanted) {
        throw InvalidInput(
            fmt::format("the grid has {} cells, but b has {} elements and x has {}", wanted, b.size(), x.size()));
    }
    const Work work(backend, options.profile);
    known_truth();
    Report report;
    std::vector<double> own_b = to_device(b), own_x = to_device(x);
    const double taken = truth->project(own_b);
    const bool zero = std::all_of(own_b.begin(), own_b.end(), [](double v) { return v == 0; });
    if (zero || options.zero_guess) std::fill(own_x.begin(), own_x.end(), 0.0);
    Correction correction(truth->matrix(), scale, own_b, own_x, options.tolerance, options.absolute_tolerance);
    correction.recompute();
    method->solve(correction, options, report);
    each_cell([&](std::size_t i, std::size_t at) { x[i] = own_x[at]; });
    if (taken > worth_telling) {
        report.remarks += fmt::format(
            "{}b does not add up to zero in cells that are connected with no given value: {:.2e} of it was taken off",
            report.remarks.empty() ? "" : "; ", taken);
    }
    work.account({&report, 1}, {A->matrix().bytes(), static_cast<Index>(cells.size()), setup_seconds});
    return report;
}

GridSolver::GridSolver(Device& device, const Grid& grid, Options options)
    : impl_(std::make_unique<Impl>(device.backend(), grid, std::move(options))) {}
GridSolver::GridSolver(GridSolver&&) noexcept = default;
GridSolver& GridSolver::operator=(GridSolver&&) noexcept = default;
GridSolver::~GridSolver() = default;

Options GridSolver::usual_options() { return {.preconditioner = PreconditionerKind::multigrid}; }

void GridSolver::set_cells(std::span<const Cell> kinds, std::span<const float> coefficients) {
    impl_->set_cells(kinds, coefficients);
}

Report GridSolver::solve(std::span<const double> b, std::span<double> x) { return impl_->solve(b, x); }

const HierarchyReport& GridSolver::hierarchy() const { return impl_->hierarchy; }

CsrMatrix GridSolver::matrix() const {
    const Session session(impl_->backend);
    const CsrMatrix& A = impl_->known_truth().matrix();
    std::vector<Index> natural(static_cast<std::size_t>(A.rows), -1);
    impl_->each_cell([&](std::size_t i, std::size_t at) { natural[at] = static_cast<Index>(i); });
    const auto rows = static_cast<Index>(count(impl_->grid));
    return assemble_csr(rows, rows, [&](auto&& entry) {
        for (Index i = 0; i < A.rows; ++i) {
            if (natural[i] < 0) continue;
            if (!impl_->truth->has_unknown(static_cast<std::size_t>(i))) entry(natural[i], natural[i], 1);
            for (Offset k = A.offsets[i]; k < A.offsets[i + std::size_t{1}]; ++k) {
                entry(natural[i], natural[A.column[k]], A.value[k]);
            }
        }
    });
}

}  // namespace glsolve::inline v0_1
