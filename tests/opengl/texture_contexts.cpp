// Textures of several contexts.
#include <glsolve/error.hpp>
#include <thread>

#ifdef GLSOLVE_HAS_EGL
#include <EGL/egl.h>
#include <EGL/eglext.h>
#endif

#include "texture_support.hpp"

namespace tests_of_texture_contexts {

using namespace texture_test;

TEST_CASE("Two solvers work in two contexts at once, in a thread each", "[opengl][textures][two_contexts]") {
    const auto solved = [](std::string& outcome) {
        try {
            const HeadlessContext context;
            Device device = Device::adopt_current_opengl(Stage::fragment);
            Solver solver(device, grid_matrix(), {.tolerance = 1e-5});
            const Example example(kinds[0]);
            const Picture b(example.width, example.height, 1, GL_R32F, example.b_texels),
                x(example.width, example.height, 1, GL_R32F, example.x_texels);
            for (int frame = 0; frame < 20; ++frame) {
                solver.enqueue(example.view(b.name), example.view(x.name), {.iterations = 10});
                outcome = name(polled(solver).outcome);
            }
        } catch (const Error& error) {
            outcome = error.what();
        }
    };
    if (open_session<CoreSession>() == nullptr) return;
    std::string first, second;
    std::thread other([&] { solved(second); });
    solved(first);
    other.join();
    CHECK(first == "met_on_device");
    CHECK(second == "met_on_device");
}

#ifdef GLSOLVE_HAS_EGL
TEST_CASE("A texture of a shared context is solved on where it is wanted", "[opengl][textures]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    EGLDisplay display = eglGetCurrentDisplay();
    EGLContext drawing = eglGetCurrentContext();
    if (display == EGL_NO_DISPLAY) return;  // a window's
    const Example example(kinds[0]);
    const Picture b(example.width, example.height, 1, GL_R32F, example.b_texels),
        x(example.width, example.height, 1, GL_R32F, example.x_texels);
    glFinish();  // what one context has done is seen by others from then on
    EGLint id = 0, count = 0;
    eglQueryContext(display, drawing, EGL_CONFIG_ID, &id);
    const EGLint wanted[] = {EGL_CONFIG_ID, id, EGL_NONE};
    EGLConfig config = EGL_NO_CONFIG_KHR;
    if (id != 0) eglChooseConfig(display, wanted, &config, 1, &count);
    // Those who share have to agree on how losses are told.
    const EGLint plain[] = {EGL_CONTEXT_MAJOR_VERSION, 3, EGL_CONTEXT_MINOR_VERSION, 3, EGL_NONE};
    const EGLint tells[] = {EGL_CONTEXT_MAJOR_VERSION,
                            3,
                            EGL_CONTEXT_MINOR_VERSION,
                            3,
                            EGL_CONTEXT_OPENGL_RESET_NOTIFICATION_STRATEGY_KHR,
                            EGL_LOSE_CONTEXT_ON_RESET_KHR,
                            EGL_NONE};
    eglBindAPI(EGL_OPENGL_API);
    EGLContext solving = eglCreateContext(display, config, drawing, plain);
    if (solving == EGL_NO_CONTEXT) solving = eglCreateContext(display, config, drawing, tells);
    REQUIRE(solving != EGL_NO_CONTEXT);
    REQUIRE(eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, solving) == EGL_TRUE);
    {
        Device device = Device::adopt_current_opengl(Stage::fragment);
        Solver solver(device, grid_matrix(), {.tolerance = 1e-5});
        CHECK(solver.solve(example.view(b.name), example.view(x.name)).outcome == Outcome::met_on_device);
        glFinish();
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, drawing);
        CHECK_THROWS_WITH(solver.enqueue(example.view(b.name), example.view(x.name)), ContainsSubstring("not current"));
        eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, solving);
    }
    eglMakeCurrent(display, EGL_NO_SURFACE, EGL_NO_SURFACE, drawing);
    eglDestroyContext(display, solving);
    const std::vector<double> found = example.solution(x);
    const CsrMatrix A = grid_matrix();
    CHECK(test::true_residual(A, found, example.b) <= 1e-5 + rounding(A, found, example.b));
}
#endif

}  // namespace tests_of_texture_contexts
