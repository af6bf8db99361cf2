// A hidden GLFW window: the way to a context where there is no EGL.
#include "opengl/glfw_context.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <array>
#include <glsolve/error.hpp>
#include <utility>

namespace glsolve::inline v0_1::opengl {
namespace {

std::string glfw_error() {
    const char* text = nullptr;
    glfwGetError(&text);
    return text != nullptr ? text : "no reason given";
}

GLFWwindow* create_window(bool debug) {
    constexpr std::array<std::pair<int, int>, 4> versions{{{4, 5}, {4, 3}, {4, 1}, {3, 3}}};
    for (const auto& [major, minor] : versions) {
        glfwDefaultWindowHints();
        glfwWindowHint(GLFW_VISIBLE, GLFW_FALSE);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MAJOR, major);
        glfwWindowHint(GLFW_CONTEXT_VERSION_MINOR, minor);
        glfwWindowHint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfwWindowHint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
        glfwWindowHint(GLFW_OPENGL_DEBUG_CONTEXT, debug ? GLFW_TRUE : GLFW_FALSE);
        if (GLFWwindow* window = glfwCreateWindow(16, 16, "glsolve", nullptr, nullptr)) return window;
    }
    return nullptr;
}

class GlfwContext final : public Context {
  public:
    explicit GlfwContext(bool debug) {
        if (!glfwInit()) throw NoDevice(fmt::format("GLFW: {}", glfw_error()));
        window_ = create_window(debug);
        if (window_ == nullptr) throw NoDevice(fmt::format("GLFW: no window with OpenGL 3.3 core: {}", glfw_error()));
    }
    // glfwTerminate would close the windows of a host that uses GLFW as well.
    ~GlfwContext() override { glfwDestroyWindow(window_); }

    std::string_view description() const override { return "hidden GLFW window"; }
    bool is_current() const override { return glfwGetCurrentContext() == window_; }

    void make_current() override {
        previous_ = glfwGetCurrentContext();
        if (previous_ != window_) glfwMakeContextCurrent(window_);
    }
    void restore() noexcept override {
        if (previous_ != window_) glfwMakeContextCurrent(previous_);
    }

  private:
    GLFWwindow* window_ = nullptr;
    GLFWwindow* previous_ = nullptr;
};

}  // namespace

std::unique_ptr<Context> open_glfw_context(bool debug) { return std::make_unique<GlfwContext>(debug); }

}  // namespace glsolve::inline v0_1::opengl
