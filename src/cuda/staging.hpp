/// What goes to the device passes through page-locked memory: the copy is made while the host goes on.
#pragma once

#include <cstddef>
#include <deque>
#include <functional>

#include "cuda/context.hpp"
#include "cuda/page_locked.hpp"

namespace glsolve::inline v0_1::cuda {

class Staging {
  public:
    explicit Staging(Context& context) : context_(context) {}
    ~Staging();
    Staging(const Staging&) = delete;
    Staging& operator=(const Staging&) = delete;

    /// `fill` writes all of `bytes` in place, once; they are copied to `to`. Waits where all of this memory is still
    /// being copied from.
    void upload(CUdeviceptr to, std::size_t bytes, const std::function<void(void*)>& fill);
    /// The same of bytes that are there, piece by piece: they are the caller's again when it returns.
    void upload(CUdeviceptr to, std::size_t bytes, const void* from);
    /// Gives the memory back.
    void trim();

  private:
    PageLocked& free_slot(std::size_t bytes);

    Context& context_;
    std::deque<PageLocked> slots_;
};

}  // namespace glsolve::inline v0_1::cuda
