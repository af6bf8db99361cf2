#include "multigrid/switch_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "amg/check_amg.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Index fewest = 300, most = 2000;
// Of a V cycle with three Chebyshev steps before and after: 5 for these, a residual, a restriction, a prolongation.
constexpr double passes_a_level = 8;

}  // namespace

Index switch_point(double pass_seconds, double bytes_per_second) {
    const double rows = std::sqrt(passes_a_level * pass_seconds * bytes_per_second / 4);
    return static_cast<Index>(std::clamp<double>(rows, fewest, most));
}

SwitchPoint choose_switch_point(const AmgOptions& options, Backend& backend, Index rows) {
    if (options.coarsest > 0)
        return {options.coarsest, fmt::format("at most {} rows were asked for", options.coarsest)};
    if (rows <= fewest) return {fewest, fmt::format("{} rows or fewer have no coarser level", fewest)};
    const StageInfo* measured = backend.measured_stage();
    if (measured == nullptr) {
        return {usual_coarsest, fmt::format("at most {} rows where there is no device to measure", usual_coarsest)};
    }
    const Index chosen = switch_point(measured->pass_seconds, measured->update_bytes_per_second);
    const char* bound = chosen == most ? ", as many as the host is to invert" : chosen == fewest ? ", the fewest" : "";
    return {chosen, fmt::format("at most {} rows{}: a pass takes {:.1f} us here, and {:.1f} GB/s are fetched", chosen,
                                bound, measured->pass_seconds * 1e6, measured->update_bytes_per_second * 1e-9)};
}

}  // namespace glsolve::inline v0_1
