#include <cstdio>
#include <glsolve/glsolve.hpp>
#include <vector>

#include "glfw.hpp"

namespace {

bool works(glsolve::Device& device) {
    const glsolve::CsrMatrix A = glsolve::poisson2d(4);
    const std::vector<double> b(16, 1.0);
    std::vector<double> x(16, 0.0);
    return glsolve::solve(device, A, b, x).converged();
}

}  // namespace

int main() {
    if (glfwInit() != 1 || calls_of_bundled_glfw() != 1) {
        std::fputs("the program's GLFW is not the one that it calls\n", stderr);
        return 1;
    }
    bool solved = false;
    try {
        glsolve::Device device = glsolve::Device::open({.backend = glsolve::BackendKind::opengl, .platform = "glfw"});
        std::printf("%s\n", device.info().context.c_str());
        solved = works(device);
    } catch (const glsolve::NoDevice& absent) {
        std::printf("%s\n", absent.what());  // no display, most often
        glsolve::Device device = glsolve::Device::open();
        solved = works(device);
    }
    if (!solved) std::fputs("not solved\n", stderr);
    const int foreign = calls_of_bundled_glfw() - 1;
    if (foreign != 0) std::fprintf(stderr, "the program's GLFW was called %d times by others\n", foreign);
    return solved && foreign == 0 ? 0 : 1;
}
