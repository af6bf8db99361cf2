#include "multigrid/sparse_levels.hpp"

#include <utility>

#include "base/scoped_timer.hpp"
#include "matrix/row_factors.hpp"
#include "multigrid/host_rows.hpp"
#include "multigrid/level_setup.hpp"
#include "multigrid/settle_row_sums.hpp"

namespace glsolve::inline v0_1 {
namespace {

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

class SparseSetup final : public LevelSetup {
  public:
    using LevelSetup::LevelSetup;

  private:
    /// What is constant before it is scaled; null: here it is.
    const Vector* tentative() const { return is_finest() && scale_ ? &*scale_ : nullptr; }

    bool take_finest() override {
        scale_ = reciprocals_on_device(backend_, here_->scale);
        begin_sparse_programs(backend_, A_.rows, scale_.has_value());
        finest_ = upload_rows(backend_, EntryLayout::of(A_.rows, backend_.info().max_texture_size), A_, here_->scale);
        if (finest_) rows_ = finest_->at;
        return finest_.has_value();
    }

    RowFacts look(Vector& d) override { return look_at_rows(rows_, d, tentative()); }
    Offset nonzeros() const override { return rows_.size.entries + rows_.rows; }

    HostInverse inverse_of(CsrMatrix A) override {
        const std::vector<double> ones(static_cast<std::size_t>(A.rows), 1.0);
        settle_row_sums(A, backend_.holds_doubles() ? 0x1p-53 : 0x1p-24);
        return invert(A, ones, ones, 1);
    }

    bool coarsen(double omega) override {
        std::optional<DeviceAggregates> aggregates;
        std::optional<Storage> strong;
        {
            const ScopedTimer timer(made_.report.coarsening_seconds);
            strong = strong_columns(rows_, *d_, threshold());
            aggregates = aggregates_around_roots(rows_, strong->id());
        }
        return are_few(aggregates->count) && interpolate(strong->id(), *aggregates, omega);
    }

    bool interpolate(StorageId strong, const DeviceAggregates& aggregates, double omega) {
        std::optional<DeviceInterpolation> way;
        {
            const ScopedTimer timer(made_.report.interpolation_seconds);
            way = smoothed_interpolation(rows_, *d_, strong, aggregates, omega, tentative());
        }
        const ScopedTimer timer(made_.report.product_seconds);
        std::optional<DeviceRows> A_c = galerkin_rows(*way, rows_, *d_);
        if (!A_c) return give_up("rows of a coarser level are too long for passes");
        const Offset nonzeros_of_P = way->P.at.size.entries;
        go_on(std::move(way->P), std::move(way->Pt), nonzeros_of_P, std::move(*A_c), false);
        finest_.reset();
        return true;
    }

    std::optional<DeviceRows> finest_;
    std::optional<Vector> scale_;  // 1 / s_i
};

}  // namespace

std::optional<DeviceLevels> make_sparse_levels(const AssembledSystem& system, CsrView A, const AmgOptions& options,
                                               Index coarsest, std::string& why) {
    return SparseSetup(system, A, options, coarsest).make(why);
}

}  // namespace glsolve::inline v0_1
