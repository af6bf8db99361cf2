/// A device of CUDA's, its primary context, and the stream that all of our work is in.
#pragma once

#include <cstdint>
#include <glsolve/error.hpp>
#include <string>
#include <vector>

#include "cuda/driver.hpp"

namespace glsolve::inline v0_1::cuda {

/// What can be known of a device without opening it.
struct FoundDevice {
    CUdevice device = 0;
    std::string name = {}, pci_address = {};  ///< "0000:3b:00.0"
    std::int64_t memory_bytes = 0;
    int architecture = 0;  ///< 10 times the compute capability
};

/// All of them, in CUDA's order. Throws NoDevice where there is no driver, or none of its devices can be used.
std::vector<FoundDevice> find_devices(const Driver& driver);

class Memory;

/// Work is done between acquire and release, which may nest: the thread's own CUDA context is back afterwards.
class Context {
  public:
    /// Throws NoDevice where the device cannot be opened.
    Context(const Driver& driver, const FoundDevice& device);
    ~Context();
    Context(const Context&) = delete;
    Context& operator=(const Context&) = delete;

    const Driver& driver() const { return driver_; }
    CUstream stream() const { return stream_; }
    int architecture() const { return device_.architecture; }
    const FoundDevice& device() const { return device_; }

    /// Throws DeviceError where the context cannot be made current.
    void acquire() {
        if (depth_ == 0) driver_.check(driver_.CtxPushCurrent(context_), "making the context current");
        ++depth_;
    }
    void release() noexcept {
        if (--depth_ > 0) return;
        CUcontext mine = nullptr;
        driver_.CtxPopCurrent(&mine);
    }
    /// Waits for all work.
    void synchronize() { driver_.check(driver_.StreamSynchronize(stream_), "waiting for the device"); }

    /// All that keep spare pieces of this device's memory. Who runs short asks each to trim.
    std::vector<Memory*>& memories() { return memories_; }

  private:
    const Driver& driver_;
    FoundDevice device_;
    CUcontext context_ = nullptr;
    CUstream stream_ = nullptr;
    int depth_ = 0;
    std::vector<Memory*> memories_;
};

/// Keeps a context current while it lives.
class Current {
  public:
    explicit Current(Context& context) : context_(context) { context_.acquire(); }
    ~Current() { context_.release(); }
    Current(const Current&) = delete;
    Current& operator=(const Current&) = delete;

  private:
    Context& context_;
};

/// The same for destructors, which cannot throw: where it cannot be made current, what they call fails.
class CurrentIfPossible {
  public:
    explicit CurrentIfPossible(Context& context) noexcept : context_(context) {
        try {
            context_.acquire();
            acquired_ = true;
        } catch (const Error&) {
        }
    }
    ~CurrentIfPossible() {
        if (acquired_) context_.release();
    }
    CurrentIfPossible(const CurrentIfPossible&) = delete;
    CurrentIfPossible& operator=(const CurrentIfPossible&) = delete;

  private:
    Context& context_;
    bool acquired_ = false;
};

}  // namespace glsolve::inline v0_1::cuda
