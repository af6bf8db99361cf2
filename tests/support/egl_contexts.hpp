/// Contexts that tests make themselves, by EGL, without a surface.
#pragma once

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <optional>
#include <utility>
#include <vector>

namespace glsolve::test {

/// A core context of OpenGL 3.3 or later; current while it lives, or until another one is made current.
class EglTestContext {
  public:
    /// None where there is no such display, or no such context.
    static std::optional<EglTestContext> make(const std::vector<EGLint>& more_attributes = {}) {
        std::vector<EGLint> attributes{EGL_CONTEXT_MAJOR_VERSION_KHR,       3,
                                       EGL_CONTEXT_MINOR_VERSION_KHR,       3,
                                       EGL_CONTEXT_OPENGL_PROFILE_MASK_KHR, EGL_CONTEXT_OPENGL_CORE_PROFILE_BIT_KHR};
        attributes.insert(attributes.end(), more_attributes.begin(), more_attributes.end());
        return make_with(std::move(attributes));
    }
    /// The same of any version.
    static std::optional<EglTestContext> make_with(std::vector<EGLint> attributes) {
        const auto get_display =
            reinterpret_cast<PFNEGLGETPLATFORMDISPLAYEXTPROC>(eglGetProcAddress("eglGetPlatformDisplayEXT"));
        if (get_display == nullptr) return std::nullopt;
        EGLDisplay display =
            get_display(EGL_PLATFORM_SURFACELESS_MESA, reinterpret_cast<void*>(EGL_DEFAULT_DISPLAY), nullptr);
        EGLint major = 0, minor = 0;
        if (display == EGL_NO_DISPLAY || eglInitialize(display, &major, &minor) == EGL_FALSE) return std::nullopt;
        attributes.push_back(EGL_NONE);
        eglBindAPI(EGL_OPENGL_API);
        EGLContext context = eglCreateContext(display, EGL_NO_CONFIG_KHR, EGL_NO_CONTEXT, attributes.data());
        if (context == EGL_NO_CONTEXT) return std::nullopt;
        EglTestContext made(display, context);
        made.make_current();
        return made;
    }
    EglTestContext(EglTestContext&& other) noexcept : display_(other.display_), context_(other.context_) {
        other.context_ = EGL_NO_CONTEXT;
    }
    EglTestContext& operator=(EglTestContext&&) = delete;
    ~EglTestContext() {
        if (context_ == EGL_NO_CONTEXT) return;
        if (eglGetCurrentContext() == context_) {
            eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        }
        eglDestroyContext(display_, context_);
    }
    void make_current() const { eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_); }
    EGLContext address() const { return context_; }

  private:
    EglTestContext(EGLDisplay display, EGLContext context) : display_(display), context_(context) {}

    EGLDisplay display_;
    EGLContext context_;
};

}  // namespace glsolve::test
