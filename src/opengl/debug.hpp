/// What the driver reports through KHR_debug, in contexts of our own that were opened with `debug`.
#pragma once

#include <string>
#include <string_view>

#include "opengl/functions.hpp"

namespace glsolve::inline v0_1::opengl {

class DebugOutput {
  public:
    /// Throws NoDevice when the context has no KHR_debug.
    DebugOutput(const Functions& gl, const Features& features);
    ~DebugOutput();
    DebugOutput(const DebugOutput&) = delete;
    DebugOutput& operator=(const DebugOutput&) = delete;

    /// Throws DeviceError with the first error reported since the last call; `what` says what was being done.
    void throw_if_error(std::string_view what);
    /// What has been reported is known already.
    void forget() { error_.clear(); }

  private:
    const Functions& gl_;
    std::string error_;
};

}  // namespace glsolve::inline v0_1::opengl
