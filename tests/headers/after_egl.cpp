// As programs on EGL have them, which includes Xlib for its native types.
#include <EGL/egl.h>
#include <EGL/eglext.h>
#if __has_include(<GLES3/gl32.h>)
#include <GLES3/gl32.h>
#endif

#include "headers/facts.hpp"

namespace headers_test {

Facts after_egl() { return facts(); }

}  // namespace headers_test
