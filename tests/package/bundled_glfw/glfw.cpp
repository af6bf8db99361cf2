// The program's GLFW, of another version than the system's: what glsolve uses of the system's is here, too, and counts
// calls. A call of glsolve's, or of the system's GLFW, must not arrive here.
#include "glfw.hpp"

namespace {

int calls = 0;

}  // namespace

int calls_of_bundled_glfw() { return calls; }

// As a linker has them: names without types. Answers do not matter, but would be taken for success.
#define BUNDLED(name)                                              \
    extern "C" __attribute__((visibility("default"))) int name() { \
        ++calls;                                                   \
        return 1;                                                  \
    }

BUNDLED(glfwInit)
BUNDLED(glfwTerminate)
BUNDLED(glfwGetError)
BUNDLED(glfwDefaultWindowHints)
BUNDLED(glfwWindowHint)
BUNDLED(glfwCreateWindow)
BUNDLED(glfwDestroyWindow)
BUNDLED(glfwMakeContextCurrent)
BUNDLED(glfwGetCurrentContext)
