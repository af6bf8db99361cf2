#include "amg/hierarchy.hpp"

#include <algorithm>
#include <cmath>

#include "amg/check_amg.hpp"
#include "amg/interpolation.hpp"
#include "amg/sparse_product.hpp"
#include "base/scoped_timer.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr double too_slow = 0.9;  // coarser levels with more of the finer one's rows are not worth having

/// Vanek, Mandel and Brezina halve the threshold from level to level.
double threshold(const AmgOptions& options, int level) {
    if (!aggregates(options.coarsening)) return options.strength < 0 ? 0.2 : options.strength;
    return (options.strength < 0 ? usual_strength_of_aggregates : options.strength) * std::ldexp(1.0, -level);
}

Splitting split_by(const AmgOptions& options, const Strength& S) {
    switch (options.coarsening) {
        case Coarsening::pmis:
            return split_pmis(S);
        case Coarsening::falgout:
            return split_falgout(S);
        default:
            return split_ruge_stueben(S, options.second_pass);
    }
}

/// Has the coarse lattice fewer points along each axis?
bool narrower(const Lattice& fine, const Lattice& coarse) {
    if (!fine || !coarse) return false;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        if (fine.size[axis] > 1 && coarse.size[axis] == fine.size[axis]) return false;
    }
    return true;
}

bool any(const std::array<bool, 3>& axes) { return axes[0] || axes[1] || axes[2]; }

/// Consecutive numbers, so many of each.
std::vector<Index> groups(Index unknowns, int together) {
    if (together <= 1) return {};
    std::vector<Index> group(static_cast<std::size_t>(unknowns));
    for (std::size_t i = 0; i < group.size(); ++i) group[i] = static_cast<Index>(i) / together;
    return group;
}

}  // namespace

Hierarchy::Hierarchy(CsrView A, AmgOptions options, Index coarsest, bool symmetric)
    : A_(A), options_(std::move(options)), symmetric_(symmetric) {
    levels_.emplace_back();
    if (aggregates(options_.coarsening)) {
        AmgLevel& finest = levels_.back();
        finest.near_null = options_.near_null_space.empty()
                               ? constants(A.rows, options_.unknowns_a_point)
                               : NearNullSpace{options_.near_null_vectors, options_.near_null_space};
        finest.point_of = groups(A.rows, options_.unknowns_a_point);
        if (options_.on_lattice && finest.near_null.is_constant() && finest.point_of.empty())
            lattice_ = find_lattice(A);
        on_lattice_ = static_cast<bool>(lattice_);
    }
    find_radius(0);
    while (matrix(count() - 1).rows > coarsest && extend()) {
    }
}

void Hierarchy::find_radius(int k) {
    const ScopedTimer timer(seconds_.strength_seconds);
    levels_[static_cast<std::size_t>(k)].radius = spectral_radius(matrix(k));
}

HierarchyReport Hierarchy::report() const {
    HierarchyReport report = seconds_;
    for (int k = 0; k < count(); ++k) {
        // The finest level has its b and its x on the device.
        report.levels.push_back({.rows = matrix(k).rows,
                                 .nonzeros = matrix(k).nonzeros(),
                                 .transfer_nonzeros = level(k).P.nonzeros(),
                                 .on_host = k > 0 && matrix(k).rows <= options_.host_rows});
    }
    return report;
}

bool Hierarchy::extend() {
    if (count() == options_.levels) return false;
    const int last = count() - 1;
    const CsrView A = matrix(last);
    AmgLevel coarse;
    const bool in_blocks = join_blocks(levels_.back(), coarse, A);
    if (!in_blocks && !(aggregates(options_.coarsening) ? gather(levels_.back(), coarse, A) : split(levels_.back(), A)))
        return false;
    interpolate(levels_.back(), A);
    levels_.push_back(std::move(coarse));
    make_product(last);
    find_radius(last + 1);
    // Of two points in a row it cannot be told whether a distance leads to one of them or to the next row.
    if (lattice_ && !fits(lattice_, matrix(count() - 1))) lattice_ = {};
    return true;
}

/// C and F.
bool Hierarchy::split(AmgLevel& fine, CsrView A) {
    {
        const ScopedTimer timer(seconds_.strength_seconds);
        fine.strong = classical_strength(A, threshold(options_, count() - 1));
    }
    const ScopedTimer timer(seconds_.coarsening_seconds);
    fine.splitting = split_by(options_, fine.strong);
    const auto coarse = std::count(fine.splitting.begin(), fine.splitting.end(), Point::coarse);
    return coarse > 0 && static_cast<double>(coarse) < too_slow * A.rows;
}

/// Blocks where points are those of a lattice, coupled strongly along some axis. Its coarser levels are grids with the
/// same operator, so what is strong there does not become weaker.
Aggregates Hierarchy::find_aggregates(const Strength& S, CsrView A) const {
    if (lattice_) {
        const std::array<bool, 3> joined = joined_axes(lattice_, A, threshold(options_, 0));
        if (any(joined)) return blocks(lattice_, joined);
    }
    return around_roots(S);
}

/// Blocks of a lattice whose A is symmetric: nothing but A has to be known in order to interpolate from their centres.
bool Hierarchy::join_blocks(AmgLevel& fine, AmgLevel& coarse, CsrView A) {
    if (!lattice_ || !symmetric_ || options_.coarsening != Coarsening::smoothed_aggregation) return false;
    const ScopedTimer timer(seconds_.coarsening_seconds);
    const std::array<bool, 3> joined = joined_axes(lattice_, A, threshold(options_, 0));
    if (!any(joined)) return false;
    fine.points = lattice_;
    fine.blocks = lattice_ = coarser(lattice_, joined);
    coarse.near_null = constants(lattice_.points());
    return true;
}

/// Aggregates of points, and what is constant on them.
bool Hierarchy::gather(AmgLevel& fine, AmgLevel& coarse, CsrView A) {
    const bool points = !fine.point_of.empty();
    {
        const ScopedTimer timer(seconds_.strength_seconds);
        const double strong = threshold(options_, count() - 1);
        fine.strong = points ? symmetric_strength(condense(A, fine.point_of, fine.point_of.back() + 1), strong)
                             : symmetric_strength(A, strong);
        // Who belongs together does not depend on who depends on whom. Blocks of a grid are not for flows.
        if (!is_symmetric(fine.strong)) {
            fine.strong = united(fine.strong, transpose(fine.strong));
            lattice_ = {};
        }
    }
    const ScopedTimer timer(seconds_.coarsening_seconds);
    const Aggregates made = find_aggregates(fine.strong, A);
    std::vector<Index> of = made.of;
    if (points) {
        of.resize(fine.point_of.size());
        for (std::size_t i = 0; i < of.size(); ++i) of[i] = made.of[static_cast<std::size_t>(fine.point_of[i])];
    }
    Tentative tentative = tentative_prolongation(fine.near_null, of, made.count);
    if (tentative.T.columns == 0 || tentative.T.columns >= too_slow * A.rows) return false;
    fine.tentative = std::move(tentative.T);
    coarse.near_null = std::move(tentative.coarse);
    if (points || coarse.near_null.vectors > 1) coarse.point_of = std::move(tentative.aggregate_of);
    if (made.lattice) fine.points = lattice_;
    fine.blocks = lattice_ = made.lattice;
    return true;
}

void Hierarchy::interpolate(AmgLevel& fine, CsrView A) {
    const ScopedTimer timer(seconds_.interpolation_seconds);
    const bool from_far =
        options_.interpolation == Interpolation::extended
        || (options_.interpolation == Interpolation::automatic && options_.coarsening == Coarsening::pmis);
    const int most = options_.most_interpolated == 0 && from_far ? 4 : options_.most_interpolated;
    const Truncation truncation{.factor = options_.truncation, .most = most};
    if (options_.coarsening == Coarsening::aggregation) {
        fine.P = fine.tentative;
    } else if (fine.between_centres()) {
        fine.P = block_interpolation(A, fine.points, fine.blocks);
    } else if (options_.coarsening == Coarsening::smoothed_aggregation) {
        // With blocks of a grid the coarser level has no more entries without, and weak couplings are worth having.
        const bool filters =
            fine.near_null.is_constant() && fine.point_of.empty() && !narrower(fine.points, fine.blocks);
        fine.P = smoothed(A, filters ? &fine.strong : nullptr, fine.tentative, 4.0 / 3.0 / fine.radius);
    } else {
        fine.P = from_far ? extended_interpolation(A, fine.strong, fine.splitting, truncation)
                          : direct_interpolation(A, fine.strong, fine.splitting, truncation);
    }
    fine.Pt = transpose(fine.P);
}

void Hierarchy::make_product(int fine) {
    const ScopedTimer timer(seconds_.product_seconds);
    const AmgLevel& from = level(fine);
    CsrMatrix& coarse = levels_[static_cast<std::size_t>(fine) + 1].A;
    coarse = galerkin_product(from.Pt, matrix(fine), from.P);
    anchor_null_rows(coarse, matrix(fine), from.Pt);
}

void Hierarchy::update(CsrView A) {
    A_ = A;
    seconds_ = {};
    find_radius(0);
    for (int k = 0; k + 1 < count(); ++k) {
        interpolate(levels_[static_cast<std::size_t>(k)], matrix(k));
        make_product(k);
        find_radius(k + 1);
    }
}

void Hierarchy::forget_numbers() {
    A_ = {};
    for (AmgLevel& level : levels_) {
        for (CsrMatrix* matrix : {&level.A, &level.P, &level.Pt}) *matrix = CsrMatrix{};
    }
}

}  // namespace glsolve::inline v0_1
