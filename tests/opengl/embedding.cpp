// What a program that links the library is promised (docs/embedding.md), checked while one of them runs: the calls that
// glsolve makes are counted through its table, the program's own are not.
#include <malloc.h>

#include <array>
#include <cstring>
#include <glsolve/generate.hpp>
#include <glsolve/grid.hpp>

#include "embedding/application.hpp"
#include "hostile_host.hpp"
#include "opengl/opengl_backend.hpp"

namespace tests_of_embedding {

using namespace glsolve;
using namespace state_guard_test;

namespace {

/// How often glsolve has called what allocates, reads, waits, or asks for state.
struct Calls {
    int allocations = 0, programs = 0, reads = 0, waits = 0, saves = 0, passes = 0, draws = 0;
    bool available = false;  // the result of a query that is asked for next
};

/// Exchanges entries of a device's table; OpenGL's functions carry no data, so one at a time.
struct Watch {
    opengl::Functions real;
    Calls calls;
    static Watch* now;

    explicit Watch(Device& device) {
        opengl::Functions& gl = dynamic_cast<opengl::OpenGlBackend&>(device.backend()).functions();
        real = gl;
        now = this;
        using F = opengl::Functions;
        count<&F::GenTextures>(gl), count<&F::GenBuffers>(gl), count<&F::GenFramebuffers>(gl);
        count<&F::GenVertexArrays>(gl), count<&F::GenSamplers>(gl), count<&F::GenQueries>(gl);
        gl.TexImage2D = [](GLenum target, GLint level, GLint format, GLsizei width, GLsizei height, GLint border,
                           GLenum layout, GLenum type, const void* texels) {
            ++now->calls.allocations;
            now->real.TexImage2D(target, level, format, width, height, border, layout, type, texels);
        };
        gl.BufferData = [](GLenum target, GLsizeiptr size, const void* data, GLenum usage) {
            ++now->calls.allocations;
            now->real.BufferData(target, size, data, usage);
        };
        gl.CreateProgram = [] { return ++now->calls.allocations, ++now->calls.programs, now->real.CreateProgram(); };
        gl.CreateShader = [](GLenum type) { return ++now->calls.allocations, now->real.CreateShader(type); };
        gl.ReadPixels = [](GLint x, GLint y, GLsizei width, GLsizei height, GLenum layout, GLenum type, void* to) {
            ++now->calls.reads;
            if (to != nullptr) ++now->calls.waits;  // not into a buffer
            now->real.ReadPixels(x, y, width, height, layout, type, to);
        };
        gl.Finish = [] { ++now->calls.waits, now->real.Finish(); };
        gl.ClientWaitSync = [](GLsync fence, GLbitfield flags, GLuint64 timeout) {
            if (timeout > 0) ++now->calls.waits;
            return now->real.ClientWaitSync(fence, flags, timeout);
        };
        gl.GetQueryObjectiv = [](GLuint query, GLenum what, GLint* value) {
            now->real.GetQueryObjectiv(query, what, value);
            now->calls.available = what == GL_QUERY_RESULT_AVAILABLE && *value != GL_FALSE;
        };
        gl.GetQueryObjectui64v = [](GLuint query, GLenum what, GLuint64* value) {
            if (!now->calls.available) ++now->calls.waits;
            now->real.GetQueryObjectui64v(query, what, value);
        };
        gl.DrawArrays = [](GLenum mode, GLint first, GLsizei vertices) {
            ++now->calls.passes, ++now->calls.draws;
            now->real.DrawArrays(mode, first, vertices);
        };
        if (gl.DispatchCompute != nullptr) {
            gl.DispatchCompute = [](GLuint x, GLuint y, GLuint z) {
                ++now->calls.passes;
                now->real.DispatchCompute(x, y, z);
            };
        }
        gl.IsEnabled = [](GLenum capability) -> GLboolean {
            if (capability == GL_CULL_FACE) ++now->calls.saves;  // asked for once in each save
            return now->real.IsEnabled(capability);
        };
    }
    Calls take() { return std::exchange(calls, {}); }

  private:
    template <auto member>
    static void count(opengl::Functions& gl) {
        gl.*member = [](GLsizei n, GLuint* names) {
            now->calls.allocations += n;
            (now->real.*member)(n, names);
        };
    }
};
Watch* Watch::now = nullptr;

bool is_slow() {
    const auto* renderer = reinterpret_cast<const char*>(glGetString(GL_RENDERER));
    return std::strncmp(renderer, "softpipe", 8) == 0;
}

/// Each stage that there is and that does not take too long.
Stage generated_stage(const CoreSession& session) {
    return session.features.compute && !is_slow() ? GENERATE(Stage::fragment, Stage::compute) : Stage::fragment;
}

std::array<GLuint, 3> textures_of(int size, const std::vector<float>& texels) {
    std::array<GLuint, 3> textures{};
    glGenTextures(static_cast<GLsizei>(textures.size()), textures.data());
    for (const GLuint texture : textures) {
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_RGBA32F, size, size, 0, GL_RGBA, GL_FLOAT, texels.data());
        glTexParameteri(GL_TEXTURE_2D, GL_TEXTURE_MIN_FILTER, GL_NEAREST);
    }
    return textures;
}

Options multigrid_options() {
    Options options = GridSolver::usual_options();
    options.precision = Precision::single;
    options.tolerance = 1e-4;
    return options;
}

/// Of all that the process has asked for, drivers included.
std::size_t memory_in_use() { return mallinfo2().uordblks + mallinfo2().hblkhd; }

}  // namespace

TEST_CASE("A program that knows nothing of glsolve's insides is promised what it is promised, for 1,000 frames",
          "[opengl][embedding]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const Stage stage = generated_stage(*session);
    CAPTURE(name(stage));
    const int size = is_slow() ? 16 : 32, frames = is_slow() ? 100 : 1000;
    const GLuint none = 0;
    glBindSampler(3, none);
    Application application(size, stage);
    Watch watch(application.device());
    const Counters& counters = application.device().backend().counters();
    std::int64_t bytes = 0;
    std::size_t memory = 0;
    for (int frame = 0; frame < frames; ++frame) {
        if (frame == frames / 10) bytes = counters.bytes, memory = memory_in_use();
        const bool reports = frame % 50 == 0;
        const auto before = session->state();
        application.frame(frame, reports);
        const Calls calls = watch.take();
        CAPTURE(frame);
        REQUIRE(calls.allocations == 0);
        REQUIRE(calls.waits == 0);
        REQUIRE(calls.reads == (reports ? 1 : 0));
        REQUIRE(calls.saves == 1);
        REQUIRE(calls.passes > 0);
        // The program binds textures and programs of its own in a frame, the same ones in each.
        if (frame > 0) REQUIRE(differences(before, session->state()) == "");
        while (const auto report = application.outcome()) {
            const Calls polled = watch.take();
            REQUIRE(polled.waits == 0);
            REQUIRE(polled.allocations == 0);
            INFO(report->reason);
            REQUIRE(report->outcome == Outcome::met_on_device);
            REQUIRE(report->device_seconds > 0);
            REQUIRE(report->solve_seconds > 0);
        }
        watch.take();
    }
    CHECK(counters.bytes == bytes);
    CHECK(memory_in_use() < memory + (1u << 18));
    // Nothing passes the sides, so all heat that was given is still there.
    CHECK(std::abs(application.heat_there() - application.heat_given()) <= 1e-3 * application.heat_given());
    // The picture shows it, brightest where the flames are.
    const std::vector<unsigned char> picture = application.picture();
    int dark = 255, bright = 0;
    for (std::size_t i = 0; i < picture.size(); i += 4) {
        dark = std::min<int>(dark, picture[i]);
        bright = std::max<int>(bright, picture[i]);
    }
    CHECK(bright > dark);
    CHECK(bright > 30);
    CHECK(session->errors.take() == "");
}

TEST_CASE("Frames of grids make nothing new either, be their cells others and several right-hand sides theirs",
          "[opengl][embedding][grid]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const Stage stage = generated_stage(*session);
    const int sides = GENERATE(1, 3);
    CAPTURE(name(stage), sides);
    constexpr int size = 24;
    Device device = Device::adopt_current_opengl(stage);
    GridSolver solver(device, {.width = size, .height = size, .y_walls = {Wall::dirichlet, Wall::neumann}},
                      multigrid_options());
    std::vector<float> texels(std::size_t{4} * size * size, 1.0f);
    const std::array<GLuint, 3> textures = textures_of(size, texels);  // cells, b, x
    const TextureView cells{.texture = textures[0]}, b{.texture = textures[1], .right_hand_sides = sides},
        x{.texture = textures[2], .right_hand_sides = sides};
    solver.set_cells_from(cells);
    solver.warm_up(b, x);
    Watch watch(device);
    for (int frame = 0; frame < 8; ++frame) {
        CAPTURE(frame);
        texels[static_cast<std::size_t>(4 * (size * 9 + frame + 3))] = 0;  // a solid more
        glBindTexture(GL_TEXTURE_2D, textures[0]);
        glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, size, size, GL_RGBA, GL_FLOAT, texels.data());
        watch.take();
        solver.set_cells_from(cells);
        solver.enqueue(b, x, {.iterations = 12 + frame % 3, .zero_guess = frame % 2 == 0, .history = true});
        std::optional<Report> report;
        while (!report) report = solver.poll();
        const Calls calls = watch.take();
        INFO(report->reason);
        CHECK(report->outcome == Outcome::met_on_device);
        CHECK(calls.allocations == 0);
        CHECK(calls.waits == 0);
        CHECK((calls.draws > 0) == (stage == Stage::fragment));
    }
    CHECK(session->errors.take() == "");
    glDeleteTextures(3, textures.data());
}

TEST_CASE("Frames of no method make anything new, read or wait", "[opengl][embedding]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const Stage stage = generated_stage(*session);
    const Method method =
        GENERATE(Method::cg, Method::pipelined_cg, Method::minres, Method::bicgstab, Method::bicgstab2, Method::idr,
                 Method::gmres, Method::fgmres, Method::automatic, Method::chebyshev, Method::jacobi);
    CAPTURE(name(stage), name(method));
    constexpr int size = 12;
    Device device = Device::adopt_current_opengl(stage);
    // `automatic` takes the direct method of a small matrix that is not symmetric; on textures gmres stands in for it.
    const CsrMatrix A = method == Method::automatic ? convection_diffusion(size) : poisson2d(size);
    Solver solver(device, A, {.method = method, .gmres = {.restart = 5}, .tolerance = 1e-6});
    const std::array<GLuint, 3> textures = textures_of(size, std::vector<float>(std::size_t{4} * size * size, 1.0f));
    const TextureView b{.texture = textures[1]}, x{.texture = textures[2]};
    solver.warm_up(b, x);
    Watch watch(device);
    for (int frame = 0; frame < 6; ++frame) {
        const bool reports = frame % 2 == 0;
        watch.take();
        solver.enqueue(b, x, {.iterations = 13 + frame, .zero_guess = frame == 3, .report = reports});
        const Calls calls = watch.take();
        CHECK(calls.allocations == 0);
        CHECK(calls.waits == 0);
        CHECK(calls.reads <= (reports ? 1 : 0));
        CHECK(calls.saves == 1);
        std::optional<Report> report;
        while (reports && !report) report = solver.poll();
        if (report) CHECK((report->iterations > 0 || report->converged()));
        CHECK(watch.take().allocations == 0);
    }
    CHECK(session->errors.take() == "");
    glDeleteTextures(3, textures.data());
}

TEST_CASE("A solver of grids has no more programs than a program can wait for when it starts",
          "[opengl][embedding][grid]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const Stage stage = generated_stage(*session);
    const bool as_gpus = GENERATE(false, true);
    CAPTURE(name(stage), as_gpus);
    const int size = is_slow() ? 24 : 200;  // levels of many sizes
    Device device = Device::adopt_current_opengl(stage);
    Watch watch(device);
    if (as_gpus) dynamic_cast<opengl::OpenGlBackend&>(device.backend()).share_programs_as_gpus();
    const bool on_gpu = as_gpus || !device.info().software;
    GridSolver solver(device, {.width = size, .height = size, .y_walls = {Wall::dirichlet, Wall::neumann}},
                      multigrid_options());
    const std::vector<float> texels(static_cast<std::size_t>(4 * size * size), 1.0f);
    const std::array<GLuint, 3> textures = textures_of(size, texels);  // cells, b, x
    const TextureView b{.texture = textures[1]}, x{.texture = textures[2]};
    solver.set_cells_from({.texture = textures[0]});
    solver.warm_up(b, x);
    CHECK(watch.take().programs <= (stage == Stage::compute ? 20 : 19) - (on_gpu ? 2 : 0));
    solver.enqueue(b, x, {.iterations = 12, .zero_guess = true});
    std::optional<Report> report;
    while (!report) report = solver.poll();
    INFO(report->reason);
    CHECK(report->relative_residual < 1e-2);  // as far as single precision goes
    CHECK(watch.take().programs == 0);
    CHECK(session->errors.take() == "");
    glDeleteTextures(3, textures.data());
}

TEST_CASE("Where the host resets its state, what it resets is not asked for", "[opengl][embedding]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    Device device = Device::adopt_current_opengl(Stage::fragment, StatePolicy::host_resets);
    Solver solver(device, poisson2d(8), {.tolerance = 1e-5});
    const std::vector<float> ones(64, 1.0f);
    GLuint textures[2];
    glGenTextures(2, textures);
    for (const GLuint texture : textures) {
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, 8, 8, 0, GL_RED, GL_FLOAT, ones.data());
    }
    for (const Setting& setting : hostile_settings(*session)) setting.set();
    Watch watch(device);
    solver.enqueue({.texture = textures[0]}, {.texture = textures[1]}, {.iterations = 30});
    CHECK(watch.take().saves == 0);
    std::optional<Report> report;
    while (!report) report = solver.poll();
    CHECK(report->outcome == Outcome::met_on_device);
    CHECK(session->errors.take() == "");
    glDeleteTextures(2, textures);
}

}  // namespace tests_of_embedding
