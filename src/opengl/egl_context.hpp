#pragma once

#include <memory>

#include "opengl/context.hpp"

namespace glsolve::inline v0_1::opengl {

enum class EglPlatform { device, surfaceless };

/// A context without a window. Throws NoDevice with EGL's reason.
std::unique_ptr<Context> open_egl_context(EglPlatform platform, bool debug);

/// What identifies the native context that is current on this thread; null when there is none.
void* current_egl_context();

}  // namespace glsolve::inline v0_1::opengl
