#pragma once

#include <memory>

#include "opengl/context.hpp"

namespace glsolve::inline v0_1::opengl {

inline constexpr const char* egl_library = "libEGL.so.1";  // loaded at run time

enum class EglPlatform { device, surfaceless };

/// A context without a window. `number`: of an EGL device; -1: the first that works. Throws NoDevice with EGL's reason.
std::unique_ptr<Context> open_egl_context(EglPlatform platform, bool debug, int number = -1);

/// How many EGL devices there are. Throws NoDevice where EGL lists none.
int count_egl_devices();

/// EGL's context that is current on this thread; null when there is none.
void* current_egl_context();

}  // namespace glsolve::inline v0_1::opengl
