/// Rows that need other rows, made by several threads.
#pragma once

#include <atomic>
#include <functional>
#include <vector>

#include "factors/pattern.hpp"

namespace glsolve::inline v0_1 {

/// Hands out rows in the order of their levels, a few at a time. A thread waits only where a row needs another one
/// that is still being made; there is no barrier after a level. What has been handed out is made by a thread that runs:
/// the first of the rows that are not done needs none of the others, so that there is always one who goes on.
class RowQueue {
  public:
    /// The pattern must outlive it.
    explicit RowQueue(const FactorPattern& pattern);

    /// So many threads are worth their while, from 1.
    int threads() const { return threads_; }

    /// Takes rows and calls make_row(i) until there are none left, or a thread has stopped. make_row returns whether to
    /// go on. Returns the place, in the order of levels, of the row with which this thread stopped; else the number of
    /// rows. All rows before the first such place are made. Threads stop where make_row throws, too.
    Offset work(const std::function<bool(Index i)>& make_row);

  private:
    /// Those that the row at that place needs. False: none of them will be, since another thread has stopped before it.
    bool wait_for_rows_of(Offset place) const;

    const FactorPattern& pattern_;
    const Offset rows_;
    int threads_ = 1;
    Offset at_once_ = 1;
    std::atomic<Offset> next_ = 0, stopped_at_;
    std::vector<std::atomic<bool>> done_;  // of each row; none where one thread is enough
};

}  // namespace glsolve::inline v0_1
