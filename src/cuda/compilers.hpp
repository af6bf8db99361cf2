/// The compiler in processes of its own. NVRTC lets the threads of one process wait for each other for half of the time
/// (docs/measurements/starting-2026-11-30.md).
#pragma once

#include <memory>
#include <mutex>
#include <semaphore>
#include <string>
#include <vector>

#include "base/child_process.hpp"
#include "cuda/compile.hpp"

namespace glsolve::inline v0_1::cuda {

class Compilers {
  public:
    /// `program`: DeviceOptions::compiler_program; empty: this process compiles.
    explicit Compilers(const Compiler& compiler, std::string program = {});

    const Compiler& compiler() const { return compiler_; }
    /// In a process that is free, or in a new one; in this one where none can be had. They end when nothing is left to
    /// be compiled. May be called in several threads, of which sixteen at most compile at a time.
    Compiled compile(const std::string& text, int architecture);
    /// How many programs processes have compiled.
    int compiled_by_processes();

  private:
    using Processes = std::vector<std::unique_ptr<ChildProcess>>;

    std::unique_ptr<ChildProcess> take();
    void give_back(std::unique_ptr<ChildProcess> process);

    const Compiler& compiler_;
    const std::string program_;
    std::counting_semaphore<> threads_;
    std::mutex mutex_;  // of what follows
    Processes free_;
    int under_way_ = 0, compiled_ = 0;
    bool is_usable_ = true;  // no process has failed
};

}  // namespace glsolve::inline v0_1::cuda
