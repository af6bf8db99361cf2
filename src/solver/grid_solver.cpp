#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/grid.hpp>
#include <optional>

#include "base/norm.hpp"
#include "base/parallel.hpp"
#include "base/require_made.hpp"
#include "matrix/csr_build.hpp"
#include "methods/method_table.hpp"
#include "preconditioners/preconditioner_table.hpp"
#include "solver/check_options.hpp"
#include "solver/grid_solver_impl.hpp"
#include "solver/work.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr double worth_telling = 1e-12;  // of b, what no x makes
constexpr double usual_relaxation = 1;   // of cycles alone

}  // namespace

std::vector<double> times_volumes(const Grid& grid, std::span<const double> b) {
    std::vector<double> made(b.begin(), b.end());
    const std::array<Index, 3> sides{grid.width, grid.height, grid.depth};
    const std::int32_t ends = halved(grid);
    std::size_t stride = 1;
    for (std::size_t a = 0; a < 3; stride *= static_cast<std::size_t>(sides[a++])) {
        const std::size_t along = stride * static_cast<std::size_t>(sides[a]);
        const auto halve = [&](std::size_t face) {
            for (std::size_t first = face; first < made.size(); first += along) {
                for (std::size_t i = first; i < first + stride; ++i) made[i] /= 2;
            }
        };
        if ((ends >> (2 * a) & 1) != 0) halve(0);
        if ((ends >> (2 * a + 1) & 1) != 0) halve(along - stride);
    }
    return made;
}

std::string closed_box_remark(double share) {
    return fmt::format(
        "b does not add up to zero in cells that are connected with no given value: {:.2e} of |b| was taken off, and "
        "residuals are those of the rest",
        share);
}

/// On grids nothing is faster than conjugate gradients with multigrid.
static Options chosen_for_grid(Options options) {
    if (options.method == Method::automatic) options.method = Method::cg;
    if (options.preconditioner == PreconditionerKind::automatic) options.preconditioner = PreconditionerKind::multigrid;
    return options;
}

GridSolver::Impl::Impl(Backend& b, const Grid& g, Options o)
    : kept(backend_for(b, o).weak_from_this().lock()),
      backend(backend_for(b, o)),
      session(std::in_place, backend),
      grid(g),
      options(chosen_for_grid(std::move(o))) {
    check_grid(grid);
    check_grid_options(options);
    check_precision(options, b.info());
    set_cells({}, {});
    session.reset();
}

GridSolver::Impl::~Impl() {
    const std::unique_ptr<Session> open = session_if_any(backend);
    textures.reset();
    volumes.reset();
    mean.reset();
    method_on_device.reset();
    multigrid.reset();
    A.reset();
    cells_on_device.reset();
}

/// All that depends on whether the couplings are constant. Where it fails nothing is left.
void GridSolver::Impl::make(bool constant_couplings) {
    drop();
    constant = constant_couplings;
    try {
        make_operator();
    } catch (...) {
        drop();
        throw;
    }
}

/// What has been made of cells, or was about to be.
void GridSolver::Impl::drop() {
    truth.reset();
    textures.reset();
    mean.reset();
    method_on_device.reset();
    multigrid.reset();
    A.reset();
    own_b = {};
    own_x = {};
    hierarchy = {};
}

void GridSolver::Impl::make_operator() {
    cells = GridCells::of(grid.width, grid.height, grid.depth, grid.depth > 1, constant);
    cells_on_device.emplace(backend, cells.size(), "cells");
    std::array<float, 3> relative{};
    for (std::size_t a = 0; a < 3; ++a) relative[a] = static_cast<float>(weights(grid)[a] / strongest(grid));
    A = std::make_unique<GridOperator>(backend, cells, relative, constant);
    for (HostArray<double>* each : {&own_b, &own_x}) {
        *each = HostArray<double>(static_cast<std::size_t>(cells.size()));
        parallel_each(each->size(), [&](std::size_t at) { (*each)[at] = 0; });  // so it stays beside the cells
    }
    scale.assign(static_cast<std::size_t>(cells.size()), 1.0);
    AssembledSystem system = system_of(backend, *A);
    system.scale = scale;
    factors = RowFactors(scale);
    set_precision(system, options);
    // Twice the largest diagonal, about: rows are diagonally dominant. Scaled coefficients are below 2.
    const double faces = 2.0 * static_cast<double>(relative[0] + relative[1] + relative[2]);
    system.infinity_norm = 2 * (faces * (constant ? 1 : 2) + grid.shift / strongest(grid));
    if (options.preconditioner == PreconditionerKind::none) system.M = nullptr;
    if (options.preconditioner == PreconditionerKind::multigrid) {
        multigrid = std::make_unique<GridMultigrid>(backend, *A, options.amg);
        system.M = multigrid.get();
        hierarchy = multigrid->report();
    }
    begin_programs_of(backend, [&] { make_grids([](Vector&) {}); });  // before the method waits for its own
    Options weighted = options;                                       // with a weight richardson needs no matrix
    if (weighted.relaxation == 0) weighted.relaxation = usual_relaxation;
    const std::int64_t limit = iteration_limit(options, static_cast<Index>(cells_of(grid)));
    auto method = method_row(options.method).make({system, {}, weighted, limit});
    method_on_device.emplace(system, &system.A, std::move(method), options, limit);
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
    const Stopwatch watch(backend);
    const Session inside(backend);
    truth.reset();
    // Constant couplings stand for all of a row's numbers only where these are small integers: src/grid.
    const bool made = !A || (constant && !coefficients.empty());
    if (made) make(couplings_alike(grid) && coefficients.empty());
    has_coefficients = has_coefficients || !coefficients.empty();
    try {
        kinds.assign(new_kinds.begin(), new_kinds.end());
        if (factor != new_factor) textures.reset();
        factor = new_factor;
        const auto upload = [&](Vector& on_device) {
            backend.upload(on_device.id(), [&](std::span<float> numbers) {
                parallel_each(numbers.size(), [&](std::size_t at) { numbers[at] = 0; });
                each_cell([&](std::size_t i, std::size_t at) {
                    const Cell kind = kinds.empty() ? Cell::unknown : kinds[i];
                    const float k = coefficients.empty() ? 1.0f : unit * coefficients[i];
                    numbers[at] = kind == Cell::unknown ? k : kind == Cell::open ? -k : 0.0f;
                });
            });
        };
        make_grids(upload);
        cells_from_texture = false;
        closed = no_value_given() && std::ranges::find(kinds, Cell::open) == kinds.end();
        if (mean) mean->counted = false;
    } catch (...) {  // else the next solve would be one of some cells and some others
        drop();
        throw;
    }
    setup = watch.spent();
}

/// Neither on walls nor by a shift.
bool GridSolver::Impl::no_value_given() const {
    return bits(grid.x_walls, Wall::dirichlet) + bits(grid.y_walls, Wall::dirichlet) == 0
           && (grid.depth == 1 || bits(grid.z_walls, Wall::dirichlet) == 0) && grid.shift == 0;
}

void GridSolver::Impl::make_grids(const std::function<void(Vector&)>& fill) {
    const double mass = grid.shift * factor;
    fill(*cells_on_device);
    A->couple(*cells_on_device, {.dirichlet = {bits(grid.x_walls, Wall::dirichlet), bits(grid.y_walls, Wall::dirichlet),
                                               bits(grid.z_walls, Wall::dirichlet)},
                                 .wall = grid.points == GridPoints::cells ? 2.0f : 1.0f,
                                 .halved = halved(grid),
                                 .mass = static_cast<float>(mass),
                                 .alike = !has_coefficients});
    if (multigrid) multigrid->update();
}

std::shared_ptr<const GridTruth> GridSolver::Impl::known_truth() {
    if (truth) return truth;
    truth = std::make_shared<GridTruth>(*A);
    if (std::exchange(cells_from_texture, false)) {
        const std::vector<float> numbers = cells_on_device->download_texels();
        kinds.resize(static_cast<std::size_t>(cells_of(grid)));
        each_cell([&](std::size_t i, std::size_t at) {
            kinds[i] = numbers[at] > 0 ? Cell::unknown : numbers[at] < 0 ? Cell::open : Cell::solid;
        });
    }
    return truth;
}

void GridSolver::Impl::check_sizes(std::size_t b, std::size_t x) const {
    const auto wanted = static_cast<std::size_t>(cells_of(grid));
    if (b != wanted || x != wanted)
        throw InvalidInput(fmt::format("the grid has {} cells, but b has {} elements and x has {}", wanted, b, x));
    if (!method_on_device)
        throw Error("grid: the device ran out of memory in the last set_cells; nothing is left to solve with");
}

Report GridSolver::Impl::solve(std::span<const double> given_b, std::span<double> x) {
    check_sizes(given_b.size(), x.size());
    const Work work(backend, options.profile);
    const Deadline deadline(options.seconds);
    known_truth();
    Report report;
    std::vector<double> weighted;
    if (halved(grid) != 0) weighted = times_volumes(grid, given_b);
    const std::span<const double> b = weighted.empty() ? given_b : weighted;
    // What b has that no x makes is taken off: of cells by themselves, with nothing given, all of it; of closed regions
    // what b adds up to.
    const auto in_unknown = [&](std::size_t i) { return kinds.empty() || kinds[i] == Cell::unknown ? b[i] : 0; };
    const double cells_alone = sum_over_cells([&](std::size_t i, std::size_t at) {
        const bool unknown = truth->has_unknown(at);
        own_b[at] = unknown ? factor * b[i] : 0;
        return unknown || in_unknown(i) == 0 ? 0.0 : 1.0;
    });
    std::vector<double> alone(cells_alone > 0 ? b.size() : 0, 0.0);
    if (!alone.empty()) {
        each_cell([&](std::size_t i, std::size_t at) { alone[i] = truth->has_unknown(at) ? 0 : in_unknown(i); });
    }
    const double taken = std::hypot(norm_of(alone.size(), [&](std::size_t i) { return alone[i]; }),
                                    truth->project(own_b.all()) / factor);
    const bool zero = !parallel_any(own_b.size(), [&](std::size_t i) { return own_b[i] != 0; });
    TrueResidual correction(truth, factors, own_b.all(), own_x.all(), options.tolerance,
                            factor * options.absolute_tolerance);
    if (zero || options.zero_guess) {
        correction.begin_at_zero();
    } else {
        each_cell([&](std::size_t i, std::size_t at) { own_x[at] = truth->has_unknown(at) ? x[i] : 0; });
        correction.recompute();
    }
    correction.set_deadline(deadline);
    method_on_device->method().solve(correction, options, report);
    each_cell([&](std::size_t i, std::size_t at) { x[i] = own_x[at]; });
    const double size = taken > 0 ? norm_of(b.size(), in_unknown) : 0;
    if (taken > worth_telling * size) {
        report.remarks += (report.remarks.empty() ? "" : "; ") + closed_box_remark(taken / size);
    }
    work.account({&report, 1}, subject());
    return report;
}

/// What b has that no x makes is taken off, and off x what A takes to zero: M is symmetric on what is left.
void GridSolver::Impl::precondition(std::span<const double> b, std::span<double> x) {
    check_sizes(b.size(), x.size());
    const Session open(backend);
    known_truth();
    each_cell([&](std::size_t i, std::size_t at) { own_b[at] = truth->has_unknown(at) ? b[i] : 0; });
    truth->project(own_b.all());
    method_on_device->preconditioner().apply(own_b.all(), own_x.all(), factor);
    truth->project(own_x.all());
    each_cell([&](std::size_t i, std::size_t at) { x[i] = truth->has_unknown(at) ? own_x[at] : 0; });
}

GridSolver::GridSolver(Device& device, const Grid& grid, Options options)
    : impl_(std::make_unique<Impl>(device.backend(), grid, std::move(options))) {}
GridSolver::GridSolver() noexcept = default;
GridSolver::GridSolver(GridSolver&&) noexcept = default;
GridSolver& GridSolver::operator=(GridSolver&&) noexcept = default;
GridSolver::~GridSolver() = default;

GridSolver::Impl& GridSolver::impl() const { return require_made(impl_, "GridSolver", "GridSolver(device, grid)"); }

Options GridSolver::usual_options() { return {.preconditioner = PreconditionerKind::multigrid}; }

void GridSolver::set_cells(std::span<const Cell> kinds, std::span<const float> coefficients) {
    const OneCall call = impl().one_call();
    impl().set_cells(kinds, coefficients);
}

Report GridSolver::solve(std::span<const double> b, std::span<double> x) {
    const OneCall call = impl().one_call();
    return impl().solve(b, x);
}

void GridSolver::precondition(std::span<const double> b, std::span<double> x) {
    const OneCall call = impl().one_call();
    impl().precondition(b, x);
}

const HierarchyReport& GridSolver::hierarchy() const { return impl().hierarchy; }

CsrMatrix GridSolver::matrix() const {
    Impl& made = impl();
    const OneCall call = made.one_call();
    if (!made.method_on_device)
        throw Error("grid: the device ran out of memory in the last set_cells; nothing is left");
    const Session session(made.backend);
    const CsrMatrix A = made.known_truth()->matrix();
    std::vector<Index> natural(static_cast<std::size_t>(A.rows), -1);
    made.each_cell([&](std::size_t i, std::size_t at) { natural[at] = static_cast<Index>(i); });
    const auto rows = static_cast<Index>(cells_of(made.grid));
    return assemble_csr(rows, rows, [&](auto&& entry) {
        for (Index i = 0; i < A.rows; ++i) {
            if (natural[i] < 0) continue;
            if (!made.truth->has_unknown(static_cast<std::size_t>(i))) entry(natural[i], natural[i], 1);
            for (Offset k = A.offsets[i]; k < A.offsets[i + std::size_t{1}]; ++k) {
                entry(natural[i], natural[A.column[k]], A.value[k] / made.factor);
            }
        }
    });
}

}  // namespace glsolve::inline v0_1
