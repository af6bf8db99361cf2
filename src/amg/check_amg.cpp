#include "amg/check_amg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>
#include <limits>

#include "base/require_range.hpp"

namespace glsolve::inline v0_1 {

void check_amg(const AmgOptions& o, Index rows) {
    require_range("amg", "steps", o.steps, 0, 16);
    require_range("amg", "levels", o.levels, 1, 64);
    require_range("amg", "coarsest", o.coarsest, 0, largest_inverse);
    require_range("amg", "host_rows", o.host_rows, 0, std::numeric_limits<Index>::max());
    require_range("amg", "most_interpolated", o.most_interpolated, 0, 1 << 16);
    require_range("amg", "near_null_vectors", o.near_null_vectors, 1, 64);
    require_range("amg", "unknowns_a_point", o.unknowns_a_point, 1, 64);
    if (!std::isfinite(o.strength) || o.strength >= 1) {
        throw InvalidInput(fmt::format("amg: strength is {}; it has to be below 1 (negative: chosen)", o.strength));
    }
    if (!(o.truncation >= 0 && o.truncation < 1)) {
        throw InvalidInput(fmt::format("amg: truncation is {}; it has to be at least 0 and below 1", o.truncation));
    }
    if (o.smoother == MultigridSmoother::cf_jacobi && aggregates(o.coarsening)) {
        throw InvalidInput(
            "amg: cf-jacobi smooths C and F unknowns in turn, which aggregation does not know; ruge-stueben, pmis and "
            "falgout do");
    }
    const std::size_t needed =
        static_cast<std::size_t>(std::max(rows, 0)) * static_cast<std::size_t>(o.near_null_vectors);
    if (rows >= 0 && !o.near_null_space.empty() && o.near_null_space.size() != needed) {
        throw InvalidInput(fmt::format("amg: near_null_space holds {} numbers; {} vectors of {} rows have {}",
                                       o.near_null_space.size(), o.near_null_vectors, rows, needed));
    }
    if (!std::all_of(o.near_null_space.begin(), o.near_null_space.end(), [](double v) { return std::isfinite(v); })) {
        throw InvalidInput("amg: near_null_space holds numbers that are not finite");
    }
    if (rows >= 0 && rows % o.unknowns_a_point != 0) {
        throw InvalidInput(
            fmt::format("amg: {} rows are no multiple of {} unknowns a point", rows, o.unknowns_a_point));
    }
}

}  // namespace glsolve::inline v0_1
