// What ends first: contexts, devices, solvers. Whatever it is, nothing of the program's is touched, nothing of ours is
// left where it can be deleted, and what has to be left is told.
#include <glsolve/error.hpp>
#include <glsolve/grid.hpp>
#include <optional>

#include "texture_support.hpp"
#ifdef GLSOLVE_HAS_EGL
#include "support/egl_contexts.hpp"
#endif

namespace tests_of_lifetime {

using namespace texture_test;

namespace {

/// How many objects there are in the current context, by their names.
int objects() {
    int count = 0;
    for (GLuint name = 1; name < 4096; ++name) {
        count += glIsTexture(name) + glIsBuffer(name) + glIsVertexArray(name) + glIsFramebuffer(name)
                 + glIsSampler(name) + glIsQuery(name) + glIsProgram(name) + glIsShader(name);
    }
    return count;
}

Options usual() {
    Options options = GridSolver::usual_options();
    options.precision = Precision::single;
    options.tolerance = 1e-4;
    return options;
}

}  // namespace

TEST_CASE("A device keeps what solvers have left, until it is trimmed", "[opengl][lifetime]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const auto textures = [] {
        int count = 0;
        for (GLuint name = 1; name < 4096; ++name) count += glIsTexture(name);
        return count;
    };
    for (const Stage stage : stages(*session)) {
        CAPTURE(name(stage));
        Device device = Device::adopt_current_opengl(stage);
        const auto solve = [&](int side) {
            GridSolver solver(device, {.width = side, .height = side, .shift = 1}, usual());
            const std::vector<double> b(static_cast<std::size_t>(side) * static_cast<std::size_t>(side), 1.0);
            std::vector<double> x(b.size(), 0.0);
            CHECK(solver.solve(b, x).converged());
        };
        device.trim();
        const int idle = textures();
        solve(40);
        CHECK(textures() > idle + 10);
        device.trim();
        const int trimmed = textures();
        CHECK(trimmed <= idle + 2);  // what the device has made for itself
        solve(56);                   // it works on
        solve(40);
        device.trim();
        device.trim();
        CHECK(textures() == trimmed);
        GridSolver stays(device, {.width = 24, .height = 24, .shift = 1}, usual());
        std::vector<double> b(24 * 24, 1.0), x(b.size(), 0.0);
        device.trim();
        CHECK(stays.solve(b, x).converged());  // what a solver holds is not spare
        CHECK(session->errors.take() == "");
    }
    CHECK_THROWS_AS(Device().trim(), InvalidInput);
}

TEST_CASE("A device may end before its solvers, with work under way", "[opengl][lifetime]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const CsrMatrix A = grid_matrix();
    const Example example(kinds[0]);
    const bool device_first = GENERATE(true, false);
    for (const Stage stage : stages(*session)) {
        CAPTURE(name(stage), device_first);
        const Picture b(example.width, example.height, 1, GL_R32F, example.b_texels),
            x(example.width, example.height, 1, GL_R32F, example.x_texels);
        const int before = objects();
        std::optional<Device> device = Device::adopt_current_opengl(stage);
        std::optional<Solver> solver(std::in_place, *device, A, Options{.tolerance = 1e-5});
        std::optional<GridSolver> grid(
            std::in_place, *device,
            Grid{.width = Example::columns, .height = Example::rows, .x_walls = {Wall::dirichlet, Wall::dirichlet}},
            usual());
        solver->enqueue(example.view(b.name), example.view(x.name), {.iterations = 60});
        grid->enqueue(example.view(b.name), example.view(x.name), {.iterations = 20, .zero_guess = true});
        if (device_first) {
            const std::optional<Device> moved(std::move(*device));
            device.reset();
        }
        // They work on, moved or not.
        Solver moved = std::move(*solver);
        CHECK(polled(moved).outcome == Outcome::met_on_device);
        moved.update_values(A.value);
        CHECK(moved.solve(example.view(b.name), example.view(x.name)).outcome == Outcome::met_on_device);
        std::optional<Report> report;
        while (!report) report = grid->poll();
        CHECK(report->outcome == Outcome::met_on_device);
        *solver = std::move(moved);
        solver->enqueue(example.view(b.name), example.view(x.name), {.iterations = 4});
        grid->enqueue(example.view(b.name), example.view(x.name), {.iterations = 4});
        solver.reset();
        grid.reset();
        if (device_first) {
            CHECK(objects() == before);
        } else {
            CHECK(objects() > before);
            device.reset();
            CHECK(objects() == before);
        }
        CHECK(session->errors.take() == "");
    }
}

TEST_CASE("A host device may end before its solvers, too", "[host][lifetime]") {
    std::optional<Device> device = Device::host();
    Solver solver(*device, poisson2d(5), {});
    GridSolver grid(*device, {.width = 6, .height = 5, .shift = 1});
    device.reset();
    std::vector<double> b(25, 1.0), x(25, 0.0), grid_b(30, 1.0), grid_x(30, 0.0);
    CHECK(solver.solve(b, x).converged());
    CHECK(grid.solve(grid_b, grid_x).converged());
}

#ifdef GLSOLVE_HAS_EGL
TEST_CASE("A context at the address of one that is gone is another one", "[opengl][lifetime]") {
    const bool device_first = GENERATE(true, false);
    constexpr int tries = 6, most_contexts = 12, count = 60;
    int in_place = 0;
    for (int i = 0; i < tries; ++i) {
        auto first = test::EglTestContext::make();
        if (!first) return state_guard_test::report_absence("EGL has no surfaceless display");
        const EGLContext address = first->address();
        std::string told;
        std::optional<Device> device = Device::open({.backend = BackendKind::opengl,
                                                     .stage = Stage::fragment,
                                                     .current = true,
                                                     .warn = [&](const std::string& words) { told += words; }});
        std::optional<Solver> solver(std::in_place, *device, poisson2d(4), Options{.tolerance = 1e-4});
        std::vector<double> b(16, 1.0), x(16, 0.0);
        CHECK(solver->solve(b, x).converged());
        first.reset();
        std::vector<test::EglTestContext> others;
        for (int k = 0; k < most_contexts && (k == 0 || others.back().address() != address); ++k) {
            auto next = test::EglTestContext::make();
            REQUIRE(next);
            others.push_back(std::move(*next));
        }
        const bool same = others.back().address() == address;
        in_place += same ? 1 : 0;
        std::vector<GLuint> textures, programs;
        for (int k = 0; k < count; ++k) {
            textures.push_back(make_texture(4));
            programs.push_back(glCreateProgram());
            make_sampler(), make_vertex_array(), make_buffer(4), make_framebuffer(textures.back());
        }
        const int before = objects();
        CHECK_THROWS_AS(solver->solve(b, x), DeviceError);
        CHECK_THROWS_WITH(solver->solve(b, x), ContainsSubstring(same ? "is gone" : "not current"));
        CHECK_THROWS_AS(Solver(*device, poisson2d(3), {}), DeviceError);
        if (device_first) device.reset();
        solver.reset();
        device.reset();
        CHECK(objects() == before);
        CHECK_THAT(told, ContainsSubstring("stay in its OpenGL context"));
        CHECK(glGetError() == GL_NO_ERROR);
    }
    if (in_place == 0) WARN("no context has come back at an earlier one's address");
}

TEST_CASE("A device that ends in its own context warns of nothing", "[opengl][lifetime]") {
    const auto context = test::EglTestContext::make();
    if (!context) return state_guard_test::report_absence("EGL has no surfaceless display");
    std::string told;
    {
        const Device device = Device::open({.backend = BackendKind::opengl,
                                            .stage = Stage::fragment,
                                            .current = true,
                                            .warn = [&](const std::string& words) { told += words; }});
    }
    CHECK(told.empty());
}
#endif

}  // namespace tests_of_lifetime
