#include "opengl/context.hpp"

#include <GL/glew.h>
#if defined(__linux__)
#include <GL/glx.h>
#endif
#include <glsolve/error.hpp>

#include "opengl/context_mark.hpp"
#include "opengl/egl_context.hpp"

namespace glsolve::inline v0_1::opengl {
namespace {

constexpr auto no_answers =
    "OpenGL: the current context answers no query, as between glBegin and glEnd; call glEnd before calling glsolve";

/// What identifies the native context that is current on this thread; null where we cannot tell.
void* native_context() {
    if (void* egl = current_egl_context()) return egl;
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

}  // namespace

void Context::make_it_current() {
    make_current();
    if (mark_ == nullptr || mark_->is_here()) return;
    const bool lost = mark_->is_lost(), answers = mark_->is_answered();
    gone_ = !lost && answers;
    restore();
    if (lost)
        throw DeviceError("OpenGL: the context was lost in a reset of the graphics processor; open the device anew");
    if (!answers) throw DeviceError(no_answers);
    throw DeviceError(
        "the OpenGL context of this device is gone, and the one that is current has come in its place; open a device "
        "anew");
}

std::unique_ptr<Context> adopt_current_context() {
    if (glGetString(GL_VERSION) == nullptr) {
        if (native_context() != nullptr) throw NoDevice(no_answers);
        throw NoDevice("no OpenGL context is current on this thread; make one current before adopting it");
    }
    return std::make_unique<CallersContext>();
}

}  // namespace glsolve::inline v0_1::opengl
