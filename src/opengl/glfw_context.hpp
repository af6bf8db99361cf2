#pragma once

#include <memory>

#include "opengl/context.hpp"

namespace glsolve::inline v0_1::opengl {

/// A hidden window's context. Throws NoDevice with GLFW's reason (most often: no display).
std::unique_ptr<Context> open_glfw_context(bool debug);

}  // namespace glsolve::inline v0_1::opengl
