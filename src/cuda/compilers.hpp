/// The compiler in processes of its own. NVRTC lets the threads of one process wait for each other for half of the time
/// (docs/measurements/starting-2026-11-30.md).
#pragma once

#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/child_process.hpp"
#include "cuda/compile.hpp"

namespace glsolve::inline v0_1::cuda {

class Compilers {
  public:
    /// `program`: DeviceOptions::compiler_program; empty: this process compiles.
    explicit Compilers(const Compiler& compiler, std::string program = {})
        : compiler_(compiler), program_(std::move(program)) {}

    const Compiler& compiler() const { return compiler_; }
    /// In a process that is free, or in a new one; in this one where none can be had. May be called in several threads.
    Compiled compile(const std::string& text, int architecture);
    /// Those that have compiled, and are free.
    int processes();

  private:
    std::unique_ptr<ChildProcess> take();

    const Compiler& compiler_;
    const std::string program_;
    std::mutex mutex_;  // of what follows
    std::vector<std::unique_ptr<ChildProcess>> free_;
    bool is_usable_ = true;  // no process has failed
};

}  // namespace glsolve::inline v0_1::cuda
