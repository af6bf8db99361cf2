/// Programs of the passes, compiled on first use.
#pragma once

#include <array>
#include <map>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "device/backend.hpp"
#include "kernels/argument_words.hpp"
#include "kernels/geometry.hpp"
#include "kernels/shader_source.hpp"
#include "opengl/objects.hpp"
#include "opengl/program_binaries.hpp"

namespace glsolve::inline v0_1::opengl {

/// A linked program and where its arguments go. What was set last is remembered: uniforms belong to the program.
struct PassProgram {
    Program program;
    GLint words = -1, table = -1;
    ArgumentWords at;             ///< where each begins in the words
    std::vector<Shader> shaders;  ///< until somebody has asked whether they compile and link
    std::string key;              ///< to keep it by; empty: it is kept, or need not be
    bool is_finished = false;

    struct Arguments {
        std::array<std::int32_t, ArgumentWords::most> words{};
        std::vector<float> table;
    } last;
    bool fresh = true;

    /// Hands over what has changed. The program is in use.
    void set(const Functions& gl, const Arguments& now);
};

class ProgramCache {
  public:
    /// `compiling`: of the time that the host waits for the compiler.
    ProgramCache(const Functions& gl, const Features& features, ProgramBinaries kept, HostClock& compiling)
        : gl_(gl), features_(features), kept_(std::move(kept)), compiling_(compiling) {}

    /// The program of a call over `domain`. Throws InvalidInput for text of the caller's.
    /// Throws DeviceError with the pass, the file and the compiler's message.
    PassProgram& get(const PassCall& call, const PassRow& row, const ShaderVariant& variant, Stage stage, Extent domain,
                     const ImageFormats& formats);

    /// The same as `get`, but nobody asks yet whether it compiles: the driver may be at it while the next one is begun.
    PassProgram& begin(const PassCall& call, const PassRow& row, const ShaderVariant& variant, Stage stage,
                       Extent domain, const ImageFormats& formats);

  private:
    PassProgram make(const PassCall& call, const PassRow& row, const ShaderVariant& variant, Stage stage, Extent domain,
                     const ImageFormats& formats) const;
    PassProgram build(const PassRow& row, const ShaderVariant& variant, Stage stage, const Dialect& of_call) const;
    Shader compile(GLenum type, const std::string& source) const;
    void check(const Shader& shader, const PassRow& row) const;
    bool is_fine(PassProgram program, const PassRow& row);
    void finish(PassProgram& program, const PassRow& row);
    void find_uniforms(PassProgram& program, const PassRow& row) const;

    const Functions& gl_;
    const Features& features_;
    ProgramBinaries kept_;
    HostClock& compiling_;
    // By pass, variant, stage, formats, invocations of a group, repeats, at once.
    std::map<std::tuple<PassId, std::uint32_t, Stage, ImageFormats, WorkGroup, bool>, PassProgram> programs_;
};

}  // namespace glsolve::inline v0_1::opengl
