#include "multigrid/lattice_levels.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "amg/check_amg.hpp"
#include "base/parallel.hpp"
#include "base/random.hpp"
#include "base/scoped_timer.hpp"
#include "device/reductions.hpp"
#include "multigrid/lattice_facts.hpp"
#include "smoothers/polynomial.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr double largest_number = 1e30;    // of A: single precision holds the products of a few
constexpr Index largest_of_narrow = 1500;  // rows: no coarser lattice follows
constexpr double surely_bound = 2 + 1e-5;

/// Growth of a random vector in the last of some steps with D^-1 A; waits.
double power_method(const AssembledSystem& system) {
    constexpr int steps = 12;
    Backend& backend = system.backend;
    Vector x(backend, system.size, "random"), y(backend, system.size, "A x");
    Random random(7);
    std::vector<float> numbers(static_cast<std::size_t>(system.size));
    for (float& v : numbers) v = static_cast<float>(random.uniform() - 0.5);
    x.upload(numbers);
    Reductions reductions(backend, system.size);
    const Vector* d = system.diagonal();
    Scalar before(backend, "(x,x)"), after(backend, "(y,y)");
    for (int step = 0; step < steps; ++step) {
        system.A.multiply(y, x);
        d != nullptr ? hadamard(y, *d, y) : scale(y, scalar_arg(static_cast<float>(system.unit)), y);
        if (step + 1 == steps) reductions.dot(before, x, x);
        std::swap(x, y);
    }
    reductions.dot(after, x, x);
    std::array<float, 4> of_x{}, of_y{};
    const Ticket first = backend.read_later(before.id()), second = backend.read_later(after.id());
    backend.collect(first, std::span<float>(of_x));
    backend.collect(second, std::span<float>(of_y));
    return of_x[0] > 0 ? std::sqrt(static_cast<double>(of_y[0]) / static_cast<double>(of_x[0])) : 0;
}

/// As spectral_radius(A) in amg/interpolation.hpp.
double spectral_radius(const LatticeFacts& known, const AssembledSystem& system) {
    constexpr double margin = 1.1;  // the power method comes from below
    return known.bound <= surely_bound ? known.bound : std::min(known.bound, margin * power_method(system));
}

bool holds(const CsrMatrix& A) {
    return !parallel_any(A.value.size(), [&](std::size_t k) { return !(std::abs(A.value[k]) < largest_number); });
}

std::unique_ptr<LatticeSystem> make_system(Backend& backend, const LatticeStencil& stencil, LatticeWeights& weights,
                                           const LatticeStencil& finer, StorageId finer_tiles) {
    auto made = std::make_unique<LatticeSystem>();
    const Index rows = stencil.points.points();
    made->stencil = stencil;
    Storage tiles(backend, stencil.grid.extent(), Element::real, "stencil of a level");
    made->tiles = tiles.id();
    weights.multiply(stencil, tiles.id(), finer, finer_tiles);
    made->diagonal = std::make_unique<Diagonal>(backend, rows);
    made->matrix = stencil_matrix(backend, stencil, std::move(tiles));
    made->scale.assign(static_cast<std::size_t>(rows), 1.0);
    made->system.emplace(System{.backend = backend,
                                .A = *made->matrix,
                                .M = made->diagonal.get(),
                                .size = rows,
                                .symmetric = true,
                                .scale = made->scale},
                         *made->matrix);
    return made;
}

/// P goes from x_c to S^-1 x.
void unscale(LatticeWeights& weights, Backend& backend, std::span<const double> scale) {
    if (std::ranges::all_of(scale, [](double s) { return s == 1; })) return;
    Vector reciprocals(backend, static_cast<Offset>(scale.size()), "1 / scale");
    upload_floats(reciprocals, scale.size(), [&](std::size_t i) { return 1 / scale[i]; });
    weights.scale_rows(reciprocals);
}

}  // namespace

bool can_be_made_by_passes(const AmgOptions& options, bool symmetric) {
    const bool polynomial =
        options.smoother == MultigridSmoother::automatic || options.smoother == MultigridSmoother::chebyshev;
    return symmetric && polynomial && options.coarsening == Coarsening::smoothed_aggregation && options.on_lattice
           && options.near_null_space.empty() && options.unknowns_a_point == 1 && options.host_rows == 0;
}

std::optional<LatticeLevels> make_lattice_levels(const AssembledSystem& system, const CsrMatrix& A,
                                                 const AmgOptions& options, Index coarsest) {
    LatticeLevels made;
    HierarchyReport& report = made.report;
    Backend& backend = system.backend;
    const int max_size = backend.info().max_texture_size;
    std::optional<LatticeStencil> stencil;
    Storage finest;
    {
        const ScopedTimer timer(report.upload_seconds);
        const Lattice lattice = find_lattice(A);
        if (lattice) stencil = LatticeStencil::of(A, lattice, max_size);
        if (!stencil || !holds(A)) return {};
        finest = upload_stencil(backend, A, *stencil);
    }
    const double strong = options.strength < 0 ? usual_strength_of_aggregates : options.strength;
    const AssembledSystem* here = &system;
    StorageId tiles = finest.id();
    Vector of_finest(backend, A.rows, "1 / diagonal");
    const Vector* d = &of_finest;
    reciprocal_diagonal(of_finest, *stencil, tiles);
    for (int k = 0;; ++k) {
        const Index rows = stencil->points.points();
        LatticeFacts known;
        double radius = 0;
        {
            const ScopedTimer timer(report.strength_seconds);
            known = look_at(*stencil, tiles, *d, strong);
            if (!known.has_positive_diagonal()) return {};
        }
        report.levels.push_back({.rows = rows, .nonzeros = stencil->nonzeros(), .stored = k > 0 ? "dia" : ""});
        const auto vector = [&](const char* what) {
            return Vector(backend, k > 0 ? rows : 0, std::string(what) + " of level " + std::to_string(k));
        };
        made.levels.push_back({*here, nullptr, nullptr, vector("x"), vector("b")});
        const bool is_joined = known.joined[0] || known.joined[1] || known.joined[2];
        const Lattice blocks = coarser(stencil->points, known.joined);
        const std::optional<LatticeStencil> coarse = is_joined ? LatticeStencil::full(blocks, max_size) : std::nullopt;
        if (rows <= (coarse ? coarsest : std::max(coarsest, largest_of_narrow))) {
            const ScopedTimer timer(report.coarse_seconds);
            const std::vector<double> ones(static_cast<std::size_t>(rows), 1.0);
            made.inverse = invert(download_stencil(backend, *stencil, tiles), ones, ones, 1);
            if (made.inverse.condition < worst_condition) break;
        }
        if (!coarse || k + 1 == options.levels) return {};
        {
            const ScopedTimer timer(report.strength_seconds);
            radius = spectral_radius(known, *here);
        }
        const ChebyshevOptions part = smoothed_part(radius);
        made.levels.back().smoother =
            std::make_unique<Polynomial>(*here, part.smallest, std::min(part.largest, known.bound));
        {
            const ScopedTimer timer(report.product_seconds);
            LatticeWeights weights(backend, *stencil, tiles, blocks);
            report.levels.back().transfer_nonzeros = weights.nonzeros();
            made.coarse.push_back(make_system(backend, *coarse, weights, *stencil, tiles));
            if (k == 0) unscale(weights, backend, system.scale);
            made.levels.back().transfer = std::make_unique<LatticeTransfer>(*here, std::move(weights));
        }
        LatticeSystem& next = *made.coarse.back();
        here = &*next.system;
        tiles = next.tiles;
        d = next.diagonal->diagonal();
        stencil = next.stencil;
        reciprocal_diagonal(next.diagonal->numbers(), *stencil, tiles);
    }
    report.levels.front().nonzeros = A.nonzeros();
    report.set_up = MultigridSetup::device;
    return made;
}

}  // namespace glsolve::inline v0_1
