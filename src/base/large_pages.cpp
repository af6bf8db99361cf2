#include "base/large_pages.hpp"

#ifdef __linux__
#include <sys/mman.h>
#endif
#include <cstdint>

namespace glsolve::inline v0_1 {

void ask_for_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
    // Advice is for whole small pages, and those at either end may be somebody else's, too.
    constexpr std::uintptr_t small_page = 4096;
    const auto address = reinterpret_cast<std::uintptr_t>(memory);
    const std::uintptr_t first = (address + small_page - 1) / small_page * small_page;
    const std::uintptr_t end = (address + bytes) / small_page * small_page;
    if (end < first + large_page) return;
    static_cast<void>(madvise(reinterpret_cast<void*>(first), end - first, MADV_HUGEPAGE));
#endif
}

}  // namespace glsolve::inline v0_1
