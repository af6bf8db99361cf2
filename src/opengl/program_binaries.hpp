/// Linked programs that are kept on disk (OpenGL 4.1, ARB_get_program_binary).
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/disk_cache.hpp"
#include "opengl/functions.hpp"

namespace glsolve::inline v0_1::opengl {

class ProgramBinaries {
  public:
    /// `folder`: DeviceOptions::program_cache; empty, or a driver without binaries: nothing is kept. The context is
    /// current.
    ProgramBinaries(const Functions& gl, const Features& features, std::string_view folder,
                    const std::function<void(const std::string&)>& warn);

    /// Of a program with these shaders by this driver: stage and text of each. Empty: nothing is kept.
    std::string key_of(std::span<const std::pair<GLenum, std::string>> sources) const;
    /// Links the program from what was kept. False: nothing was, or the driver does not take it any more; then it
    /// will be linked from shaders, and may be kept.
    bool load(GLuint program, const std::string& key) const;
    /// A linked program.
    void keep(GLuint program, const std::string& key);

  private:
    const Functions* gl_;
    DiskCache disk_;
    std::string driver_;  // empty: nothing is kept
};

}  // namespace glsolve::inline v0_1::opengl
