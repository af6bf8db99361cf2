#include "fuzz/heap.hpp"

#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <new>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define GLSOLVE_ADDRESS_SANITIZER
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define GLSOLVE_ADDRESS_SANITIZER
#endif

namespace {

// Hooks and replaced operators can keep their count nowhere else.
std::atomic<std::int64_t> held{0};
std::atomic<std::int64_t> peak{0};

void count_taken(std::size_t size) {
    const std::int64_t now = held += static_cast<std::int64_t>(size);
    if (now > peak) peak = now;
}

void count_given_back(std::size_t size) { held -= static_cast<std::int64_t>(size); }

}  // namespace

#if defined(GLSOLVE_ADDRESS_SANITIZER)

// Of <sanitizer/allocator_interface.h>, which not every compiler brings along.
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void*, std::size_t),
                                                         void (*on_free)(const volatile void*));
extern "C" std::size_t __sanitizer_get_allocated_size(const volatile void*);

namespace {

// Replaced operators would hide mistakes from the sanitizer, which calls these instead.
void on_malloc(const volatile void*, std::size_t size) { count_taken(size); }
void on_free(const volatile void* block) { count_given_back(__sanitizer_get_allocated_size(block)); }

const int hooks = __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);

}  // namespace

#else

namespace {

/// Stands before each block, which it leaves aligned for every type.
struct alignas(std::max_align_t) BlockHead {
    std::size_t size;
};

}  // namespace

void* operator new(std::size_t size) {
    // NOLINTNEXTLINE(cppcoreguidelines-no-malloc): this is what new is made of here
    void* const memory = size < SIZE_MAX - sizeof(BlockHead) ? std::malloc(sizeof(BlockHead) + size) : nullptr;
    if (!memory) throw std::bad_alloc();
    count_taken(size);
    return new (memory) BlockHead{size} + 1;
}

void operator delete(void* block) noexcept {
    if (!block) return;
    BlockHead* const head = static_cast<BlockHead*>(block) - 1;
    count_given_back(head->size);
    std::free(head);  // NOLINT(cppcoreguidelines-no-malloc)
}

void operator delete(void* block, std::size_t) noexcept { operator delete(block); }

#endif

namespace fuzz {

HeapPeak::HeapPeak() : before_(held) { peak = before_; }

std::int64_t HeapPeak::bytes() const { return peak - before_; }

}  // namespace fuzz
