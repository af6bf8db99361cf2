#include "core/host_array.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace glsolve::inline v0_1 {
namespace {

constexpr std::size_t large_page = std::size_t{1} << 21, smallest_page = 64;

}  // namespace

void* host_memory(std::size_t bytes) {
    const std::size_t alignment = bytes >= large_page ? large_page : smallest_page;
    const std::size_t whole = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
    void* memory = std::aligned_alloc(alignment, whole);
    if (memory == nullptr) throw std::bad_alloc();
    ask_for_large_pages(memory, whole);
    return memory;
}

void ask_for_large_pages([[maybe_unused]] void* memory, [[maybe_unused]] std::size_t bytes) {
#ifdef MADV_HUGEPAGE
    std::size_t left = bytes;
    void* first = memory;
    if (std::align(large_page, large_page, first, left) == nullptr) return;            // no whole one
    static_cast<void>(madvise(first, left / large_page * large_page, MADV_HUGEPAGE));  // it may have none
#endif
}

void FreeHostMemory::operator()(void* memory) const noexcept { std::free(memory); }

}  // namespace glsolve::inline v0_1
