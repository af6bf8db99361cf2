/// The device's memory, in pieces that are used again: what is given back waits for who needs as much.
#pragma once

#include <cstdint>
#include <map>
#include <string_view>

#include "cuda/context.hpp"

namespace glsolve::inline v0_1::cuda {

class Memory {
  public:
    explicit Memory(Context& context) : context_(context) {}
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    /// Zeros. Throws DeviceError, with the label, when memory is short: spare pieces have been given up by then.
    CUdeviceptr make(std::int64_t bytes, std::string_view label);
    void give_back(CUdeviceptr piece, std::int64_t bytes) { spare_.emplace(bytes, piece); }
    /// Gives spare pieces back to the device.
    void trim();

    std::uint64_t allocations() const { return allocations_; }
    std::int64_t bytes() const { return bytes_; }

  private:
    Context& context_;
    std::multimap<std::int64_t, CUdeviceptr> spare_;
    std::uint64_t allocations_ = 0;
    std::int64_t bytes_ = 0;
};

}  // namespace glsolve::inline v0_1::cuda
