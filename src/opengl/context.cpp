#include "opengl/context.hpp"

#include <GL/glew.h>
#if defined(__linux__)
#include <GL/glx.h>
#endif
#include <fmt/format.h>

#include <functional>
#include <glsolve/error.hpp>
#include <string>
#include <utility>
#include <vector>

#include "opengl/context_mark.hpp"
#include "opengl/glfw_context.hpp"
#if defined(GLSOLVE_HAS_EGL)
#include "opengl/egl_context.hpp"
#endif

namespace glsolve::inline v0_1::opengl {
namespace {

/// What identifies the native context that is current on this thread; null where we cannot tell.
void* native_context() {
#if defined(GLSOLVE_HAS_EGL)
    if (void* egl = current_egl_context()) return egl;
#endif
#if defined(__linux__)
    return glXGetCurrentContext();
#else
    return nullptr;
#endif
}

/// The caller's context. It is never made current here: the caller has to.
class CallersContext final : public Context {
  public:
    std::string_view description() const override { return "current"; }
    bool is_current() const override { return native_context() == native_; }
    void make_current() override {
        if (!is_current()) {
            throw DeviceError(
                "the OpenGL context that was adopted is not current on this thread; make it current first");
        }
    }
    void restore() noexcept override {}

  private:
    void* native_ = native_context();
};

using Opener = std::function<std::unique_ptr<Context>(bool)>;

const std::vector<std::pair<std::string_view, Opener>>& openers() {
    static const std::vector<std::pair<std::string_view, Opener>> list {
#if defined(GLSOLVE_HAS_EGL)
        {"egl-device", [](bool debug) { return open_egl_context(EglPlatform::device, debug); }},
            {"egl-surfaceless", [](bool debug) { return open_egl_context(EglPlatform::surfaceless, debug); }},
#endif
            {"glfw", open_glfw_context},
    };
    return list;
}

}  // namespace

void Context::make_it_current() {
    make_current();
    if (mark_ == nullptr || mark_->is_here()) return;
    const bool lost = mark_->is_lost();
    gone_ = !lost;
    restore();
    if (lost)
        throw DeviceError("OpenGL: the context was lost in a reset of the graphics processor; open the device anew");
    throw DeviceError(
        "the OpenGL context of this device is gone, and the one that is current has come in its place; open a device "
        "anew");
}

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
    if (reasons.empty())
        throw InvalidInput(fmt::format("OpenGL platform '{}' is not known; there are {}", platform, names));
    throw NoDevice("no headless OpenGL context could be opened:" + reasons);
}

std::unique_ptr<Context> adopt_current_context() {
    if (glGetString(GL_VERSION) == nullptr) {
        throw NoDevice("no OpenGL context is current on this thread; make one current before adopting it");
    }
    return std::make_unique<CallersContext>();
}

}  // namespace glsolve::inline v0_1::opengl
