#include "opengl/context.hpp"

#include <GL/glew.h>
#include <fmt/format.h>

#include <functional>
#include <glsolve/error.hpp>
#include <string>
#include <utility>
#include <vector>

#include "opengl/glfw_context.hpp"
#if defined(GLSOLVE_HAS_EGL)
#include "opengl/egl_context.hpp"
#endif

namespace glsolve::inline v0_1::opengl {
namespace {

class CurrentContext final : public Context {
  public:
    std::string_view description() const override { return "current"; }
    void make_current() override {}
    void restore() noexcept override {}
    bool is_current() const override { return true; }
};

using Opener = std::function<std::unique_ptr<Context>(bool)>;

const std::vector<std::pair<std::string_view, Opener>>& openers() {
    static const std::vector<std::pair<std::string_view, Opener>> list{
#if defined(GLSOLVE_HAS_EGL)
        {"egl-device", [](bool debug) { return open_egl_context(EglPlatform::device, debug); }},
        {"egl-surfaceless", [](bool debug) { return open_egl_context(EglPlatform::surfaceless, debug); }},
#endif
        {"glfw", open_glfw_context},
    };
    return list;
}

}  // namespace

std::unique_ptr<Context> open_headless_context(std::string_view platform, bool debug) {
    std::string reasons, names;
    for (const auto& [name, open] : openers()) {
        names += fmt::format("{}{}", names.empty() ? "" : ", ", name);
        if (!platform.empty() && platform != name) continue;
        try {
            return open(debug);
        } catch (const NoDevice& failure) {
            reasons += fmt::format("\n  {}: {}", name, failure.what());
        }
    }
    if (reasons.empty()) throw InvalidInput(fmt::format("OpenGL platform '{}' is not known; there are {}", platform, names));
    throw NoDevice("no headless OpenGL context could be opened:" + reasons);
}

std::unique_ptr<Context> adopt_current_context() {
    if (glGetString(GL_VERSION) == nullptr) {
        throw NoDevice("no OpenGL context is current on this thread; make one current before adopting it");
    }
    return std::make_unique<CurrentContext>();
}

}  // namespace glsolve::inline v0_1::opengl
