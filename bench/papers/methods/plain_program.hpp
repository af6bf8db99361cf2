/// Plain CUDA C++, compiled when it is needed: kernels as papers print them, or as one writes them by hand, for
/// comparison. The library's own passes are no such programs (cuda/program_text.hpp).
#pragma once

#include <array>
#include <glsolve/error.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "cuda/context.hpp"

namespace glsolve::inline v0_1::cuda {

/// Its kernels, on one device.
class PlainProgram {
  public:
    /// `name` stands in messages. Throws DeviceError with the compiler's words where it refuses the text.
    PlainProgram(Context& context, const Compiler& compiler, const std::string& text, std::string_view name);
    ~PlainProgram();
    PlainProgram(const PlainProgram&) = delete;
    PlainProgram& operator=(const PlainProgram&) = delete;

    CUfunction kernel(const char* name) const;

  private:
    Context& context_;
    CUmodule module_ = nullptr;
};

/// Queues a kernel in the context's stream, or in another one. The arguments must have the very types of the kernel's.
template <class... Arguments>
void launch(Context& context, CUfunction kernel, std::array<unsigned, 2> grid, std::array<unsigned, 2> block,
            Arguments... arguments) {
    const Current current(context);
    void* pointers[] = {&arguments...};
    context.driver().check(context.driver().LaunchKernel(kernel, grid[0], grid[1], 1, block[0], block[1], 1, 0,
                                                         context.stream(), pointers, nullptr),
                           "launching a kernel");
}

/// Numbers in the device's memory.
template <class Number>
class DeviceArray {
  public:
    DeviceArray(Context& context, std::size_t count) : context_(&context), count_(count) {
        const Current current(context);
        context.driver().check(context.driver().MemAlloc(&memory_, (count > 0 ? count : 1) * sizeof(Number)),
                               "allocating memory");
    }
    DeviceArray(Context& context, const std::vector<Number>& numbers) : DeviceArray(context, numbers.size()) {
        upload(numbers);
    }
    ~DeviceArray() {
        if (context_ == nullptr) return;
        const CurrentIfPossible current(*context_);
        context_->driver().MemFree(memory_);
    }
    DeviceArray(DeviceArray&& other) noexcept : context_(other.context_), count_(other.count_), memory_(other.memory_) {
        other.context_ = nullptr;
    }
    DeviceArray& operator=(DeviceArray&&) = delete;

    CUdeviceptr at() const { return memory_; }
    /// As many as there are places.
    void upload(const std::vector<Number>& numbers) {
        if (numbers.size() != count_) throw InvalidInput("an array of another size");
        const Current current(*context_);
        context_->driver().check(
            context_->driver().MemcpyHtoDAsync(memory_, numbers.data(), count_ * sizeof(Number), context_->stream()),
            "sending numbers");
        context_->synchronize();
    }
    std::vector<Number> download() const {
        std::vector<Number> numbers(count_);
        const Current current(*context_);
        context_->driver().check(
            context_->driver().MemcpyDtoHAsync(numbers.data(), memory_, count_ * sizeof(Number), context_->stream()),
            "fetching numbers");
        context_->synchronize();
        return numbers;
    }

  private:
    Context* context_;
    std::size_t count_;
    CUdeviceptr memory_ = 0;
};

}  // namespace glsolve::inline v0_1::cuda
