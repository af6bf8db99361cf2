#include "cuda/memory.hpp"

#include <fmt/format.h>

#include <glsolve/error.hpp>
#include <utility>
#include <vector>

namespace glsolve::inline v0_1::cuda {

Memory::Memory(Context& context, std::function<void()> settle) : context_(context), settle_(std::move(settle)) {
    context_.memories().push_back(this);
}

Memory::~Memory() {
    std::erase(context_.memories(), this);
    const CurrentIfPossible current(context_);
    for (const auto& [bytes, piece] : spare_) context_.driver().MemFree(piece);
}

CUdeviceptr Memory::make(std::int64_t bytes, std::string_view label) {
    settle_();
    const Driver& driver = context_.driver();
    const auto size = static_cast<std::size_t>(bytes);
    CUdeviceptr piece = 0;
    if (auto found = spare_.extract(bytes); !found.empty()) {
        piece = found.mapped();
    } else {
        CUresult result = driver.MemAlloc(&piece, size);
        if (result == out_of_memory) {
            for (Memory* memory : context_.memories()) memory->trim();
            result = driver.MemAlloc(&piece, size);
        }
        if (result != success) {
            throw DeviceError(fmt::format("CUDA: {}: {:.1f} MB could not be allocated beside the {:.1f} MB in use: {}",
                                          label, static_cast<double>(bytes) * 1e-6, static_cast<double>(bytes_) * 1e-6,
                                          driver.words(result)));
        }
        ++allocations_;
        bytes_ += bytes;
    }
    if (const CUresult result = driver.MemsetD32Async(piece, 0, size / 4, context_.stream()); result != success) {
        give_back(piece, bytes);
        driver.check(result, label);
    }
    return piece;
}

void Memory::trim() {
    if (spare_.empty()) return;
    settle_();
    context_.synchronize();
    for (const auto& [bytes, piece] : spare_) {
        context_.driver().MemFree(piece);
        bytes_ -= bytes;
    }
    spare_.clear();
}

}  // namespace glsolve::inline v0_1::cuda
