/// The numeric phase: threads make rows at the same time, in the order of their levels.
#pragma once

#include <algorithm>
#include <exception>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "factors/pattern.hpp"
#include "factors/row_queue.hpp"
#include "factors/shifts.hpp"

namespace glsolve::inline v0_1 {

/// Calls make_row(workspace, i), which returns an optional UnsafePivot, for all rows, each after those that it needs:
/// the places of row i of L. Ends with the first row in the order of levels that has an unsafe pivot, which it returns,
/// or that throws. Each thread has a copy of `workspace`. What rows are made of does not depend on the threads, so that
/// the bits are those of one thread.
template <class Workspace, class MakeRow>
std::optional<UnsafePivot> rows_by_levels(const FactorPattern& pattern, const Workspace& workspace,
                                          const MakeRow& make_row) {
    struct End {
        Offset place = std::numeric_limits<Offset>::max();  // of the row with which a thread stopped
        std::optional<UnsafePivot> unsafe = {};
        std::exception_ptr thrown = {};
    };
    RowQueue queue(pattern);
    std::vector<End> ends(static_cast<std::size_t>(queue.threads()));
    parallel_for(queue.threads(), 1, [&](int, Offset begin, Offset end) {
        for (Offset t = begin; t < end; ++t) {
            Workspace work = workspace;
            End own;
            own.place = queue.work([&](Index i) {
                try {
                    own.unsafe = make_row(work, i);
                } catch (...) {
                    own.thrown = std::current_exception();
                }
                return !own.unsafe && !own.thrown;
            });
            ends[static_cast<std::size_t>(t)] = std::move(own);
        }
    });
    const End& first = *std::ranges::min_element(ends, {}, &End::place);
    if (first.thrown) std::rethrow_exception(first.thrown);
    return first.unsafe;
}

}  // namespace glsolve::inline v0_1
