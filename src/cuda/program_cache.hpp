/// Programs of the passes: compiled on first use, or several at a time, in threads.
#pragma once

#include <deque>
#include <functional>
#include <future>
#include <map>
#include <memory>
#include <string_view>
#include <tuple>

#include "base/disk_cache.hpp"
#include "cuda/compilers.hpp"
#include "cuda/context.hpp"
#include "cuda/program_text.hpp"
#include "device/backend.hpp"

namespace glsolve::inline v0_1::cuda {

/// A program in the device.
struct Program {
    CUmodule module = nullptr;
    CUfunction function = nullptr;
    bool has_table = false;
};

/// What has been compiled.
struct ProgramCounts {
    int compiled = 0;   ///< by NVRTC
    int from_disk = 0;  ///< taken from files
};

class ProgramCache {
  public:
    /// `double_reals`: of all of them. `compiling`: of the time that the host waits for programs.
    ProgramCache(Context& context, std::shared_ptr<Compilers> compilers, bool double_reals, std::string_view folder,
                 const std::function<void(const std::string&)>& warn, HostClock& compiling);
    ~ProgramCache();
    ProgramCache(const ProgramCache&) = delete;
    ProgramCache& operator=(const ProgramCache&) = delete;

    /// The program of a call over `domain`. Throws InvalidInput for text of the caller's, and DeviceError with the
    /// pass, the file and the compiler's message.
    const Program& get(const PassCall& call, const PassRow& row, const ShaderVariant& variant, Extent domain,
                       std::uint32_t half_inputs);
    /// Begins to compile it, in a thread; nobody asks yet whether it can be.
    void begin(const PassCall& call, const PassRow& row, const ShaderVariant& variant, Extent domain,
               std::uint32_t half_inputs);

    ProgramCounts counts() const { return counts_; }

  private:
    /// Code of a program, or what the compiler has said.
    struct Made {
        Compiled compiled;
        std::string key;
        bool from_disk = false;
        bool has_table = false;
    };
    struct Entry {
        std::future<Made> underway;
        Program program;
    };

    Entry& entry(const PassCall& call, const PassRow& row, const ShaderVariant& variant, Extent domain,
                 std::uint32_t half_inputs);
    ProgramText text_of(const PassCall& call, const PassRow& row, const ShaderVariant& variant, const WorkGroup& group,
                        std::uint32_t half_inputs) const;
    Made make(const ProgramText& text);
    /// The compiler has refused a program with text of the caller's: throws InvalidInput if that is to blame.
    /// `with_another`: the same program with a text without mistakes.
    void check_callers_source(const std::string& log, const ProgramText& with_another);
    Program load(Made made, const PassRow& row);

    Context& context_;
    std::shared_ptr<Compilers> compilers_;
    bool double_reals_;
    HostClock& compiling_;
    DiskCache disk_;
    ProgramCounts counts_;
    // By pass, variant, halves, invocations of a group, repeats, at once.
    std::map<std::tuple<PassId, std::uint32_t, std::uint32_t, WorkGroup, bool>, Entry> entries_;
};

}  // namespace glsolve::inline v0_1::cuda
