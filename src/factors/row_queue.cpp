#include "factors/rows_by_levels.hpp"

#include <algorithm>
#include <thread>

#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {

// Operations: for each entry of L in row i, one row of U is read.
RowQueue::RowQueue(const FactorPattern& pattern)
    : pattern_(pattern), rows_(pattern.rows()), stopped_at_(pattern.rows()) {
    constexpr double worth_a_thread = 1 << 16, worth_a_turn = 1 << 10;  // operations; of rows handed out together
    constexpr int rows_of_a_level = 2;                                  // for each thread: with fewer, threads wait
    const double n = std::max<double>(pattern.rows(), 1);
    const double of_row = (static_cast<double>(pattern.lower.column.size()) / n + 1)
                          * (static_cast<double>(pattern.upper.column.size()) / n + 1);
    const double width = n / std::max<double>(pattern.levels.count, 1);
    const double useful = std::min(n * of_row / worth_a_thread, width / rows_of_a_level);
    threads_ = parallel_ranges(static_cast<Offset>(useful), 1);
    at_once_ = std::max(Offset{1}, static_cast<Offset>(std::min(worth_a_turn / of_row, width / (2 * threads_))));
    if (threads_ > 1) done_ = std::vector<std::atomic<bool>>(static_cast<std::size_t>(rows_));
}

bool RowQueue::wait_for_rows_of(Offset place) const {
    constexpr int patience = 200;  // looks; then another thread may have the core
    const Index i = pattern_.levels.order.data()[place];
    const Offset* const l = pattern_.lower.offsets.data();
    for (Offset e = l[i]; e < l[i + 1]; ++e) {
        const std::atomic<bool>& done = done_[static_cast<std::size_t>(pattern_.lower.column.data()[e])];
        for (int looks = 0; !done.load(std::memory_order_acquire); ++looks) {
            if (stopped_at_.load(std::memory_order_relaxed) < place) return false;
            if (looks > patience) std::this_thread::yield();
        }
    }
    return true;
}

void RowQueue::stop_at(Offset place) {
    Offset first = stopped_at_.load();
    while (place < first && !stopped_at_.compare_exchange_weak(first, place)) {
    }
}

Offset RowQueue::work(const std::function<bool(Index i)>& make_row) {
    const Index* const order = pattern_.levels.order.data();
    for (;;) {
        const Offset begin = next_.fetch_add(at_once_), end = std::min(begin + at_once_, rows_);
        for (Offset place = begin; place < end; ++place) {
            if (stopped_at_.load(std::memory_order_relaxed) < place) return rows_;
            if (!done_.empty() && !wait_for_rows_of(place)) return rows_;
            const Index i = order[place];
            if (!make_row(i)) {
                stop_at(place);
                return place;
            }
            if (!done_.empty()) done_[static_cast<std::size_t>(i)].store(true, std::memory_order_release);
        }
        if (end >= rows_) return rows_;
    }
}

}  // namespace glsolve::inline v0_1
