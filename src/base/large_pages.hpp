/// Memory of large arrays on the host in pages of 2 MB: pages of 4 KB take up to 10 us each when they are touched
/// first, longer than to fill them.
#pragma once

#include <cstddef>
#include <vector>

namespace glsolve::inline v0_1 {

inline constexpr std::size_t large_page = std::size_t{1} << 21;  // bytes

/// Asks the system for such pages, where so many bytes have room for one; it may have none. Before they are touched.
void ask_for_large_pages(void* memory, std::size_t bytes);

/// Writes to each page of memory that holds nothing yet, on all cores: to hand out pages takes longer than to fill
/// them.
void touch_pages(void* memory, std::size_t bytes);

/// Space for so many numbers in all. Best before the work is divided: what other threads allocate stands in heaps of
/// their own, which shrink with each array that goes.
template <class Number>
void reserve(std::vector<Number>& numbers, std::size_t count) {
    if (count <= numbers.capacity()) return;
    numbers.reserve(count);
    ask_for_large_pages(numbers.data(), count * sizeof(Number));
}

/// The same for numbers that all will be there.
template <class Number>
void make_room(std::vector<Number>& numbers, std::size_t count) {
    if (count <= numbers.capacity()) return;
    reserve(numbers, count);
    touch_pages(numbers.data() + numbers.size(), (count - numbers.size()) * sizeof(Number));
}

/// So many numbers, all the same.
template <class Number>
std::vector<Number> filled(std::size_t count, Number number) {
    std::vector<Number> numbers;
    make_room(numbers, count);
    numbers.assign(count, number);
    return numbers;
}

}  // namespace glsolve::inline v0_1
