// GLEW makes macros of all functions beyond OpenGL 1.1.
// clang-format off
#include <GL/glew.h>
#include <GL/glxew.h>
// clang-format on

#include "headers/facts.hpp"

namespace headers_test {

Facts after_glew() { return facts(); }

}  // namespace headers_test
