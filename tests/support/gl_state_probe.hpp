/// Reads the OpenGL state that a guest must give back, value by value and by name, through GLEW alone: it shares no
/// code with the guard that it judges.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "opengl/functions.hpp"

namespace gl_state_probe {

/// Values by name, such as "GL_BLEND[1]": the second draw buffer's.
using GlState = std::map<std::string, std::vector<double>>;

/// Has the current context this extension?
bool has_extension(std::string_view name);

/// Reads the state of the current context, whose features they are. Raises no OpenGL error and changes nothing.
GlState probe(const glsolve::opengl::Features& features);

/// One line per value that is not as expected; empty where all are.
std::string differences(const GlState& expected, const GlState& actual);

/// What the baseline is while glsolve works, for a host whose state was `host`.
GlState baseline_for(const GlState& host);

}  // namespace gl_state_probe
