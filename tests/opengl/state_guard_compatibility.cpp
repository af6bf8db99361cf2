// The compatibility profile is opened through EGL alone.
#if defined(GLSOLVE_HAS_EGL)

#include <EGL/egl.h>
#include <EGL/eglext.h>

#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>
#include <initializer_list>
#include <memory>

#include "opengl/context.hpp"
#include "opengl/state_guard.hpp"
#include "state_guard_support.hpp"
#include "support/gl_state_probe.hpp"

namespace tests_of_state_guard_compatibility {

using namespace glsolve;
using namespace glsolve::opengl;
using namespace gl_state_probe;
using namespace state_guard_test;

namespace {

/// The EGL display on which glsolve opens its own contexts.
EGLDisplay usual_display() {
    const std::unique_ptr<Context> usual = open_headless_context("", false);
    usual->make_current();
    EGLDisplay display = eglGetCurrentDisplay();
    if (display == EGL_NO_DISPLAY) throw NoDevice("OpenGL is there, but not through EGL");
    return display;
}

/// A headless context of the compatibility profile, which glsolve itself never opens but may be a guest in. It shares
/// objects with `share`, if given.
class CompatibilityContext {
  public:
    explicit CompatibilityContext(EGLContext share = EGL_NO_CONTEXT) {
        eglBindAPI(EGL_OPENGL_API);
        const EGLint attributes[] = {EGL_CONTEXT_MAJOR_VERSION_KHR,
                                     3,
                                     EGL_CONTEXT_MINOR_VERSION_KHR,
                                     3,
                                     EGL_CONTEXT_OPENGL_PROFILE_MASK_KHR,
                                     EGL_CONTEXT_OPENGL_COMPATIBILITY_PROFILE_BIT_KHR,
                                     EGL_CONTEXT_FLAGS_KHR,
                                     EGL_CONTEXT_OPENGL_DEBUG_BIT_KHR,
                                     EGL_NONE};
        context_ = eglCreateContext(display_, EGL_NO_CONFIG_KHR, share, attributes);
        if (context_ == EGL_NO_CONTEXT) throw NoDevice("no OpenGL 3.3 context of the compatibility profile");
        make_current();
    }
    CompatibilityContext(const CompatibilityContext&) = delete;
    CompatibilityContext& operator=(const CompatibilityContext&) = delete;
    ~CompatibilityContext() {
        eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, EGL_NO_CONTEXT);
        eglDestroyContext(display_, context_);
    }

    void make_current() const { eglMakeCurrent(display_, EGL_NO_SURFACE, EGL_NO_SURFACE, context_); }
    EGLContext native() const { return context_; }

  private:
    EGLDisplay display_ = usual_display();
    EGLContext context_ = EGL_NO_CONTEXT;
};

using CompatibilitySession = Session<CompatibilityContext>;

/// What only a host in the compatibility profile may have set.
Settings hostile_settings() {
    return {
        {"alpha test", [] { glAlphaFunc(GL_NEVER, 0.0f), glEnable(GL_ALPHA_TEST); }},
        {"polygon stipple",
         [] {
             const GLubyte nothing[128] = {};
             glPolygonStipple(nothing);
             glEnable(GL_POLYGON_STIPPLE);
         }},
        {"fragment clamp", [] { glClampColor(GL_CLAMP_FRAGMENT_COLOR, GL_TRUE); }},
        {"polygon mode of back faces", [] { glPolygonMode(GL_BACK, GL_POINT); }},
        {"polygon mode of front faces", [] { glPolygonMode(GL_FRONT, GL_LINE); }},
        {"map color", [] { glPixelTransferi(GL_MAP_COLOR, GL_TRUE); }},
        {"red scale", [] { glPixelTransferf(GL_RED_SCALE, 1.5f); }},
        {"green scale", [] { glPixelTransferf(GL_GREEN_SCALE, 2.5f); }},
        {"blue scale", [] { glPixelTransferf(GL_BLUE_SCALE, 3.5f); }},
        {"alpha scale", [] { glPixelTransferf(GL_ALPHA_SCALE, 4.5f); }},
        {"red bias", [] { glPixelTransferf(GL_RED_BIAS, 0.5f); }},
        {"green bias", [] { glPixelTransferf(GL_GREEN_BIAS, 0.25f); }},
        {"blue bias", [] { glPixelTransferf(GL_BLUE_BIAS, 0.125f); }},
        {"alpha bias", [] { glPixelTransferf(GL_ALPHA_BIAS, 0.75f); }},
    };
}

/// What another context of the share group may delete while it is bound here.
struct Shared {
    GLuint texture = make_texture(4), sampler = make_sampler(), buffer = make_buffer(64);

    void destroy() const {
        glDeleteTextures(1, &texture);
        glDeleteSamplers(1, &sampler);
        glDeleteBuffers(1, &buffer);
    }
};

}  // namespace

TEST_CASE("A compatibility host that has set everything finds it unchanged", "[opengl]") {
    const auto session = open_session<CompatibilitySession>();
    if (session == nullptr) return;
    REQUIRE_FALSE(session->features.core);
    for (const Setting& setting : hostile_settings()) setting.set();
    session->visit();
}

TEST_CASE("Each thing that only a compatibility host may have set is suspended and restored", "[opengl]") {
    for (const Setting& setting : hostile_settings()) {
        const auto session = open_session<CompatibilitySession>();
        if (session == nullptr) return;
        INFO(setting.name);
        const GlState defaults = session->state();
        setting.set();
        CHECK(defaults != session->state());
        session->visit();
    }
}

TEST_CASE("A host that compiles a display list is refused", "[opengl]") {
    const auto session = open_session<CompatibilitySession>();
    if (session == nullptr) return;
    const GLuint list = glGenLists(1);
    for (const GLenum mode : std::initializer_list<GLenum>{GL_COMPILE, GL_COMPILE_AND_EXECUTE}) {
        glNewList(list, mode);
        session->check_refusal("display list");
        glEndList();
        session->visit();
    }
}

TEST_CASE("A host in selection or feedback mode is refused", "[opengl]") {
    const auto session = open_session<CompatibilitySession>();
    if (session == nullptr) return;
    GLuint selected[16];
    GLfloat fed_back[16];
    glSelectBuffer(16, selected);
    glFeedbackBuffer(16, GL_2D, fed_back);
    for (const GLenum mode : std::initializer_list<GLenum>{GL_SELECT, GL_FEEDBACK}) {
        glRenderMode(mode);
        session->check_refusal("render mode");
        glRenderMode(GL_RENDER);
    }
    session->visit();
}

TEST_CASE("Between glBegin and glEnd a call is refused, and says why", "[opengl]") {
    const auto session = open_session<CompatibilitySession>();
    if (session == nullptr) return;
    Device device = Device::adopt_current_opengl(Stage::fragment);
    Solver solver(device, poisson2d(4), {.tolerance = 1e-4});
    std::vector<double> b(16, 1.0), x(16, 0.0);
    GLuint texture = 0, framebuffer = 0;  // glBegin wants a complete one
    glGenTextures(1, &texture);
    glBindTexture(GL_TEXTURE_2D, texture);
    glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA8, 4, 4, 0, GL_RGBA, GL_UNSIGNED_BYTE, nullptr);
    glGenFramebuffers(1, &framebuffer);
    glBindFramebuffer(GL_FRAMEBUFFER, framebuffer);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, texture, 0);
    glUseProgram(0);
    glBegin(GL_POINTS);
    CHECK_THROWS_WITH(solver.solve(b, x), ContainsSubstring("call glEnd before calling glsolve"));
    CHECK_THROWS_WITH(Device::adopt_current_opengl(), ContainsSubstring("call glEnd before calling glsolve"));
    glEnd();
    session->errors.take();  // nothing may be asked for there
    CHECK(solver.solve(b, x).converged());
    CHECK(session->errors.take() == "");
}

TEST_CASE("What another context has deleted while it is bound here is refused", "[opengl]") {
    const auto session = open_session<CompatibilitySession>();
    if (session == nullptr) return;
    const Shared shared;
    const auto refuse_after = [&](const char* words) {
        {
            const CompatibilityContext other(session->context.native());
            shared.destroy();
        }
        session->context.make_current();
        session->check_refusal(words);
    };
    SECTION("texture of a texture unit") {
        glActiveTexture(GL_TEXTURE3);
        glBindTexture(GL_TEXTURE_2D, shared.texture);
        refuse_after("is bound to unit 3");
    }
    SECTION("sampler") {
        glBindSampler(5, shared.sampler);
        refuse_after("is bound to unit 5");
    }
    SECTION("pack buffer") {
        glBindBuffer(GL_PIXEL_PACK_BUFFER, shared.buffer);
        refuse_after("GL_PIXEL_PACK_BUFFER");
    }
    SECTION("unpack buffer") {
        glBindBuffer(GL_PIXEL_UNPACK_BUFFER, shared.buffer);
        refuse_after("GL_PIXEL_UNPACK_BUFFER");
    }
    SECTION("texture of an image unit") {
        if (!session->features.compute) return;
        glBindImageTexture(2, shared.texture, 0, GL_FALSE, 0, GL_READ_ONLY, GL_RGBA32F);
        refuse_after("is bound to image unit 2");
    }
}
}  // namespace tests_of_state_guard_compatibility

#endif
