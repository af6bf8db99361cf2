#include "core/host_array.hpp"

#include <algorithm>
#include <cstdlib>
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
#ifdef MADV_HUGEPAGE
    if (alignment == large_page) static_cast<void>(madvise(memory, whole, MADV_HUGEPAGE));  // it may have none
#endif
    return memory;
}

void FreeHostMemory::operator()(void* memory) const noexcept { std::free(memory); }

}  // namespace glsolve::inline v0_1
