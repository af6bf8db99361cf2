/// The numeric phase: threads make rows at the same time, in the order of their levels.
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>
#include <functional>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "factors/pattern.hpp"
#include "factors/shifts.hpp"

namespace glsolve::inline v0_1 {

/// Hands out rows in the order of their levels, a few at a time. A thread waits only where a row needs another one that
/// is still being made; there is no barrier after a level. No dead lock: places are handed out in ascending order, and
/// each thread makes its own in that order, so that the thread with the first unfinished place never waits.
class RowQueue {
  public:
    /// The pattern must outlive it.
    explicit RowQueue(const FactorPattern& pattern);

    /// How many threads are worth using, at least 1.
    int threads() const { return threads_; }

    /// Takes rows and calls make_row(i) until there are none left, or a thread has stopped. make_row returns whether to
    /// go on, and does not throw. Returns the place, in the order of levels, of the row with which this thread stopped;
    /// else the number of rows. When all threads have returned, all rows before the first such place are made.
    Offset work(const std::function<bool(Index i)>& make_row);

  private:
    /// For the rows that the one at that place needs. False: a thread has stopped at an earlier place, so that they may
    /// never be made.
    bool wait_for_rows_of(Offset place) const;
    void stop_at(Offset place);

    const FactorPattern& pattern_;
    const Offset rows_;
    int threads_ = 1;
    Offset at_once_ = 1;
    std::atomic<Offset> next_ = 0, stopped_at_;
    std::vector<std::atomic<bool>> done_;  // of each row; empty where one thread is enough
};

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
