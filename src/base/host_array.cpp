#include "base/host_array.hpp"

#include <algorithm>
#include <cstdlib>
#include <new>

#include "base/large_pages.hpp"

namespace glsolve::inline v0_1 {

void* host_memory(std::size_t bytes) {
    constexpr std::size_t cache_line = 64;
    const std::size_t alignment = bytes >= large_page ? large_page : cache_line;
    const std::size_t whole = (std::max<std::size_t>(bytes, 1) + alignment - 1) / alignment * alignment;
    void* memory = std::aligned_alloc(alignment, whole);
    if (memory == nullptr) throw std::bad_alloc();
    ask_for_large_pages(memory, whole);
    return memory;
}

void FreeHostMemory::operator()(void* memory) const noexcept { std::free(memory); }

}  // namespace glsolve::inline v0_1
