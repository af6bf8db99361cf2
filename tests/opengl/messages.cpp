// A host's own debug callback hears nothing of glsolve: no errors, no warnings of shaders, no framebuffers that are not
// complete. Contexts that raise no errors are asked instead.
#include <glsolve/error.hpp>
#include <glsolve/grid.hpp>
#include <map>

#include "texture_support.hpp"
#ifdef GLSOLVE_HAS_EGL
#include "support/egl_contexts.hpp"
#endif

namespace tests_of_messages {

using namespace texture_test;

namespace {

/// Whatever the driver says, but for notifications (statistics, say) and hints about speed.
class Listener {
  public:
    explicit Listener(const Features& features) : works_(features.debug) {
        if (!works_) return;
        glEnable(GL_DEBUG_OUTPUT);
        glEnable(GL_DEBUG_OUTPUT_SYNCHRONOUS);
        glDebugMessageControl(GL_DONT_CARE, GL_DONT_CARE, GL_DONT_CARE, 0, nullptr, GL_TRUE);
        glDebugMessageCallback(&Listener::hear, this);
    }
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;
    ~Listener() {
        if (works_) glDebugMessageCallback(nullptr, nullptr);
    }
    std::string take() { return std::exchange(heard_, {}); }
    bool works() const { return works_; }

  private:
    static void GLAPIENTRY hear(GLenum, GLenum type, GLuint, GLenum severity, GLsizei, const GLchar* text,
                                const void* self) {
        if (severity == GL_DEBUG_SEVERITY_NOTIFICATION || type == GL_DEBUG_TYPE_PERFORMANCE) return;
        static_cast<Listener*>(const_cast<void*>(self))->heard_ += std::string(text) + '\n';
    }
    bool works_;
    std::string heard_;
};

}  // namespace

TEST_CASE("A host's debug callback hears nothing", "[opengl][messages]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    Listener listener(session->features);
    if (!listener.works()) return report_absence("no KHR_debug");
    glDrawArrays(GL_QUADS, 0, 3);  // it does hear
    CHECK(listener.take() != "");
    const Example example(kinds[0]);
    const auto policy = GENERATE(StatePolicy::restore, StatePolicy::host_resets);
    for (const Stage stage : stages(*session)) {
        CAPTURE(name(stage));
        const Picture b(example.width, example.height, 1, GL_R32F, example.b_texels),
            x(example.width, example.height, 1, GL_R32F, example.x_texels),
            half(example.width, example.height, 1, GL_R16F, example.x_texels);
        {
            Device device = Device::adopt_current_opengl(stage, policy);
            CHECK(listener.take() == "");
            Options options = GridSolver::usual_options();
            options.precision = GENERATE(Precision::single, Precision::two_float);
            GridSolver grid(device, {.width = Example::columns, .height = Example::rows, .shift = 1}, options);
            CHECK(listener.take() == "");
            Solver solver(device, grid_matrix(), {.tolerance = 1e-5});
            for (const GLuint to : {x.name, half.name}) {
                solver.warm_up(example.view(b.name), example.view(to));
                grid.warm_up(example.view(b.name), example.view(to));
                CHECK(listener.take() == "");
                for (int frame = 0; frame < 3; ++frame) {
                    solver.enqueue(example.view(b.name), example.view(to), {.iterations = 10});
                    grid.enqueue(example.view(b.name), example.view(to), {.iterations = 3});
                    while (solver.poll() || grid.poll()) {
                    }
                }
                CHECK(listener.take() == "");
            }
            // What is refused is found out without an error, too.
            if (session->features.binds_by_unit) {
                CHECK_THROWS_AS(solver.enqueue({.texture = session->host.layers}, example.view(x.name)), InvalidInput);
                CHECK_THROWS_AS(solver.enqueue({.texture = 4711}, example.view(x.name)), InvalidInput);
                CHECK(listener.take() == "");
            }
            std::vector<double> found(example.b.size(), 0.0);
            CHECK(solver.solve(example.b, found).converged());
            CHECK(listener.take() == "");
        }
        CHECK(listener.take() == "");
    }
}

TEST_CASE("No method's shaders make compilers complain", "[opengl][messages]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    Listener listener(session->features);
    if (!listener.works()) return report_absence("no KHR_debug");
    const CsrMatrix A = grid_matrix();
    const std::vector<double> b(static_cast<std::size_t>(A.rows), 1.0);
    for (const Stage stage : stages(*session)) {
        Device device = Device::adopt_current_opengl(stage);
        for (const Method method :
             {Method::cg, Method::pipelined_cg, Method::minres, Method::bicgstab, Method::bicgstab2, Method::idr,
              Method::gmres, Method::fgmres, Method::chebyshev, Method::bicgstab_chebyshev, Method::jacobi,
              Method::ssor, Method::cgnr, Method::direct}) {
            CAPTURE(name(stage), name(method));
            Options options{.method = method, .tolerance = 1e-6, .max_iterations = 40};
            if (method != Method::cg && method != Method::minres) options.preconditioner = PreconditionerKind::none;
            std::vector<double> x(b.size(), 0.0);
            try {
                Solver(device, A, options).solve(b, x);
            } catch (const InvalidInput& refusal) {
                FAIL(refusal.what());
            }
            CHECK(listener.take() == "");
        }
        for (const PreconditionerKind kind : {PreconditionerKind::amg, PreconditionerKind::multigrid,
                                              PreconditionerKind::chebyshev, PreconditionerKind::block_jacobi}) {
            CAPTURE(name(stage), name(kind));
            std::vector<double> x(b.size(), 0.0);
            Solver(device, A, {.preconditioner = kind, .tolerance = 1e-6, .max_iterations = 40}).solve(b, x);
            CHECK(listener.take() == "");
        }
    }
}

#ifdef GLSOLVE_HAS_EGL
TEST_CASE("In a context without errors textures are known by queries", "[opengl][messages]") {
    const auto context = test::EglTestContext::make({EGL_CONTEXT_OPENGL_NO_ERROR_KHR, EGL_TRUE});
    if (!context)
        return state_guard_test::report_absence("EGL has no surfaceless display with contexts without errors");
    const Features features = opengl::query_features(opengl::load_functions());
    GLint flags = 0;
    glGetIntegerv(GL_CONTEXT_FLAGS, &flags);
    if ((flags & GL_CONTEXT_FLAG_NO_ERROR_BIT) == 0) return report_absence("contexts raise errors here");
    if (!features.binds_by_unit) return report_absence("textures are not bound by unit here");
    const std::vector<float> ones(16, 1.0f), zeros(16, 0.0f);
    const Picture b(4, 4, 1, GL_R32F, ones), x(4, 4, 1, GL_R32F, zeros);
    GLuint array = 0, of_buffer = 0;
    glGenTextures(1, &array);
    glBindTexture(GL_TEXTURE_2D_ARRAY, array);
    glTexImage3D(GL_TEXTURE_2D_ARRAY, 0, GL_R32F, 4, 4, 3, 0, GL_RED, GL_FLOAT, nullptr);
    glBindTexture(GL_TEXTURE_2D_ARRAY, 0);
    glGenTextures(1, &of_buffer);
    glBindTexture(GL_TEXTURE_BUFFER, of_buffer);
    glTexBuffer(GL_TEXTURE_BUFFER, GL_R32F, make_buffer(64));
    glBindTexture(GL_TEXTURE_BUFFER, 0);
    Device device = Device::adopt_current_opengl(Stage::fragment);
    Solver solver(device, poisson2d(4), {.tolerance = 1e-4});
    CHECK_THROWS_WITH(solver.enqueue({.texture = b.name}, {.texture = array}),
                      ContainsSubstring("GL_TEXTURE_2D_ARRAY"));
    CHECK_THROWS_WITH(solver.enqueue({.texture = b.name}, {.texture = of_buffer}),
                      ContainsSubstring("GL_TEXTURE_BUFFER"));
    CHECK_THROWS_WITH(solver.enqueue({.texture = of_buffer}, {.texture = x.name}),
                      ContainsSubstring("GL_TEXTURE_BUFFER"));
    CHECK(solver.solve({.texture = b.name}, {.texture = x.name}).outcome == Outcome::met_on_device);
}
#endif

}  // namespace tests_of_messages
