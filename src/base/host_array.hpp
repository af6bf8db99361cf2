/// Numbers on the host, not filled yet: pages of large vectors are best touched first by the threads that fill them.
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <type_traits>

namespace glsolve::inline v0_1 {

/// Memory for so many bytes, to be freed by `std::free`; nothing is in it. In large pages where there is much of it.
/// Throws std::bad_alloc.
void* host_memory(std::size_t bytes);

struct FreeHostMemory {
    void operator()(void* memory) const noexcept;
};

template <class Number>
class HostArray {
    static_assert(std::is_trivially_copyable_v<Number>);

  public:
    HostArray() = default;
    explicit HostArray(std::size_t size)
        : size_(size), numbers_(static_cast<Number*>(host_memory(size * sizeof(Number)))) {}

    std::size_t size() const { return size_; }
    std::span<Number> all() const { return {numbers_.get(), size_}; }
    Number& operator[](std::size_t i) const { return numbers_.get()[i]; }

  private:
    std::size_t size_ = 0;
    std::unique_ptr<Number, FreeHostMemory> numbers_;
};

}  // namespace glsolve::inline v0_1
