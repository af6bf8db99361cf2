#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/grid.hpp>
#include <limits>
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

constexpr double worth_telling = 1e-12;   // of b, what no x makes
constexpr double usual_relaxation = 0.7;  // of cycles alone: constant interpolation makes them overshoot
constexpr double faintest = 1e-25;        // of the strongest, what single precision has room for

std::int64_t count(const Grid& grid) { return std::int64_t{grid.width} * grid.height * grid.depth; }

void check_sides(const Grid& grid) {
    if (grid.width < 1 || grid.height < 1 || grid.depth < 1) {
        throw InvalidInput(
            fmt::format("grid: {} x {} x {}; each side must be at least 1", grid.width, grid.height, grid.depth));
    }
    // Rows and planes with what lies behind them (GridCells).
    const double padded = (grid.width + 4.0) * (grid.height + 1.0) * grid.depth;
    if (padded > static_cast<double>(std::numeric_limits<Index>::max())) {
        throw InvalidInput(
            fmt::format("grid: {} x {} x {} cells are {:.1e} numbers with what separates rows; at most "
                        "2^31 - 1 are possible",
                        grid.width, grid.height, grid.depth, padded));
    }
}

/// 1 / spacing^2 of the axes that there are.
std::array<double, 3> weights(const Grid& grid) {
    std::array<double, 3> made{};
    for (std::size_t a = 0; a < (grid.depth > 1 ? 3u : 2u); ++a) made[a] = 1 / (grid.spacing[a] * grid.spacing[a]);
    return made;
}

double strongest(const Grid& grid) {
    const std::array<double, 3> w = weights(grid);
    return *std::max_element(w.begin(), w.end());
}

void check_numbers(const Grid& grid) {
    for (const double h : grid.spacing) {
        if (!(h > 0) || !std::isfinite(h)) {
            throw InvalidInput(fmt::format("grid: a spacing is {}; it has to be positive and finite", h));
        }
    }
    const double most = strongest(grid);
    for (std::size_t a = 0; a < (grid.depth > 1 ? 3u : 2u); ++a) {
        const double w = weights(grid)[a];
        if (!(most < 1e300 && w > faintest * most)) {
            throw InvalidInput(
                fmt::format("grid: spacings {:.1e}, {:.1e} and {:.1e}: 1 / spacing^2 of one axis is "
                            "less than {:.0e} of another's, or not a number",
                            grid.spacing[0], grid.spacing[1], grid.spacing[2], faintest));
        }
    }
    if (!(grid.shift >= 0) || !std::isfinite(grid.shift)) {
        throw InvalidInput(fmt::format("grid: shift is {}; it has to be finite and not negative", grid.shift));
    }
}

void check_walls(const Grid& grid) {
    if (grid.points != GridPoints::vertices) return;
    const std::array<std::array<Wall, 2>, 3> walls{grid.x_walls, grid.y_walls, grid.z_walls};
    for (std::size_t axis = 0; axis < (grid.depth > 1 ? 3u : 2u); ++axis) {
        if (walls[axis] == std::array{Wall::dirichlet, Wall::dirichlet}) continue;
        throw InvalidInput(
            "grid: unknowns at vertices take Dirichlet walls only; those in cells take Neumann walls too");
    }
}

void check_grid_options(const Options& options) {
    check_options(options);
    const Method method = options.method;
    const PreconditionerKind M = options.preconditioner;
    if (!is_cg(method) && method != Method::richardson) {
        throw InvalidInput(
            fmt::format("grids are solved by cg, pipelined-cg or richardson, and not by {}", name(method)));
    }
    if (M != PreconditionerKind::none && M != PreconditionerKind::jacobi && M != PreconditionerKind::multigrid) {
        throw InvalidInput(fmt::format("grids take preconditioner multigrid, jacobi or none, and not {}", name(M)));
    }
    if (method == Method::richardson && M != PreconditionerKind::multigrid) {
        throw InvalidInput(fmt::format("richardson on grids takes preconditioner multigrid, and not {}", name(M)));
    }
    if (options.preconditioning.steps > 1) {
        throw InvalidInput("grids take one step of jacobi; chebyshev steps are part of multigrid there");
    }
    if (options.format != FormatKind::automatic) {
        throw InvalidInput(fmt::format("grids have no matrix to be stored in format {}: auto", name(options.format)));
    }
    if (M == PreconditionerKind::multigrid) check_grid_multigrid(options.amg);
    if (options.amg.cycle == MultigridCycle::k && method == Method::pipelined_cg) {
        throw InvalidInput("pipelined-cg needs a preconditioner that is always the same, which the K cycle is not");
    }
}

void check(const Grid& grid, const Options& options, const DeviceInfo& device) {
    check_sides(grid);
    check_numbers(grid);
    check_walls(grid);
    check_grid_options(options);
    if (options.precision == Precision::two_float && !device.two_float_fault.empty()) {
        throw DeviceError(
            fmt::format("two floats cannot be had on this device: {}; precision single can", device.two_float_fault));
    }
}

void check_cells(const Grid& grid, std::span<const Cell> kinds, std::span<const float> coefficients) {
    const auto wanted = static_cast<std::size_t>(count(grid));
    if (!kinds.empty() && kinds.size() != wanted) {
        throw InvalidInput(fmt::format("grid: {} kinds of cells for {} cells", kinds.size(), wanted));
    }
    if (!coefficients.empty() && coefficients.size() != wanted) {
        throw InvalidInput(fmt::format("grid: {} coefficients for {} cells", coefficients.size(), wanted));
    }
    const auto counts = [&](std::size_t i) { return kinds.empty() || kinds[i] != Cell::solid; };
    float most = 0;
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
        const float k = coefficients[i];
        if (counts(i) && (!(k > 0) || !std::isfinite(k))) {
            throw InvalidInput(
                fmt::format("grid: the coefficient of cell {} is {}; it has to be positive and finite", i, k));
        }
        if (counts(i)) most = std::max(most, k);
    }
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
        if (!counts(i) || static_cast<double>(coefficients[i]) >= faintest * static_cast<double>(most)) continue;
        throw InvalidInput(
            fmt::format("grid: the coefficient of cell {} is {:.1e}, less than {:.0e} of the largest, {:.1e}", i,
                        coefficients[i], faintest, most));
    }
}

std::int32_t bits(const std::array<Wall, 2>& walls) {
    return (walls[0] == Wall::dirichlet ? 1 : 0) | (walls[1] == Wall::dirichlet ? 2 : 0);
}

}  // namespace

struct GridSolver::Impl {
    Impl(Backend& b, const Grid& g, Options o);
    ~Impl();
    Impl(const Impl&) = delete;
    Impl& operator=(const Impl&) = delete;

    void make(bool constant);
    void make_operator();
    void set_cells(std::span<const Cell> kinds, std::span<const float> coefficients);
    Report solve(std::span<const double> b, std::span<double> x);
    const GridTruth& known_truth();
    std::vector<double> to_device(std::span<const double> natural) const;
    /// Calls f(number in the caller's order, number on the device) for each cell.
    template <class Function>
    void each_cell(const Function& f) const;

    Backend& backend;
    std::optional<Session> session;  // of the constructor: ends before the object does
    Grid grid;
    Options options;
    std::vector<Cell> kinds;  // empty: all hold unknowns
    GridCells cells;
    double factor = 1;  // what is on the device is factor * A: its largest couplings are near 1
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

GridSolver::Impl::Impl(Backend& b, const Grid& g, Options o)
    : backend(b), session(std::in_place, b), grid(g), options(std::move(o)) {
    check(grid, options, b.info());
    set_cells({}, {});
    session.reset();
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

/// All that depends on whether the couplings are constant. Where it fails nothing is left.
void GridSolver::Impl::make(bool constant_couplings) {
    truth.reset();
    method.reset();
    multigrid.reset();
    system.reset();
    A.reset();
    constant = constant_couplings;
    try {
        make_operator();
    } catch (...) {
        method.reset();
        multigrid.reset();
        A.reset();
        throw;
    }
}

void GridSolver::Impl::make_operator() {
    cells = GridCells::of(grid.width, grid.height, grid.depth, grid.depth > 1, constant);
    cells_on_device.emplace(backend, cells.size(), "cells");
    std::array<float, 3> relative{};
    for (std::size_t a = 0; a < 3; ++a) relative[a] = static_cast<float>(weights(grid)[a] / strongest(grid));
    A = std::make_unique<GridOperator>(backend, cells, relative, constant);
    scale.assign(static_cast<std::size_t>(cells.size()), 1.0);
    const DeviceInfo& info = backend.info();
    const bool corrects = info.backend != BackendKind::host && info.two_float_fault.empty();
    system.emplace(system_of(backend, *A));
    system->scale = scale;
    system->residuals_on_device = corrects;
    system->why_on_host = info.two_float_fault;
    system->precision = options.precision;
    // Twice the largest diagonal, about: rows are diagonally dominant. Scaled coefficients are below 2.
    const double faces = 2.0 * static_cast<double>(relative[0] + relative[1] + relative[2]);
    system->infinity_norm = 2 * (faces * (constant ? 1 : 2) + grid.shift / strongest(grid));
    if (options.preconditioner == PreconditionerKind::none) system->M = nullptr;
    if (options.preconditioner == PreconditionerKind::multigrid) {
        multigrid = std::make_unique<GridMultigrid>(backend, *A, options.amg);
        system->M = multigrid.get();
        hierarchy = multigrid->report();
        // As with amg: two floats need no corrections, each of which costs a cycle.
        const bool dear = is_cg(options.method) && options.fixed_iterations == 0 && corrects;
        if (dear && options.precision == Precision::automatic) system->precision = Precision::two_float;
    }
    std::int64_t limit = options.fixed_iterations;
    if (limit == 0) limit = options.max_iterations;
    if (limit == 0) limit = default_max_iterations(static_cast<Index>(count(grid)));
    if (options.method == Method::cg) method = make_cg(*system, limit);
    if (options.method == Method::pipelined_cg) method = make_pipelined_cg(*system, limit);
    if (options.method == Method::richardson) {
        Options weighted = options;
        if (weighted.relaxation == 0) weighted.relaxation = usual_relaxation;
        method = make_stationary(*system, {}, weighted, limit);  // with a weight it needs no matrix
    }
}

void GridSolver::Impl::set_cells(std::span<const Cell> new_kinds, std::span<const float> coefficients) {
    check_cells(grid, new_kinds, coefficients);
    float most = coefficients.empty() ? 1.0f : 0.0f;
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
        if (new_kinds.empty() || new_kinds[i] != Cell::solid) most = std::max(most, coefficients[i]);
    }
    const float unit = most > 0 ? std::ldexp(1.0f, -std::ilogb(most)) : 1.0f;  // coefficients times it are below 2
    const double new_factor = static_cast<double>(unit) / strongest(grid), mass = grid.shift * new_factor;
    if (mass != 0 && !(mass > faintest && mass < 1 / faintest)) {
        throw InvalidInput(
            fmt::format("grid: shift is {:.1e}, and the largest coefficient over spacing^2 is {:.1e}: single "
                        "precision cannot add the two",
                        grid.shift, 1 / new_factor));
    }
    const auto begin = Clock::now();
    const Session inside(backend);
    // Constant couplings stand for all of a row's numbers only where these are small integers: src/grid.
    const std::array<double, 3> w = weights(grid);
    const bool alike = w[0] == w[1] && (grid.depth == 1 || w[0] == w[2]) && grid.shift == 0;
    if (!A || (constant && !coefficients.empty())) make(alike && coefficients.empty());
    kinds.assign(new_kinds.begin(), new_kinds.end());
    factor = new_factor;
    std::vector<float> numbers(static_cast<std::size_t>(cells.size()), 0.0f);
    each_cell([&](std::size_t i, std::size_t at) {
        const Cell kind = kinds.empty() ? Cell::unknown : kinds[i];
        const float k = coefficients.empty() ? 1.0f : unit * coefficients[i];
        numbers[at] = kind == Cell::unknown ? k : kind == Cell::open ? -k : 0.0f;
    });
    cells_on_device->upload(numbers);
    A->couple(*cells_on_device, {.dirichlet = {bits(grid.x_walls), bits(grid.y_walls), bits(grid.z_walls)},
                                 .wall = grid.points == GridPoints::cells ? 2.0f : 1.0f,
                                 .mass = static_cast<float>(mass)});
    if (multigrid) multigrid->update();
    truth.reset();
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
    if (!method) throw Error("grid: the device ran out of memory in the last set_cells; nothing is left to solve with");
    const Work work(backend, options.profile);
    known_truth();
    Report report;
    std::vector<double> own_b = to_device(b), own_x = to_device(x);
    double size = 0, taken = 0;
    each_cell([&](std::size_t i, std::size_t at) {
        if (!kinds.empty() && kinds[i] != Cell::unknown) return;
        size += b[i] * b[i];
        if (!truth->has_unknown(at)) taken += b[i] * b[i];  // a cell by itself, with nothing given
    });
    taken = std::hypot(std::sqrt(taken), truth->project(own_b));
    for (double& v : own_b) v *= factor;
    const bool zero = std::all_of(own_b.begin(), own_b.end(), [](double v) { return v == 0; });
    if (zero || options.zero_guess) std::fill(own_x.begin(), own_x.end(), 0.0);
    Correction correction(truth->matrix(), scale, own_b, own_x, options.tolerance, factor * options.absolute_tolerance);
    correction.recompute();
    method->solve(correction, options, report);
    each_cell([&](std::size_t i, std::size_t at) { x[i] = own_x[at]; });
    if (taken > worth_telling * std::sqrt(size)) {
        report.remarks += fmt::format(
            "{}b does not add up to zero in cells that are connected with no given value: {:.2e} of |b| was taken off, "
            "and residuals are those of the rest",
            report.remarks.empty() ? "" : "; ", taken / std::sqrt(size));
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
    if (!impl_->method) throw Error("grid: the device ran out of memory in the last set_cells; nothing is left");
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
                entry(natural[i], natural[A.column[k]], A.value[k] / impl_->factor);
            }
        }
    });
}

}  // namespace glsolve::inline v0_1
