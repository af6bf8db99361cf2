// A hidden GLFW window: the way to a context where there is no EGL. Of GLFW only the header is needed to build.
#include "opengl/glfw_context.hpp"

#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <fmt/format.h>

#include <array>
#include <glsolve/error.hpp>
#include <string>
#include <utility>

#include "base/loaded_library.hpp"

namespace glsolve::inline v0_1::opengl {
namespace {

/// What of GLFW is used. A program may have a GLFW of its own, of another version: the two do not know of each other.
struct Glfw {
    Glfw() {
        const LoadedLibrary library("libglfw.so.3", OwnNames::first);
        library.find(init, "glfwInit");
        library.find(get_error, "glfwGetError");
        library.find(default_window_hints, "glfwDefaultWindowHints");
        library.find(window_hint, "glfwWindowHint");
        library.find(create_window, "glfwCreateWindow");
        library.find(destroy_window, "glfwDestroyWindow");
        library.find(make_context_current, "glfwMakeContextCurrent");
        library.find(get_current_context, "glfwGetCurrentContext");
    }

    decltype(glfwInit)* init;
    decltype(glfwGetError)* get_error;
    decltype(glfwDefaultWindowHints)* default_window_hints;
    decltype(glfwWindowHint)* window_hint;
    decltype(glfwCreateWindow)* create_window;
    decltype(glfwDestroyWindow)* destroy_window;
    decltype(glfwMakeContextCurrent)* make_context_current;
    decltype(glfwGetCurrentContext)* get_current_context;
};

/// Throws NoDevice where there is no GLFW; the next call tries again.
const Glfw& glfw() {
    static const Glfw loaded;
    return loaded;
}

std::string glfw_error() {
    const char* text = nullptr;
    glfw().get_error(&text);
    return text != nullptr ? text : "no reason given";
}

GLFWwindow* create_window(bool debug) {
    constexpr std::array<std::pair<int, int>, 4> versions{{{4, 5}, {4, 3}, {4, 1}, {3, 3}}};
    for (const auto& [major, minor] : versions) {
        glfw().default_window_hints();
        glfw().window_hint(GLFW_VISIBLE, GLFW_FALSE);
        glfw().window_hint(GLFW_CONTEXT_VERSION_MAJOR, major);
        glfw().window_hint(GLFW_CONTEXT_VERSION_MINOR, minor);
        glfw().window_hint(GLFW_OPENGL_PROFILE, GLFW_OPENGL_CORE_PROFILE);
        glfw().window_hint(GLFW_OPENGL_FORWARD_COMPAT, GLFW_TRUE);
        glfw().window_hint(GLFW_OPENGL_DEBUG_CONTEXT, debug ? GLFW_TRUE : GLFW_FALSE);
        if (GLFWwindow* window = glfw().create_window(16, 16, "glsolve", nullptr, nullptr)) return window;
    }
    return nullptr;
}

class GlfwContext final : public Context {
  public:
    explicit GlfwContext(bool debug) {
        if (!glfw().init()) throw NoDevice(fmt::format("GLFW: {}", glfw_error()));
        window_ = create_window(debug);
        if (window_ == nullptr) throw NoDevice(fmt::format("GLFW: no window with OpenGL 3.3 core: {}", glfw_error()));
    }
    // glfwTerminate would close the windows of a host that uses GLFW as well.
    ~GlfwContext() override { glfw().destroy_window(window_); }

    std::string_view description() const override { return "hidden GLFW window"; }
    bool is_current() const override { return glfw().get_current_context() == window_; }

    void make_current() override {
        previous_ = glfw().get_current_context();
        if (previous_ != window_) glfw().make_context_current(window_);
    }
    void restore() noexcept override {
        if (previous_ != window_) glfw().make_context_current(previous_);
    }

  private:
    GLFWwindow* window_ = nullptr;
    GLFWwindow* previous_ = nullptr;
};

}  // namespace

std::unique_ptr<Context> open_glfw_context(bool debug) { return std::make_unique<GlfwContext>(debug); }

}  // namespace glsolve::inline v0_1::opengl
