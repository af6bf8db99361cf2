#pragma once

#include <cstddef>
#include <memory>
#include <span>

namespace glsolve::inline v0_1 {

/// Numbers on the host, not filled yet: pages of large vectors are best touched first by the threads that fill them.
template <class Number>
class HostArray {
  public:
    HostArray() = default;
    explicit HostArray(std::size_t size) : size_(size), numbers_(std::make_unique_for_overwrite<Number[]>(size)) {}

    std::size_t size() const { return size_; }
    std::span<Number> all() const { return {numbers_.get(), size_}; }
    Number& operator[](std::size_t i) const { return numbers_[i]; }

  private:
    std::size_t size_ = 0;
    std::unique_ptr<Number[]> numbers_;
};

}  // namespace glsolve::inline v0_1
