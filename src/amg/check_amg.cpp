#include "amg/check_amg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>

#include "options/option_table.hpp"

namespace glsolve::inline v0_1 {

void check_amg(const AmgOptions& o, Index rows) {
    check_ranges(o);
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
