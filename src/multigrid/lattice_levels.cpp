#include "multigrid/lattice_levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "amg/check_amg.hpp"
#include "base/scoped_timer.hpp"
#include "matrix/csr_entries.hpp"
#include "matrix/row_factors.hpp"
#include "multigrid/lattice_facts.hpp"
#include "multigrid/power_method.hpp"
#include "multigrid/settle_row_sums.hpp"
#include "smoothers/polynomial.hpp"

namespace glsolve::inline v0_1 {
namespace {

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
    LatticeSetup(const AssembledSystem& finest, CsrView A, const AmgOptions& options, Index coarsest)
        : backend_(finest.backend),
          A_(A),
          options_(options),
          strong_(options.strength < 0 ? usual_strength_of_aggregates : options.strength),
          coarsest_(coarsest),
          here_(&finest) {}

    std::optional<DeviceLevels> make() {
        if (!take_finest()) return {};
        for (;;) {
            if (!look()) return {};
            made_.add(*here_, stencil_->nonzeros(), "dia");
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
        const ChebyshevOptions part = smoothed_part(spectral_radius(*here_, known_.bound));
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
        DeviceSystem& next = *made_.coarse.emplace_back(std::make_unique<DeviceSystem>());
        next.diagonal = std::make_unique<Diagonal>(backend_, rows());
        reciprocal_diagonal(next.diagonal->numbers(), *stencil_, tiles_);
        next.matrix = stencil_matrix(backend_, *stencil_, std::move(A_c));
        here_ = &next.assemble(backend_, rows());
        d_ = next.diagonal->diagonal();
    }

    Backend& backend_;
    CsrView A_;
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
    DeviceLevels made_;
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
           && options.coarsening == Coarsening::smoothed_aggregation && options.host_rows == 0;
}

std::optional<DeviceLevels> make_lattice_levels(const AssembledSystem& system, CsrView A, const AmgOptions& options,
                                                Index coarsest) {
    return LatticeSetup(system, A, options, coarsest).make();
}

}  // namespace glsolve::inline v0_1
