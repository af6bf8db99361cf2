#include "multigrid/level_setup.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "amg/check_amg.hpp"
#include "base/scoped_timer.hpp"
#include "multigrid/host_rows.hpp"
#include "multigrid/power_method.hpp"
#include "multigrid/rows_transfer.hpp"
#include "smoothers/polynomial.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// Does single precision hold what takes numbers to S^-1 x?
bool has_reciprocals(std::span<const double> scale) {
    return std::ranges::all_of(scale, [](double s) { return std::isnormal(static_cast<float>(1 / s)); });
}

}  // namespace

std::optional<DeviceLevels> LevelSetup::make(std::string& why) {
    const auto is_made = [&] {
        {
            const ScopedTimer timer(made_.report.upload_seconds);
            if (!has_reciprocals(here_->scale) || !take_finest())
                return give_up("single precision does not hold the numbers, or their scales");
        }
        of_finest_.emplace(backend_, A_.rows, "1 / diagonal");
        d_ = &*of_finest_;
        for (;;) {
            if (!look()) return give_up("passes make levels of matrices with a positive diagonal");
            made_.add(*here_, is_finest() ? A_.nonzeros() : nonzeros(), "csr");
            const bool is_small = !is_finest() && here_->size <= coarsest_;
            if (is_small && is_inverted()) return true;
            if (!why_.empty()) return false;
            if (is_last() || !coarsen(4.0 / 3.0 / smooth())) break;
        }
        // Coarsening gets no further: the level may still be small enough.
        const bool may_do = !is_finest() && here_->size > coarsest_ && here_->size <= largest_of_last;
        return (why_.empty() && may_do && is_inverted())
               || give_up(is_last() ? "the number of levels is limited"
                                    : "too few unknowns are coupled strongly, or the coarsest matrix is singular");
    }();
    if (!is_made) {
        why = why_;
        return {};
    }
    made_.report.set_up = MultigridSetup::device;
    return std::move(made_);
}

bool LevelSetup::look() {
    const ScopedTimer timer(made_.report.strength_seconds);
    known_ = look(*d_);
    return known_.has_positive_diagonal();
}

bool LevelSetup::is_inverted() {
    const ScopedTimer timer(made_.report.coarse_seconds);
    made_.inverse = inverse_of(download_rows(rows_));
    return why_.empty() && made_.inverse.condition < worst_condition;
}

double LevelSetup::threshold() const {
    const double finest = options_.strength < 0 ? usual_strength_of_aggregates : options_.strength;
    return std::ldexp(finest, 1 - static_cast<int>(made_.levels.size()));
}

/// Returns the bound of the spectral radius.
double LevelSetup::smooth() {
    const ScopedTimer timer(made_.report.strength_seconds);
    const double radius = spectral_radius(*here_, known_.bound);
    const ChebyshevOptions part = smoothed_part(radius);
    made_.levels.back().smoother =
        std::make_unique<Polynomial>(*here_, part.smallest, std::min(part.largest, known_.bound));
    return radius;
}

void LevelSetup::go_on(DeviceRows P, DeviceRows Pt, Offset nonzeros_of_P, DeviceRows A_c, bool has_row_sums) {
    made_.report.levels.back().transfer_nonzeros = nonzeros_of_P;
    auto transfer = std::make_unique<RowsTransfer>(*here_, std::move(P), std::move(Pt));
    if (!has_row_sums) put_row_sums(A_c.at, transfer->row_sums());
    made_.levels.back().transfer = std::move(transfer);
    rows_ = A_c.at;
    parts_ = std::move(A_c.parts);
    DeviceSystem& next = *made_.coarse.emplace_back(std::make_unique<DeviceSystem>());
    next.diagonal = std::make_unique<Diagonal>(backend_, rows_.rows);
    next.matrix = rows_matrix(A_c);
    here_ = &next.assemble(backend_, rows_.rows);
    d_ = &next.diagonal->numbers();
}

}  // namespace glsolve::inline v0_1
