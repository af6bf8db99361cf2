/// The numeric phase: threads make rows at the same time, in the order of their levels.
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include "base/parallel.hpp"
#include "factors/pattern.hpp"
#include "factors/row_queue.hpp"
#include "factors/shifts.hpp"

namespace glsolve::inline v0_1 {

/// Calls make_row(workspace, i), which returns an optional UnsafePivot, for all rows, each after those that it needs:
/// the places of row i of L. Ends with the first unsafe pivot in the order of levels, and returns it. Each thread has a
/// copy of `workspace`. What rows are made of does not depend on the threads, so that the bits are those of one thread.
template <class Workspace, class MakeRow>
std::optional<UnsafePivot> rows_by_levels(const FactorPattern& pattern, const Workspace& workspace,
                                          const MakeRow& make_row) {
    RowQueue queue(pattern);
    const auto threads = static_cast<std::size_t>(queue.threads());
    std::vector<std::optional<UnsafePivot>> unsafe(threads);
    std::vector<Offset> place(threads);
    parallel_for(queue.threads(), 1, [&](int, Offset begin, Offset end) {
        for (auto t = static_cast<std::size_t>(begin); t < static_cast<std::size_t>(end); ++t) {
            Workspace work = workspace;
            place[t] = queue.work([&](Index i) {
                unsafe[t] = make_row(work, i);
                return !unsafe[t];
            });
        }
    });
    return unsafe[static_cast<std::size_t>(std::ranges::min_element(place) - place.begin())];
}

}  // namespace glsolve::inline v0_1
