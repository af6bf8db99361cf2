#include "multigrid/lattice_levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "amg/check_amg.hpp"
#include "amg/interpolation.hpp"
#include "base/random.hpp"
#include "base/scoped_timer.hpp"
#include "device/reductions.hpp"
#include "matrix/csr_entries.hpp"
#include "matrix/row_factors.hpp"
#include "multigrid/lattice_facts.hpp"
#include "multigrid/settle_row_sums.hpp"
#include "smoothers/polynomial.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Index largest_of_last = 1500;    // rows, where no lattice follows: it is too narrow, or coupled weakly
constexpr double surely_bound = 2 + 1e-5;  // of rows that sum to zero, but for rounding

/// Growth of a random vector in the last of some steps with D^-1 A; waits.
double power_method(const AssembledSystem& system) {
    Backend& backend = system.backend;
    Vector x(backend, system.size, "random"), y(backend, system.size, "A x");
    Random random(PowerMethod::seed);
    std::vector<float> numbers(static_cast<std::size_t>(system.size));
    for (float& v : numbers) v = static_cast<float>(random.uniform() - 0.5);
    x.upload(numbers);
    Reductions reductions(backend, system.size);
    const Vector* d = system.diagonal();
    Scalar before(backend, "(x,x)"), after(backend, "(y,y)");
    for (int step = 0; step < PowerMethod::steps; ++step) {
        system.A.multiply(y, x);
        d != nullptr ? hadamard(y, *d, y) : scale(y, scalar_arg(static_cast<float>(system.unit)), y);
        if (step + 1 == PowerMethod::steps) reductions.dot(before, x, x);
        std::swap(x, y);
    }
    reductions.dot(after, x, x);
    std::array<float, 4> of_x{}, of_y{};
    const Ticket first = backend.read_later(before.id()), second = backend.read_later(after.id());
    backend.collect(first, std::span<float>(of_x));
    backend.collect(second, std::span<float>(of_y));
    // Nothing was normalised on the way.
    const double growth = std::sqrt(static_cast<double>(of_y[0]) / static_cast<double>(of_x[0]));
    return std::isfinite(growth) ? growth : std::numeric_limits<double>::infinity();
}

/// As spectral_radius(A) in amg/interpolation.hpp.
double spectral_radius(const LatticeFacts& known, const AssembledSystem& system) {
    return known.bound <= surely_bound ? known.bound
                                       : std::min(known.bound, PowerMethod::margin * power_method(system));
}

/// P goes from x_c to S^-1 x.
void unscale(LatticeWeights& weights, Backend& backend, std::span<const double> scale) {
    if (const RowFactors factors(scale); factors.alike()) return weights.scale(1 / factors[0]);
    Vector reciprocals(backend, static_cast<Offset>(scale.size()), "1 / scale");
    upload_floats(reciprocals, scale.size(), [&](std::size_t i) { return 1 / scale[i]; });
    weights.scale_rows(reciprocals);
}

/// Begins the programs of all passes but A x, of lattices with as many axes: to compile one after the other takes
/// longer than all else.
void begin_lattice_programs(Backend& backend, const Lattice& lattice) {
    begin_programs_of(backend, [&] {
        constexpr Index enough = 9;  // for three blocks: with fewer, neighbours would share diagonals
        Lattice points, blocks;
        for (std::size_t axis = 0; axis < 3; ++axis) {
            const bool is_long = lattice.size[axis] > 1;
            points.size[axis] = is_long ? enough : 1;
            blocks.size[axis] = is_long ? blocks_of(enough) : 1;
        }
        const int max_size = backend.info().max_texture_size;
        const auto fine = LatticeStencil::full(points, max_size), coarse = LatticeStencil::full(blocks, max_size);
        const Storage a(backend, fine->grid.extent(), Element::real, "no stencil"),
            a_c(backend, coarse->grid.extent(), Element::real, "no stencil");
        Vector x(backend, fine->rows.length, "no numbers"), x_c(backend, coarse->rows.length, "no numbers");
        reciprocal_diagonal(x, *fine, a.id());
        LatticeWeights P(backend, *fine, a.id(), blocks);
        P.multiply(*coarse, a_c.id(), *fine, a.id());
        P.scale(2);
        P.restrict_to_blocks(x_c, x);
        P.prolong(x, x_c);
        look_at_later(*fine, a.id(), x, 0);
    });
}

/// One level after the other.
class LatticeSetup {
  public:
    LatticeSetup(const AssembledSystem& finest, const CsrMatrix& A, const AmgOptions& options, Index coarsest)
        : backend_(finest.backend),
          A_(A),
          options_(options),
          strong_(options.strength < 0 ? usual_strength_of_aggregates : options.strength),
          coarsest_(coarsest),
          here_(&finest) {}

    std::optional<LatticeLevels> make() {
        if (!take_finest()) return {};
        for (;;) {
            if (!look()) return {};
            add_level();
            if (is_coarsest() && invert()) break;
            if (!coarse_ || std::ssize(made_.levels) == options_.levels) return {};
            smooth();
            coarsen();
        }
        made_.report.levels.front().nonzeros = A_.nonzeros();
        made_.report.set_up = MultigridSetup::device;
        return std::move(made_);
    }

  private:
    Index rows() const { return stencil_->points.points(); }
    bool is_finest() const { return made_.coarse.empty(); }
    int max_size() const { return backend_.info().max_texture_size; }

    /// False where A is not on a lattice, or single precision does not hold it.
    bool take_finest() {
        const ScopedTimer timer(made_.report.upload_seconds);
        const std::vector<Index> diagonals = offsets_of_entries(A_, neighbours_and_itself);
        const Lattice lattice = find_lattice(A_, diagonals);
        if (lattice) stencil_ = LatticeStencil::of(lattice, diagonals, max_size());
        if (!stencil_) return false;
        begin_lattice_programs(backend_, lattice);
        finest_ = upload_stencil(backend_, A_, *stencil_);
        if (!finest_) return false;
        tiles_ = finest_->id();
        of_finest_ = std::make_unique<Vector>(backend_, A_.rows, "1 / diagonal");
        reciprocal_diagonal(*of_finest_, *stencil_, tiles_);
        d_ = of_finest_.get();
        return true;
    }

    /// At the matrix of a level, which decides what the next one is.
    bool look() {
        const ScopedTimer timer(made_.report.strength_seconds);
        known_ = look_at(*stencil_, tiles_, *d_, strong_);
        if (!known_.has_positive_diagonal()) return false;
        const bool is_joined = known_.joined[0] || known_.joined[1] || known_.joined[2];
        coarse_.reset();
        if (is_joined) coarse_ = LatticeStencil::full(coarser(stencil_->points, known_.joined), max_size());
        return true;
    }

    void add_level() {
        const std::size_t k = made_.levels.size();
        const auto vector = [&](const char* what) {
            return Vector(backend_, is_finest() ? 0 : rows(), fmt::format("{} of level {}", what, k));
        };
        made_.levels.push_back({*here_, nullptr, nullptr, vector("x"), vector("b")});
        made_.report.levels.push_back(
            {.rows = rows(), .nonzeros = stencil_->nonzeros(), .stored = is_finest() ? "" : "dia"});
    }

    /// The finest level is another one's to solve.
    bool is_coarsest() const {
        return !is_finest() && rows() <= (coarse_ ? coarsest_ : std::max(coarsest_, largest_of_last));
    }
    bool invert() {
        const ScopedTimer timer(made_.report.coarse_seconds);
        const std::vector<double> ones(static_cast<std::size_t>(rows()), 1.0);
        CsrMatrix A = download_stencil(backend_, *stencil_, tiles_);
        settle_row_sums(A, backend_.holds_doubles() ? 0x1p-53 : 0x1p-24);
        made_.inverse = glsolve::invert(A, ones, ones, 1);
        return made_.inverse.condition < worst_condition;
    }

    void smooth() {
        const ScopedTimer timer(made_.report.strength_seconds);
        const ChebyshevOptions part = smoothed_part(spectral_radius(known_, *here_));
        made_.levels.back().smoother =
            std::make_unique<Polynomial>(*here_, part.smallest, std::min(part.largest, known_.bound));
    }

    /// P, and A_c <- P^T A P, which is the matrix of the next level.
    void coarsen() {
        const ScopedTimer timer(made_.report.product_seconds);
        LatticeWeights P(backend_, *stencil_, tiles_, coarse_->points);
        made_.report.levels.back().transfer_nonzeros = P.nonzeros();
        Storage A_c(backend_, coarse_->grid.extent(), Element::real, "stencil of a level");
        P.multiply(*coarse_, A_c.id(), *stencil_, tiles_);
        if (is_finest()) unscale(P, backend_, here_->scale);
        made_.levels.back().transfer = std::make_unique<LatticeTransfer>(*here_, std::move(P));

        stencil_ = coarse_;
        tiles_ = A_c.id();
        LatticeSystem& next = *made_.coarse.emplace_back(std::make_unique<LatticeSystem>());
        next.diagonal = std::make_unique<Diagonal>(backend_, rows());
        reciprocal_diagonal(next.diagonal->numbers(), *stencil_, tiles_);
        next.matrix = stencil_matrix(backend_, *stencil_, std::move(A_c));
        next.scale.assign(static_cast<std::size_t>(rows()), 1.0);
        next.system.emplace(System{.backend = backend_,
                                   .A = *next.matrix,
                                   .M = next.diagonal.get(),
                                   .size = rows(),
                                   .symmetric = true,
                                   .scale = next.scale},
                            *next.matrix);
        here_ = &*next.system;
        d_ = next.diagonal->diagonal();
    }

    Backend& backend_;
    const CsrMatrix& A_;
    const AmgOptions& options_;
    double strong_;
    Index coarsest_;

    // The level that is being made.
    const AssembledSystem* here_;
    std::optional<LatticeStencil> stencil_;
    StorageId tiles_;
    const Vector* d_ = nullptr;  // 1 / a_ii
    LatticeFacts known_;
    std::optional<LatticeStencil> coarse_;  // of the next level; none where no lattice follows

    std::optional<Storage> finest_;
    std::unique_ptr<Vector> of_finest_;  // 1 / a_ii
    LatticeLevels made_;
};

}  // namespace

bool asks_for_passes(const AmgOptions& options, const Capabilities& device, Index rows) {
    constexpr Index many_rows = 1 << 16;
    if (options.setup != MultigridSetup::automatic) return options.setup == MultigridSetup::device;
    return !device.on_processor && rows >= many_rows;
}

bool can_be_made_by_passes(const AmgOptions& options, Index rows, bool symmetric) {
    const bool polynomial =
        options.smoother == MultigridSmoother::automatic || options.smoother == MultigridSmoother::chebyshev;
    return symmetric && polynomial && rows > rows_of_coarsest(options)
           && options.coarsening == Coarsening::smoothed_aggregation && options.on_lattice
           && options.near_null_space.empty() && options.unknowns_a_point == 1 && options.host_rows == 0;
}

std::optional<LatticeLevels> make_lattice_levels(const AssembledSystem& system, const CsrMatrix& A,
                                                 const AmgOptions& options, Index coarsest) {
    return LatticeSetup(system, A, options, coarsest).make();
}

}  // namespace glsolve::inline v0_1
