// StatePolicy::host_resets: what it leaves changed is what device.hpp lists, and nothing that hosts do not see.
#include <algorithm>
#include <glsolve/grid.hpp>

#include "texture_support.hpp"

namespace tests_of_host_resets {

using namespace texture_test;

namespace {

bool begins_with_any(std::string_view name, std::initializer_list<std::string_view> beginnings) {
    return std::any_of(beginnings.begin(), beginnings.end(), [&](std::string_view b) { return name.starts_with(b); });
}

/// The table of device.hpp. Viewports are whatever a pass has left: they are taken from `now`.
GlState left_by(const GlState& before, const GlState& now) {
    GlState left = before;
    for (auto& [name, values] : left) {
        const bool is_2d = name.starts_with("GL_TEXTURE_BINDING_2D[");
        const bool of_passes = is_2d && std::stoi(name.substr(name.find('[') + 1)) <= 16;
        if (of_passes
            || begins_with_any(name, {"GL_DRAW_FRAMEBUFFER_BINDING", "GL_READ_FRAMEBUFFER_BINDING", "GL_BLEND[",
                                      "GL_SCISSOR_TEST", "GL_DEPTH_TEST", "GL_STENCIL_TEST", "GL_CULL_FACE"})) {
            std::fill(values.begin(), values.end(), 0.0);
        } else if (name.starts_with("GL_COLOR_WRITEMASK[")) {
            std::fill(values.begin(), values.end(), 1.0);
        } else if (name.starts_with("GL_VIEWPORT")) {
            values = now.at(name);
        }
    }
    return left;
}

}  // namespace

TEST_CASE("What host_resets leaves changed is what the header lists, after each call", "[opengl][host_resets]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const Example example(kinds[0]);
    for (const Stage stage : stages(*session)) {
        CAPTURE(name(stage));
        const Picture b(example.width, example.height, 1, GL_R32F, example.b_texels),
            x(example.width, example.height, 1, GL_R32F, example.x_texels);
        GlState before;
        const auto be_hostile = [&] {
            for (const Setting& setting : hostile_settings(*session)) setting.set();
            before = session->state();
        };
        const auto check_left = [&](const char* call) {
            CAPTURE(call);
            const GlState now = session->state();
            CHECK(differences(left_by(before, now), now) == "");
            CHECK(session->errors.take() == "");
            be_hostile();
        };
        be_hostile();
        {
            Device device = Device::adopt_current_opengl(stage, StatePolicy::host_resets);
            check_left("adopt_current_opengl");
            Solver solver(device, grid_matrix(), {.tolerance = 1e-5});
            check_left("Solver");
            solver.warm_up(example.view(b.name), example.view(x.name));
            check_left("warm_up");
            solver.enqueue(example.view(b.name), example.view(x.name), {.iterations = 60});
            check_left("enqueue");
            glFinish();
            const auto report = solver.poll();
            CHECK(differences(before, session->state()) == "");  // nothing at all
            REQUIRE(report);
            CHECK(report->outcome == Outcome::met_on_device);
            solver.solve(example.view(b.name), example.view(x.name));
            check_left("solve of textures");
            std::vector<double> found(example.b.size(), 0.0);
            CHECK(solver.solve(example.b, found).converged());
            check_left("solve of vectors");
            solver.update_values(grid_matrix().value);
            check_left("update_values");
        }
        check_left("the end");
    }
}

TEST_CASE("poll saves what it touches, and no more", "[opengl][host_resets]") {
    const auto session = open_session<CoreSession>();
    if (session == nullptr) return;
    const Example example(kinds[0]);
    const auto policy = GENERATE(StatePolicy::restore, StatePolicy::host_resets);
    Device device = Device::adopt_current_opengl(Stage::fragment, policy);
    Solver solver(device, grid_matrix(), {.tolerance = 1e-5, .profile = true});
    const Picture b(example.width, example.height, 1, GL_R32F, example.b_texels),
        x(example.width, example.height, 1, GL_R32F, example.x_texels);
    solver.enqueue(example.view(b.name), example.view(x.name), {.iterations = 60, .history = true});
    glFinish();
    for (const Setting& setting : hostile_settings(*session)) setting.set();
    const GlState before = session->state();
    const auto report = solver.poll();
    CHECK(differences(before, session->state()) == "");
    REQUIRE(report);
    CHECK(report->outcome == Outcome::met_on_device);
    CHECK_FALSE(report->history.empty());
    CHECK(session->errors.take() == "");
}

}  // namespace tests_of_host_resets
