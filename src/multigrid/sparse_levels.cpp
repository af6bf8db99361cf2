#include "multigrid/sparse_levels.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "amg/check_amg.hpp"
#include "base/scoped_timer.hpp"
#include "device/verbs.hpp"
#include "matrix/row_factors.hpp"
#include "multigrid/power_method.hpp"
#include "multigrid/rows_transfer.hpp"
#include "multigrid/settle_row_sums.hpp"
#include "multigrid/sparse_interpolation.hpp"
#include "smoothers/polynomial.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr double too_slow = 0.9;  // coarser levels with more of the finer one's rows are not worth having

/// What takes numbers to S^-1 x; none: they are the same.
std::optional<Vector> reciprocals_on_device(Backend& backend, std::span<const double> scale) {
    if (const RowFactors factors(scale); factors.alike() && factors[0] == 1) return {};
    Vector made(backend, static_cast<Offset>(scale.size()), "1 / scale");
    upload_floats(made, scale.size(), [&](std::size_t i) { return 1 / scale[i]; });
    return made;
}

/// Begins the programs of all passes but A x, for levels as large as one of `rows` unknowns and for small ones: to
/// compile one after the other takes longer than all else. No pass runs meanwhile, so the sizes that are read are
/// zeros.
void begin_sparse_programs(Backend& backend, Index rows, bool is_scaled) {
    begin_programs_of(backend, [&] {
        const std::vector<double> one{1.0};
        const CsrMatrix A = csr_from_triplets(1, 1, std::vector<Triplet>{{0, 0, 1.0}});
        for (const bool is_large : {true, false}) {
            const Index n = is_large ? rows : 1;
            const EntryLayout layout = EntryLayout::of(n, backend.info().max_texture_size);
            DeviceRows made = *upload_rows(backend, layout, A, one);
            const Storage parts(backend, layout.extent(n), Element::integer, "parts of rows");
            made.at.rows = n;
            made.at.parts = parts.id();
            Vector d(backend, n, "no numbers");
            const Vector* const t = is_large && is_scaled ? &d : nullptr;
            look_at_rows(made.at, d, t);
            const Storage strong = strong_columns(made.at, d, 0);
            const DeviceAggregates aggregates = aggregates_around_roots(made.at, strong.id());
            DeviceInterpolation way = smoothed_interpolation(made.at, d, strong.id(), aggregates, 1, t);
            const std::optional<DeviceRows> A_c = galerkin_rows(way, made.at, d);
            put_row_sums(A_c->at, Vector(backend, 0, "no numbers"));
            Vector coarse(backend, 0, "no numbers");
            Transfer restriction = rows_transfer(std::move(way.Pt), n);
            restriction.multiply(coarse, d);
            restriction.add(coarse, d);
        }
    });
}

/// One level after the other.
class SparseSetup {
  public:
    SparseSetup(const AssembledSystem& finest, const CsrMatrix& A, const AmgOptions& options, Index coarsest)
        : backend_(finest.backend), A_(A), options_(options), coarsest_(coarsest), here_(&finest) {}

    std::optional<DeviceLevels> make() {
        if (!take_finest()) return no("single precision does not hold the numbers, or their scales");
        for (;;) {
            if (!look()) return no("passes make levels of matrices with a positive diagonal");
            made_.add(*here_, is_finest() ? A_.nonzeros() : rows_.size.entries + rows_.rows, "csr");
            if (rows_.rows <= coarsest_ && invert()) break;
            if (std::ssize(made_.levels) == options_.levels || !coarsen()) {
                if (is_finest() || rows_.rows <= coarsest_ || rows_.rows > largest_of_last || !invert())
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

    /// What is constant before it is scaled; null: here it is.
    const Vector* tentative() const { return is_finest() && scale_ ? &*scale_ : nullptr; }

    bool take_finest() {
        const ScopedTimer timer(made_.report.upload_seconds);
        if (!std::ranges::all_of(here_->scale, [](double s) { return std::isnormal(static_cast<float>(1 / s)); }))
            return false;
        scale_ = reciprocals_on_device(backend_, here_->scale);
        begin_sparse_programs(backend_, A_.rows, scale_.has_value());
        finest_ = upload_rows(backend_, EntryLayout::of(A_.rows, backend_.info().max_texture_size), A_, here_->scale);
        if (!finest_) return false;
        rows_ = finest_->at;
        of_finest_.emplace(backend_, A_.rows, "1 / diagonal");
        d_ = &*of_finest_;
        return true;
    }

    bool look() {
        const ScopedTimer timer(made_.report.strength_seconds);
        known_ = look_at_rows(rows_, *d_, tentative());
        return known_.has_positive_diagonal();
    }

    bool invert() {
        const ScopedTimer timer(made_.report.coarse_seconds);
        const std::vector<double> ones(static_cast<std::size_t>(rows_.rows), 1.0);
        CsrMatrix A = download_rows(rows_);
        settle_row_sums(A, backend_.holds_doubles() ? 0x1p-53 : 0x1p-24);
        made_.inverse = glsolve::invert(A, ones, ones, 1);
        return made_.inverse.condition < worst_condition;
    }

    /// Vanek, Mandel and Brezina halve the threshold from level to level.
    double threshold() const {
        const double finest = options_.strength < 0 ? usual_strength_of_aggregates : options_.strength;
        return std::ldexp(finest, 1 - static_cast<int>(made_.levels.size()));
    }

    /// The smoother, P, and A_c <- P^T A P, which is the matrix of the next level. False where there are not far fewer
    /// unknowns there, or too many nonzeros.
    bool coarsen() {
        const double radius = smooth();
        std::optional<DeviceAggregates> aggregates;
        std::optional<Storage> strong;
        {
            const ScopedTimer timer(made_.report.coarsening_seconds);
            strong = strong_columns(rows_, *d_, threshold());
            aggregates = aggregates_around_roots(rows_, strong->id());
        }
        if (aggregates->count == 0 || aggregates->count >= too_slow * rows_.rows) return false;
        return interpolate(strong->id(), *aggregates, 4.0 / 3.0 / radius);
    }

    double smooth() {
        const ScopedTimer timer(made_.report.strength_seconds);
        const double radius = spectral_radius(*here_, known_.bound);
        const ChebyshevOptions part = smoothed_part(radius);
        made_.levels.back().smoother =
            std::make_unique<Polynomial>(*here_, part.smallest, std::min(part.largest, known_.bound));
        return radius;
    }

    bool interpolate(StorageId strong, const DeviceAggregates& aggregates, double omega) {
        std::optional<DeviceInterpolation> way;
        {
            const ScopedTimer timer(made_.report.interpolation_seconds);
            way = smoothed_interpolation(rows_, *d_, strong, aggregates, omega, tentative());
        }
        const ScopedTimer timer(made_.report.product_seconds);
        made_.report.levels.back().transfer_nonzeros = way->P.at.size.entries;
        std::optional<DeviceRows> A_c = galerkin_rows(*way, rows_, *d_);
        if (!A_c) {
            no("rows of a coarser level are too long for passes");
            return false;
        }
        auto transfer = std::make_unique<RowsTransfer>(*here_, std::move(way->P), std::move(way->Pt));
        put_row_sums(A_c->at, transfer->row_sums());
        made_.levels.back().transfer = std::move(transfer);
        take(std::move(*A_c));
        return true;
    }

    /// The next level.
    void take(DeviceRows A_c) {
        rows_ = A_c.at;
        finest_.reset();
        DeviceSystem& next = *made_.coarse.emplace_back(std::make_unique<DeviceSystem>());
        next.diagonal = std::make_unique<Diagonal>(backend_, rows_.rows);
        next.matrix = rows_matrix(A_c);
        parts_ = std::move(A_c.parts);
        here_ = &next.assemble(backend_, rows_.rows);
        d_ = &next.diagonal->numbers();
    }

    Backend& backend_;
    const CsrMatrix& A_;
    const AmgOptions& options_;
    Index coarsest_;

    // The level that is being made.
    const AssembledSystem* here_;
    RowTextures rows_;
    Storage parts_;        // of these rows
    Vector* d_ = nullptr;  // 1 / a_ii
    RowFacts known_;

    std::optional<DeviceRows> finest_;
    std::optional<Vector> of_finest_, scale_;  // 1 / a_ii, 1 / s_i
    DeviceLevels made_;
    std::string why_;
};

}  // namespace

std::optional<DeviceLevels> make_sparse_levels(const AssembledSystem& system, const CsrMatrix& A,
                                               const AmgOptions& options, Index coarsest, std::string& why) {
    SparseSetup setup(system, A, options, coarsest);
    std::optional<DeviceLevels> made = setup.make();
    why = setup.why();
    return made;
}

}  // namespace glsolve::inline v0_1
