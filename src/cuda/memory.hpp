/// The device's memory, in pieces that are used again: what is given back waits for who needs as much.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string_view>

#include "cuda/context.hpp"

namespace glsolve::inline v0_1::cuda {

class Memory {
  public:
    /// `settle` is called before memory changes hands: what is queued for who had it must be on its way.
    Memory(Context& context, std::function<void()> settle);
    ~Memory();
    Memory(const Memory&) = delete;
    Memory& operator=(const Memory&) = delete;

    /// Zeros. Throws DeviceError, with the label, when memory is short: all spare pieces on this device, of the
    /// backends in single and in double precision, have been given up by then.
    CUdeviceptr make(std::int64_t bytes, std::string_view label);
    void give_back(CUdeviceptr piece, std::int64_t bytes) { spare_.emplace(bytes, piece); }
    /// Gives spare pieces back to the device.
    void trim();

    std::uint64_t allocations() const { return allocations_; }
    std::int64_t bytes() const { return bytes_; }

  private:
    Context& context_;
    std::function<void()> settle_;
    std::multimap<std::int64_t, CUdeviceptr> spare_;
    std::uint64_t allocations_ = 0;
    std::int64_t bytes_ = 0;
};

}  // namespace glsolve::inline v0_1::cuda
