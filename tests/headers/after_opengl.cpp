// As programs on GLX have them, which includes Xlib; with what GLFW adds for it.
// clang-format off
#define GL_GLEXT_PROTOTYPES
#include <GL/gl.h>
#include <GL/glext.h>
#include <GL/glx.h>
#include <GL/glxext.h>
#if __has_include(<GLFW/glfw3native.h>) && __has_include(<X11/extensions/Xrandr.h>)
#define GLFW_EXPOSE_NATIVE_X11
#define GLFW_EXPOSE_NATIVE_GLX
#include <GLFW/glfw3.h>
#include <GLFW/glfw3native.h>
#endif
// clang-format on

#include "headers/facts.hpp"

namespace headers_test {

Facts after_opengl() { return facts(); }

}  // namespace headers_test
