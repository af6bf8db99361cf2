#include "multigrid/block_levels.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <utility>

#include "amg/near_null_space.hpp"
#include "base/scoped_timer.hpp"
#include "multigrid/device_blocks.hpp"
#include "multigrid/host_rows.hpp"
#include "multigrid/level_setup.hpp"

namespace glsolve::inline v0_1 {
namespace {

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

/// Is there among what these vectors span one that A maps to rounding errors? By the smallest (v, A v) / (v, v).
bool hold_a_null_vector(const NearNullSpace& null, CsrView A, double rounding) {
    using Matrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
    const Eigen::Map<const Matrix> B(null.values.data(), A.rows, null.vectors);
    Matrix AB = Matrix::Zero(A.rows, null.vectors);
    double largest = 0;
    for (Index i = 0; i < A.rows; ++i) {
        for (const auto [j, a] : A.row(i)) {
            AB.row(i) += a * B.row(j);
            largest = std::max(largest, std::abs(a));
        }
    }
    const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> found(
        Eigen::MatrixXd(B.transpose() * AB), Eigen::MatrixXd(B.transpose() * B), Eigen::EigenvaluesOnly);
    return found.info() != Eigen::Success || found.eigenvalues().minCoeff() <= rounding * largest;
}

class BlockSetup final : public LevelSetup {
  public:
    using LevelSetup::LevelSetup;

  private:
    bool take_finest() override {
        const int side = options_.unknowns_a_point;
        null_ = options_.near_null_space.empty() ? constants(A_.rows, side)
                                                 : NearNullSpace{options_.near_null_vectors, options_.near_null_space};
        if (A_.rows % side != 0) return give_up("the rows are no multiple of unknowns_a_point");
        begin_block_programs(backend_, A_.rows / side, side, null_.vectors);
        const EntryLayout layout = EntryLayout::of(A_.rows, backend_.info().max_texture_size);
        blocks_ = upload_blocks(backend_, layout, A_, side, here_->scale);
        return blocks_.has_value();
    }

    RowFacts look(Vector& d) override { return look_at_blocks(*blocks_, d); }
    Offset nonzeros() const override { return blocks_->pattern.at.size.entries * blocks_->side * blocks_->side; }

    HostInverse inverse_of(CsrMatrix A) override {
        if (hold_a_null_vector(null_, A, backend_.holds_doubles() ? 0x1p-46 : 0x1p-20)) {
            give_up("nothing holds the body in place: its coarsest matrix is singular but for rounding");
            return {};  // an inverse would be one of rounding errors
        }
        const std::vector<double> ones(static_cast<std::size_t>(A.rows), 1.0);
        return invert(A, ones, null_.values, null_.vectors);
    }

    bool coarsen(double omega) override {
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
        if (!are_few(tentative.T.columns)) return false;
        if (tentative.T.columns != aggregates->count * null_.vectors)
            return give_up("the near-null vectors depend on one another on some aggregate");
        interpolate(*aggregates, *d_points, tentative.T, omega);
        null_ = std::move(tentative.coarse);
        return true;
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

    void interpolate(const DeviceAggregates& aggregates, const Vector& d_points, CsrView T, double omega) {
        std::optional<BlockInterpolation> way;
        {
            const ScopedTimer timer(made_.report.interpolation_seconds);
            const Storage tentative =
                upload_tentative(backend_, blocks_->pattern.at.layout, T, null_.vectors, here_->scale);
            way = smoothed_blocks(*blocks_, *d_, d_points, aggregates, tentative, null_.vectors, omega);
        }
        const ScopedTimer timer(made_.report.product_seconds);
        ExpandedInterpolation made = expanded(*way);
        const Offset nonzeros_of_P = way->P.pattern.at.size.entries * blocks_->side * null_.vectors;
        blocks_ = std::move(way->coarse);
        go_on(std::move(made.P), std::move(made.Pt), nonzeros_of_P, std::move(made.coarse), true);
    }

    std::optional<DeviceBlocks> blocks_;
    NearNullSpace null_;
};

}  // namespace

std::optional<DeviceLevels> make_block_levels(const AssembledSystem& system, CsrView A, const AmgOptions& options,
                                              Index coarsest, std::string& why) {
    return BlockSetup(system, A, options, coarsest).make(why);
}

}  // namespace glsolve::inline v0_1
