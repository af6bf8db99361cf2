#include "base/large_pages.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif
#include <cstddef>
#include <cstdint>

#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {

namespace {
constexpr std::size_t small_page = 4096;  // bytes
}

void ask_for_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
    // Advice is for whole small pages, and those at either end may be somebody else's, too.
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t first = (address + small_page - 1) / small_page * small_page;
    const std::uintptr_t end = (address + bytes) / small_page * small_page;
    if (end < first + large_page) return;
    static_cast<void>(madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE));
#endif
}

void touch_pages(void* memory, std::size_t bytes) {
    constexpr Offset grain = 2 * large_page / small_page;
    volatile auto* const first = static_cast<std::byte*>(memory);
    parallel_for(static_cast<Offset>(bytes / small_page), grain, [&](int, Offset begin, Offset end) {
        for (Offset page = begin; page < end; ++page) first[page * Offset{small_page}] = std::byte{0};
    });
}

}  // namespace glsolve::inline v0_1
