// What goes wrong on a device ends in words, leaves nothing behind, and does not spoil what comes after.
#include <array>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>
#include <map>
#include <optional>
#include <string>

#include "device/self_test.hpp"
#include "device/vectors.hpp"
#include "opengl/opengl_backend.hpp"
#include "opengl/state_guard_support.hpp"
#include "support/catch.hpp"

namespace tests_of_faults {

using namespace glsolve;

namespace {

/// What shall fail: the how manieth texture, shader, ...; 0: none.
struct Planted {
    int texture = 0, shader = 0, map = 0, look = 0;
    bool wait = false;
    bool once = false;  // texture: memory is short for one of them only, else from there on
};

/// Exchanges entries of a device's table. OpenGL's functions carry no data, so what they count and spoil is here; one
/// at a time.
struct Faults {
    explicit Faults(const Planted& p) : planted(p) {}

    Planted planted;
    opengl::Functions real;
    int objects = 0;  // made and not deleted since
    int textures = 0, shaders = 0, maps = 0, looks = 0;
    bool out_of_memory = false;

    static Faults* now;
};
Faults* Faults::now = nullptr;

template <auto member>
void count_generated(opengl::Functions& gl) {
    gl.*member = [](GLsizei n, GLuint* names) {
        (Faults::now->real.*member)(n, names);
        Faults::now->objects += n;
    };
}

template <auto member>
void count_deleted(opengl::Functions& gl) {
    gl.*member = [](GLsizei n, const GLuint* names) {
        (Faults::now->real.*member)(n, names);
        Faults::now->objects -= n;
    };
}

void install(Faults& faults, Device& device) {
    opengl::Functions& gl = dynamic_cast<opengl::OpenGlBackend&>(device.backend()).functions();
    faults.real = gl;
    Faults::now = &faults;
    using F = opengl::Functions;
    count_generated<&F::GenTextures>(gl);
    count_generated<&F::GenFramebuffers>(gl);
    count_generated<&F::GenBuffers>(gl);
    count_generated<&F::GenVertexArrays>(gl);
    count_generated<&F::GenSamplers>(gl);
    count_deleted<&F::DeleteTextures>(gl);
    count_deleted<&F::DeleteFramebuffers>(gl);
    count_deleted<&F::DeleteBuffers>(gl);
    count_deleted<&F::DeleteVertexArrays>(gl);
    count_deleted<&F::DeleteSamplers>(gl);
    gl.CreateProgram = [] { return ++Faults::now->objects, Faults::now->real.CreateProgram(); };
    gl.CreateShader = [](GLenum type) { return ++Faults::now->objects, Faults::now->real.CreateShader(type); };
    gl.DeleteProgram = [](GLuint name) { --Faults::now->objects, Faults::now->real.DeleteProgram(name); };
    gl.DeleteShader = [](GLuint name) { --Faults::now->objects, Faults::now->real.DeleteShader(name); };
    gl.FenceSync = [](GLenum condition, GLbitfield flags) {
        return ++Faults::now->objects, Faults::now->real.FenceSync(condition, flags);
    };
    gl.DeleteSync = [](GLsync sync) { --Faults::now->objects, Faults::now->real.DeleteSync(sync); };

    gl.TexImage2D = [](GLenum target, GLint level, GLint format, GLsizei width, GLsizei height, GLint border,
                       GLenum external, GLenum type, const void* texels) {
        const Planted& planted = Faults::now->planted;
        const int made = ++Faults::now->textures;
        if (made == planted.texture || (made > planted.texture && planted.texture > 0 && !planted.once)) {
            Faults::now->out_of_memory = true;
        } else {
            Faults::now->real.TexImage2D(target, level, format, width, height, border, external, type, texels);
        }
    };
    gl.GetError = []() -> GLenum {
        if (!std::exchange(Faults::now->out_of_memory, false)) return Faults::now->real.GetError();
        return GL_OUT_OF_MEMORY;
    };
    gl.ShaderSource = [](GLuint shader, GLsizei count, const GLchar* const* texts, const GLint* lengths) {
        const GLchar* broken = "#version 330 core\nvoid main() { planted error }\n";
        const bool fails = ++Faults::now->shaders == Faults::now->planted.shader;
        Faults::now->real.ShaderSource(shader, count, fails ? &broken : texts, fails ? nullptr : lengths);
    };
    gl.MapBufferRange = [](GLenum target, GLintptr offset, GLsizeiptr length, GLbitfield access) -> void* {
        if (++Faults::now->maps == Faults::now->planted.map) return nullptr;
        return Faults::now->real.MapBufferRange(target, offset, length, access);
    };
    gl.ClientWaitSync = [](GLsync sync, GLbitfield flags, GLuint64 timeout) -> GLenum {
        return Faults::now->planted.wait ? GL_WAIT_FAILED : Faults::now->real.ClientWaitSync(sync, flags, timeout);
    };
    gl.GetGraphicsResetStatus = []() -> GLenum {
        return ++Faults::now->looks >= Faults::now->planted.look && Faults::now->planted.look > 0
                   ? GL_GUILTY_CONTEXT_RESET
                   : GL_NO_ERROR;
    };
}

/// What became of a solve on a device that works but for the fault.
struct Attempt {
    std::string error;  // empty: it was not met
    bool works_later = false;
    int objects = 0;  // those made after the device was opened, less those deleted until it was closed
};

Attempt provoke(Stage stage, const Planted& planted) {
    Faults faults(planted);
    Attempt outcome;
    const CsrMatrix A = poisson2d(9);
    const std::vector<double> b = known_answer(A.rows);
    const auto solve = [&](Device& device) {
        std::vector<double> x(b.size(), 0.0);
        return glsolve::solve(device, A, b, x).converged();
    };
    {
        Device device = Device::open({.backend = BackendKind::opengl, .stage = stage});
        {
            const Session open(device.backend());
            const Vector spare(device.backend(), 1 << 16, "what earlier work leaves");
        }
        install(faults, device);
        try {
            solve(device);
        } catch (const DeviceError& error) {
            outcome.error = error.what();
        }
        faults.planted.look = faults.planted.texture = 0;
        faults.planted.wait = false;
        outcome.works_later = solve(device);
    }
    outcome.objects = faults.objects;
    return outcome;
}

std::optional<Stage> stage_under_test() {
    const Stage stage = GENERATE(Stage::fragment, Stage::compute);
    try {
        Device::open({.backend = BackendKind::opengl, .stage = stage});
        return stage;
    } catch (const NoDevice& absent) {
        state_guard_test::report_absence(absent.what());
        return std::nullopt;
    }
}

/// `expected`: a part of the words. A device without faults leaves as many objects as it was opened with: less than
/// none.
void check_fault(Stage stage, const Planted& planted, const std::string& expected) {
    static std::map<Stage, int> without_fault;
    if (!without_fault.contains(stage)) {
        const Attempt outcome = provoke(stage, {});
        REQUIRE(outcome.error.empty());
        without_fault[stage] = outcome.objects;
    }
    const Attempt outcome = provoke(stage, planted);
    CHECK_THAT(outcome.error, ContainsSubstring(expected));
    CHECK(outcome.error.empty() == expected.empty());
    CHECK(outcome.works_later);
    CHECK(outcome.objects == without_fault[stage]);
}

}  // namespace

TEST_CASE("a texture that cannot be had ends in words, whichever it is", "[opengl][faults]") {
    const auto stage = stage_under_test();
    if (!stage) return;
    for (const int which : {1, 2, 3, 5, 8, 12, 16, 20}) {
        CAPTURE(which);
        check_fault(*stage, {.texture = which}, "out of memory");
    }
}

TEST_CASE("where memory is short, what earlier work has left is given up first", "[opengl][faults]") {
    const auto stage = stage_under_test();
    if (!stage) return;
    check_fault(*stage, {.texture = 1, .once = true}, "");
}

TEST_CASE("a shader that the driver refuses is named, with the driver's words", "[opengl][faults]") {
    const auto stage = stage_under_test();
    if (!stage) return;
    for (const int which : {1, 2, 4, 7}) {
        CAPTURE(which);
        check_fault(*stage, {.shader = which}, "shaders/pass/");
    }
}

TEST_CASE("a driver that simplifies rounding errors away is found out", "[opengl][faults]") {
    const auto stage = stage_under_test();
    if (!stage) return;
    auto backend = opengl::make_opengl_backend(opengl::open_headless_context("", false), {});
    backend->use_stage(*stage);
    static decltype(opengl::Functions::ShaderSource) compile;
    compile = backend->functions().ShaderSource;
    backend->functions().ShaderSource = [](GLuint shader, GLsizei, const GLchar* const* texts, const GLint*) {
        std::string text = *texts;  // without what forbids it
        for (const std::string guard : {"define EXACT precise", " * u_one", " + u_zero"}) {
            for (std::size_t at = 0; (at = text.find(guard, at)) != std::string::npos;) {
                text.replace(at, guard.size(), guard.starts_with("define") ? "define EXACT" : "");
            }
        }
        const GLchar* spoilt = text.c_str();
        compile(shader, 1, &spoilt, nullptr);
    };
    CHECK_THAT(error_free_fault(*backend), ContainsSubstring("the driver reorders sums"));
}

TEST_CASE("where two floats cannot be trusted, or are not enough, the host corrects and the report says why",
          "[opengl][faults]") {
    const auto stage = stage_under_test();
    if (!stage) return;
    Device device = Device::open({.backend = BackendKind::opengl, .stage = *stage});
    const CsrMatrix A = poisson2d(16);
    const std::vector<double> b = known_answer(A.rows);
    const auto solve = [&](const Options& options) {
        std::vector<double> x(b.size(), 0.0);
        return glsolve::solve(device, A, b, x, options);
    };
    const Report trusted = solve({});
    CHECK(trusted.converged());
    CHECK(trusted.corrections_on_device == trusted.corrections);
    const Report near = solve({.tolerance = 1e-14});
    CHECK(near.corrections_on_device == 1);
    CHECK_THAT(near.residuals, ContainsSubstring("too near the tolerance"));

    dynamic_cast<opengl::OpenGlBackend&>(device.backend()).describe_two_float("planted fault");
    const Report distrusted = solve({});
    CHECK(distrusted.converged());
    CHECK(distrusted.corrections_on_device == 0);
    CHECK_THAT(distrusted.residuals, ContainsSubstring("planted fault"));
    CHECK_THROWS_WITH(solve({.precision = Precision::two_float}), ContainsSubstring("planted fault"));
}

TEST_CASE("a context that is lost ends a solve in words, not in waiting for ever", "[opengl][faults]") {
    const auto stage = stage_under_test();
    if (!stage) return;
    SECTION("noticed by the driver's reset status") { check_fault(*stage, {.look = 2}, "lost"); }
    SECTION("noticed by a wait that fails") { check_fault(*stage, {.wait = true}, "lost"); }
    SECTION("noticed by a buffer that cannot be mapped") { check_fault(*stage, {.map = 1}, "mapped"); }
}

TEST_CASE("a device that accepts work and executes nothing is told", "[opengl]") {
    const Device device = Device::open({.backend = BackendKind::opengl, .stage = Stage::fragment});
    CHECK(device.info().fault.empty());
    CHECK(execution_fault(device.backend()).empty());
    opengl::Functions& gl = dynamic_cast<opengl::OpenGlBackend&>(device.backend()).functions();
    const opengl::Functions real = gl;
    gl.DrawArrays = [](GLenum, GLint, GLsizei) {};
    gl.ClearBufferfv = [](GLenum, GLint, const GLfloat*) {};
    const std::string fault = execution_fault(device.backend());
    gl = real;
    CHECK(fault.starts_with("it executes nothing: 2 x (1, 2, 3, 4) came out as ("));
    CHECK(execution_fault(device.backend()).empty());
}

}  // namespace tests_of_faults
