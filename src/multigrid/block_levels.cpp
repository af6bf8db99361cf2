#include "multigrid/block_levels.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "amg/check_amg.hpp"
#include "amg/near_null_space.hpp"
#include "base/scoped_timer.hpp"
#include "multigrid/device_blocks.hpp"
#include "multigrid/power_method.hpp"
#include "multigrid/rows_transfer.hpp"
#include "smoothers/polynomial.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr double too_slow_for_blocks = 0.9;  // coarser levels with more of the finer one's rows are not worth having

/// The rows of T, `wide` numbers each, as they act on what is scaled: S^-1 T.
Storage upload_tentative(Backend& backend, const EntryLayout& layout, const CsrMatrix& T, int wide,
                         std::span<const double> scale) {
    const auto a_row = static_cast<std::size_t>((wide + 3) / 4) * 4;
    Storage made(backend, layout.extent(static_cast<std::int64_t>(a_row / 4) * T.rows), Element::real,
                 "tentative interpolation");
    upload_reals(backend, made.id(), [&](auto numbers) {
        using Number = typename decltype(numbers)::value_type;
        parallel_each(numbers.size(), [&](std::size_t k) {
            const std::size_t i = k / a_row, c = k % a_row;
            double t = 0;
            if (i < static_cast<std::size_t>(T.rows)) {
                const auto begin = static_cast<std::size_t>(T.offsets[i]),
                           end = static_cast<std::size_t>(T.offsets[i + 1]);
                if (c < end - begin) t = T.value[begin + c] / scale[i];
            }
            numbers[k] = static_cast<Number>(t);
        });
    });
    return made;
}

/// Begins the programs of all passes but A x, as begin_sparse_programs does (sparse_levels.cpp): for levels as large as
/// one of so many points, and for small ones.
void begin_block_programs(Backend& backend, Index points, int side, int wide) {
    begin_programs_of(backend, [&] {
        std::vector<Triplet> unit;
        for (Index i = 0; i < side; ++i) unit.push_back({i, i, 1.0});
        const CsrMatrix A = csr_from_triplets(side, side, unit);
        const std::vector<double> ones(static_cast<std::size_t>(side), 1.0);
        for (const Index n : {points, Index{1}}) {
            const EntryLayout layout = EntryLayout::of(n, backend.info().max_texture_size);
            DeviceBlocks blocks = *upload_blocks(backend, layout, A, side, ones);
            const Storage parts(backend, layout.extent(n), Element::integer, "parts of rows");
            Vector d(backend, side, "no numbers"), d_points(backend, n, "no numbers");
            look_at_blocks(blocks, d);
            take_norms(blocks, d_points);
            blocks.pattern.at.rows = n;
            blocks.pattern.at.parts = parts.id();
            const Storage strong = strong_columns(blocks.pattern.at, d_points, 0);
            const DeviceAggregates aggregates = aggregates_around_roots(blocks.pattern.at, strong.id());
            const BlockInterpolation way = smoothed_blocks(blocks, d, d_points, aggregates, blocks.blocks, wide, 1);
            ExpandedInterpolation made = expanded(way);
            Vector coarse(backend, 0, "no numbers");
            Transfer restriction = rows_transfer(std::move(made.Pt), side);
            restriction.multiply(coarse, d);
            restriction.add(coarse, d);
        }
    });
}

/// One level after the other.
class BlockSetup {
  public:
    BlockSetup(const AssembledSystem& finest, const CsrMatrix& A, const AmgOptions& options, Index coarsest)
        : backend_(finest.backend), A_(A), options_(options), coarsest_(coarsest), here_(&finest) {}

    std::optional<DeviceLevels> make() {
        if (!take_finest()) return no("single precision does not hold the numbers, or their scales");
        for (;;) {
            if (!look()) return no("passes make levels of matrices with a positive diagonal");
            made_.add(*here_, is_finest() ? A_.nonzeros() : nonzeros(), "csr");
            if (here_->size <= coarsest_ && !is_finest() && invert()) break;
            if (is_free_)
                return no("nothing holds the body in place: its coarsest matrix is singular but for rounding");
            if (std::ssize(made_.levels) == options_.levels || !coarsen()) {
                if (is_finest() || here_->size <= coarsest_ || here_->size > largest_of_last || !invert())
                    return no("too few unknowns are coupled strongly, or the coarsest matrix is singular");
                break;
            }
        }
        made_.report.set_up = MultigridSetup::device;
        return std::move(made_);
    }

    /// Why none were made.
    const std::string& why() const { return why_; }

  private:
    std::nullopt_t no(std::string_view why) {
        if (why_.empty()) why_ = why;
        return std::nullopt;
    }
    bool is_finest() const { return made_.coarse.empty(); }
    Offset nonzeros() const { return blocks_->pattern.at.size.entries * blocks_->side * blocks_->side; }

    bool take_finest() {
        const ScopedTimer timer(made_.report.upload_seconds);
        null_ = options_.near_null_space.empty() ? constants(A_.rows, options_.unknowns_a_point)
                                                 : NearNullSpace{options_.near_null_vectors, options_.near_null_space};
        if (!std::ranges::all_of(here_->scale, [](double s) { return std::isnormal(static_cast<float>(1 / s)); }))
            return false;
        if (A_.rows % options_.unknowns_a_point != 0) {
            no("the rows are no multiple of unknowns_a_point");
            return false;
        }
        begin_block_programs(backend_, A_.rows / options_.unknowns_a_point, options_.unknowns_a_point, null_.vectors);
        const EntryLayout layout = EntryLayout::of(A_.rows, backend_.info().max_texture_size);
        blocks_ = upload_blocks(backend_, layout, A_, options_.unknowns_a_point, here_->scale);
        if (!blocks_) return false;
        of_finest_.emplace(backend_, A_.rows, "1 / diagonal");
        d_ = &*of_finest_;
        return true;
    }

    bool look() {
        const ScopedTimer timer(made_.report.strength_seconds);
        known_ = look_at_blocks(*blocks_, *d_);
        return known_.has_positive_diagonal();
    }

    bool invert() {
        const ScopedTimer timer(made_.report.coarse_seconds);
        const std::vector<double> ones(static_cast<std::size_t>(here_->size), 1.0);
        const CsrMatrix A = download_rows(rows_);
        is_free_ = holds_null_vector(A);
        if (is_free_) return false;
        made_.inverse = glsolve::invert(A, ones, null_.values, null_.vectors);
        return made_.inverse.condition < worst_condition;
    }

    /// Does A map one of the near-null vectors to rounding errors? An inverse would be one of these.
    bool holds_null_vector(const CsrMatrix& A) const {
        const double rounding = backend_.holds_doubles() ? 0x1p-44 : 0x1p-18;
        const auto vectors = static_cast<std::size_t>(null_.vectors);
        for (std::size_t v = 0; v < vectors; ++v) {
            double most = 0, size = 0;
            for (Index i = 0; i < A.rows; ++i) {
                double sum = 0;
                for (const auto [j, a] : A.row(i)) {
                    const double term = a * null_.values[static_cast<std::size_t>(j) * vectors + v];
                    sum += term;
                    size = std::max(size, std::abs(term));
                }
                most = std::max(most, std::abs(sum));
            }
            if (most <= rounding * size) return true;
        }
        return false;
    }

    /// Vanek, Mandel and Brezina halve the threshold from level to level.
    double threshold() const {
        const double finest = options_.strength < 0 ? usual_strength_of_aggregates : options_.strength;
        return std::ldexp(finest, 1 - static_cast<int>(made_.levels.size()));
    }

    bool coarsen() {
        const double radius = smooth();
        std::optional<DeviceAggregates> aggregates;
        std::optional<Vector> d_points;
        Tentative tentative;
        {
            const ScopedTimer timer(made_.report.coarsening_seconds);
            const RowTextures& points = blocks_->pattern.at;
            d_points.emplace(backend_, points.rows, "1 / norms");
            take_norms(*blocks_, *d_points);
            const Storage strong = strong_columns(points, *d_points, threshold());
            aggregates = aggregates_around_roots(points, strong.id());
            tentative = basis_on(*aggregates);
        }
        const CsrMatrix& T = tentative.T;
        if (T.columns == 0 || T.columns >= too_slow_for_blocks * here_->size) return false;
        if (T.columns != aggregates->count * null_.vectors) {
            no("the near-null vectors depend on one another on some aggregate");
            return false;
        }
        interpolate(*aggregates, *d_points, T, 4.0 / 3.0 / radius);
        null_ = std::move(tentative.coarse);
        return true;
    }

    double smooth() {
        const ScopedTimer timer(made_.report.strength_seconds);
        const double radius = spectral_radius(*here_, known_.bound);
        const ChebyshevOptions part = smoothed_part(radius);
        made_.levels.back().smoother =
            std::make_unique<Polynomial>(*here_, part.smallest, std::min(part.largest, known_.bound));
        return radius;
    }

    /// Of the near-null space, on each aggregate.
    Tentative basis_on(const DeviceAggregates& aggregates) const {
        const auto points = static_cast<std::size_t>(blocks_->pattern.at.rows);
        const std::vector<Index> of_point = download_integers(backend_, aggregates.of.id(), points);
        const auto side = static_cast<std::size_t>(blocks_->side);
        std::vector<Index> of(points * side);
        for (std::size_t i = 0; i < of.size(); ++i) of[i] = of_point[i / side];
        return tentative_prolongation(null_, of, aggregates.count);
    }

    void interpolate(const DeviceAggregates& aggregates, const Vector& d_points, const CsrMatrix& T, double omega) {
        std::optional<BlockInterpolation> way;
        {
            const ScopedTimer timer(made_.report.interpolation_seconds);
            const Storage tentative =
                upload_tentative(backend_, blocks_->pattern.at.layout, T, null_.vectors, here_->scale);
            way = smoothed_blocks(*blocks_, *d_, d_points, aggregates, tentative, null_.vectors, omega);
        }
        const ScopedTimer timer(made_.report.product_seconds);
        ExpandedInterpolation made = expanded(*way);
        made_.report.levels.back().transfer_nonzeros = way->P.pattern.at.size.entries * blocks_->side * null_.vectors;
        made_.levels.back().transfer = std::make_unique<RowsTransfer>(*here_, std::move(made.P), std::move(made.Pt));
        blocks_ = std::move(way->coarse);
        rows_ = made.coarse.at;
        DeviceSystem& next = *made_.coarse.emplace_back(std::make_unique<DeviceSystem>());
        next.diagonal = std::make_unique<Diagonal>(backend_, rows_.rows);
        next.matrix = rows_matrix(made.coarse);
        here_ = &next.assemble(backend_, rows_.rows);
        d_ = &next.diagonal->numbers();
    }

    Backend& backend_;
    const CsrMatrix& A_;
    const AmgOptions& options_;
    Index coarsest_;

    // The level that is being made.
    const AssembledSystem* here_;
    std::optional<DeviceBlocks> blocks_;
    RowTextures rows_;     // the same below the finest level, for products
    Vector* d_ = nullptr;  // 1 / a_ii
    RowFacts known_;
    NearNullSpace null_;
    bool is_free_ = false;  // the coarsest matrix maps a near-null vector to rounding errors

    std::optional<Vector> of_finest_;  // 1 / a_ii
    DeviceLevels made_;
    std::string why_;
};

}  // namespace

std::optional<DeviceLevels> make_block_levels(const AssembledSystem& system, const CsrMatrix& A,
                                              const AmgOptions& options, Index coarsest, std::string& why) {
    BlockSetup setup(system, A, options, coarsest);
    std::optional<DeviceLevels> made = setup.make();
    why = setup.why();
    return made;
}

}  // namespace glsolve::inline v0_1
