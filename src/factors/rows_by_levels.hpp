/// The numeric phase goes through the rows by levels, those of a level in parallel.
#pragma once

#include <optional>
#include <vector>

#include "base/parallel.hpp"
#include "factors/pattern.hpp"
#include "factors/shifts.hpp"

namespace glsolve::inline v0_1 {

/// Calls make_row(workspace, i), which returns an optional UnsafePivot, for all rows level after level; ends with the
/// first level that has an unsafe pivot, and returns the one of its first row. Each thread has a copy of `workspace`.
/// What rows are made of does not depend on the threads, so that the bits are those of one thread.
template <class Workspace, class MakeRow>
std::optional<UnsafePivot> rows_by_levels(const FactorPattern& pattern, const Workspace& workspace,
                                          const MakeRow& make_row) {
    const Levels& levels = pattern.levels;
    const Offset grain = pattern.grain();
    const auto ranges = static_cast<std::size_t>(parallel_ranges(levels.widest(), grain));
    std::vector<Workspace> work(ranges, workspace);
    std::vector<std::optional<UnsafePivot>> unsafe(ranges);
    for (Index level = 0; level < levels.count; ++level) {
        const Index* const rows = levels.order.data() + levels.begin.data()[level];
        const Index count = levels.begin.data()[level + 1] - levels.begin.data()[level];
        parallel_for(count, grain, [&](int range, Offset begin, Offset end) {
            const auto r = static_cast<std::size_t>(range);
            for (Offset k = begin; k < end && !unsafe[r]; ++k) unsafe[r] = make_row(work[r], rows[k]);
        });
        for (const std::optional<UnsafePivot>& each : unsafe) {
            if (each) return each;
        }
    }
    return std::nullopt;
}

}  // namespace glsolve::inline v0_1
