/// Work of the host that is divided among its cores.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <glsolve/csr.hpp>
#include <glsolve/export.hpp>
#include <numeric>
#include <vector>

namespace glsolve::inline v0_1 {

/// Cores that this process may use, at most 64.
int usable_cores();

inline constexpr int most_threads = 64;

/// As long as it lives, the work that its thread divides goes to so many threads; 0 changes nothing. Without one it
/// goes to as many as there are cores.
class GLSOLVE_API ThreadLimit {
  public:
    explicit ThreadLimit(int threads);
    ~ThreadLimit();
    ThreadLimit(const ThreadLimit&) = delete;
    ThreadLimit& operator=(const ThreadLimit&) = delete;

  private:
    int before_;
};

/// How many threads `parallel_for` uses at most.
int threads_in_use();

/// How many ranges `parallel_for` makes of so many items: one for each thread, but none with fewer than `grain` items.
int parallel_ranges(Offset count, Offset grain);

/// Calls work(range, begin, end) for consecutive ranges of 0 ... count - 1, each in a thread of its own (the first in
/// the caller's; within another such call, or while another thread makes one, all of them there), and returns when all
/// are done. The ranges are the same each time: what one call leaves for range k, the next finds there. If `work`
/// throws, one of the exceptions is thrown again when all are done.
void parallel_for(Offset count, Offset grain, const std::function<void(int range, Offset begin, Offset end)>& work);

inline constexpr Offset usual_grain = 1 << 15;  ///< numbers: below, a thread takes longer to wake than to work
/// The rows that have so many numbers, for work that looks at each of them.
inline Offset row_grain(Offset rows, Offset numbers) {
    return usual_grain * rows / std::max({rows, numbers, Offset{1}});
}
inline Offset row_grain(CsrView A) { return row_grain(A.rows, A.nonzeros()); }

/// Copies so many bytes.
void parallel_copy(void* to, const void* from, std::size_t bytes);

/// Calls f(i) for i = 0 ... count - 1.
template <class Function>
void parallel_each(std::size_t count, Offset grain, const Function& f) {
    parallel_for(static_cast<Offset>(count), grain, [&](int, Offset begin, Offset end) {
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) f(i);
    });
}
template <class Function>
void parallel_each(std::size_t count, const Function& f) {
    parallel_each(count, usual_grain, f);
}
/// For each row of A, whose numbers f(i) looks at.
template <class Function>
void parallel_rows(CsrView A, const Function& f) {
    parallel_each(static_cast<std::size_t>(A.rows), row_grain(A), f);
}

/// What make(begin, end) is for each of at least one part of 0 ... count - 1, in their order. The parts have `grain`
/// items or more and are the same for any number of threads, so sums over them have the same bits.
template <class Make>
auto parallel_parts(Offset count, Offset grain, const Make& make) {
    const Offset most = most_threads;
    const Offset number = std::clamp<Offset>(count / std::max<Offset>(grain, 1), 1, most);
    const auto first = [&](Offset part) { return count / number * part + count % number * part / number; };
    std::vector<decltype(make(count, count))> parts(static_cast<std::size_t>(number));
    parallel_for(number, 1, [&](int, Offset begin, Offset end) {
        for (Offset k = begin; k < end; ++k) parts[static_cast<std::size_t>(k)] = make(first(k), first(k + 1));
    });
    return parts;
}

/// The sum over parts of what sum(begin, end) is for each.
template <class Sum>
double parallel_sum_of_ranges(Offset count, Offset grain, const Sum& sum) {
    const std::vector<double> sums = parallel_parts(count, grain, sum);
    return std::accumulate(sums.begin(), sums.end(), 0.0);
}

/// The sum of element(i) for i = 0 ... count - 1: of each part first, then of their sums.
template <class Element>
double parallel_sum(std::size_t count, Offset grain, const Element& element) {
    return parallel_sum_of_ranges(static_cast<Offset>(count), grain, [&](Offset begin, Offset end) {
        double sum = 0;
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) sum += element(i);
        return sum;
    });
}
template <class Element>
double parallel_sum(std::size_t count, const Element& element) {
    return parallel_sum(count, usual_grain, element);
}

/// The largest element(i) for i = 0 ... count - 1; 0 where none is larger.
template <class Element>
double parallel_max(std::size_t count, Offset grain, const Element& element) {
    const auto most = parallel_parts(static_cast<Offset>(count), grain, [&](Offset begin, Offset end) {
        double largest = 0;
        for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i) {
            largest = std::max(largest, element(i));
        }
        return largest;
    });
    return *std::max_element(most.begin(), most.end());
}
template <class Element>
double parallel_max(std::size_t count, const Element& element) {
    return parallel_max(count, usual_grain, element);
}

/// Is is_one(i) true for any i = 0 ... count - 1? No part looks farther than to its first.
template <class Predicate>
bool parallel_any(std::size_t count, const Predicate& is_one) {
    const auto found = parallel_parts(static_cast<Offset>(count), usual_grain, [&](Offset begin, Offset end) {
        auto i = static_cast<std::size_t>(begin);
        while (i < static_cast<std::size_t>(end) && !is_one(i)) ++i;
        return std::uint8_t{i < static_cast<std::size_t>(end)};  // not a bool, eight of which would share a byte
    });
    return std::ranges::any_of(found, [](std::uint8_t one) { return one != 0; });
}

}  // namespace glsolve::inline v0_1
