/// Rows that need other rows, made by several threads.
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "factors/pattern.hpp"

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

}  // namespace glsolve::inline v0_1
