// Heat in a plate, in a window: each frame is one implicit step of the heat equation, (I + dt L) u' = u, solved from
// texture to texture and drawn as colours. Two hot spots spread; the sides let nothing out.
#include <cmath>
#include <cstdio>
#include <exception>
#include <glsolve/glsolve.hpp>
#include <vector>

#include "support/panel.hpp"

namespace {

constexpr int side = 256, shown = 2 * side;  // cells, pixels
constexpr double dt = 4.0;

// The equation of GridSolver is  -div grad x + shift x = b; with shift = 1 / dt, b = u / dt.
constexpr const char* right_side = R"(#version 330 core
uniform sampler2D u;
uniform float shift;
out float b;
void main() { b = shift * texelFetch(u, ivec2(gl_FragCoord.xy), 0).r; })";

constexpr const char* colours = R"(#version 330 core
uniform sampler2D u;
out vec4 colour;
void main() {
    float t = texelFetch(u, ivec2(gl_FragCoord.xy) / 2, 0).r;
    colour = vec4(smoothstep(0.0, 0.5, t), smoothstep(0.25, 0.9, t), smoothstep(0.0, 0.1, t) * 0.4 + 0.6 * t * t, 1.0);
})";

/// Two hot spots.
std::vector<float> initial_temperature() {
    std::vector<float> texels(4 * side * side);
    for (int y = 0; y < side; ++y) {
        for (int x = 0; x < side; ++x) {
            const bool hot = std::hypot(x - 80, y - 90) < 36 || std::hypot(x - 180, y - 165) < 24;
            texels[4 * static_cast<std::size_t>(y * side + x)] = hot ? 1.0f : 0.0f;
        }
    }
    return texels;
}

void run(demo::StageOptions options) {
    demo::Stage stage(std::move(options));
    demo::Panel panel(stage);
    const GLuint u = demo::make_texture(GL_R32F, side, side, initial_temperature().data());
    const GLuint b = demo::make_texture(GL_R32F, side, side);
    const GLuint to_b = demo::make_program(right_side), show = demo::make_program(colours);
    GLuint into_b = 0;
    glGenFramebuffers(1, &into_b);
    glBindFramebuffer(GL_FRAMEBUFFER, into_b);
    glFramebufferTexture2D(GL_FRAMEBUFFER, GL_COLOR_ATTACHMENT0, GL_TEXTURE_2D, b, 0);
    glUseProgram(to_b);
    glUniform1f(glGetUniformLocation(to_b, "shift"), static_cast<float>(1 / dt));

    glsolve::Device device = glsolve::Device::adopt_current_opengl();
    glsolve::Options solver_options = glsolve::GridSolver::usual_options();
    solver_options.precision = glsolve::Precision::single;
    solver_options.tolerance = 1e-4;
    solver_options.profile = stage.options().profile;
    glsolve::GridSolver heat(device, {.width = side, .height = side, .shift = 1 / dt}, solver_options);
    heat.warm_up({.texture = b}, {.texture = u});

    int steps = 0, iterations = 0;
    glBindTexture(GL_TEXTURE_2D, u);
    do {
        demo::draw(to_b, into_b, side, side);
        heat.enqueue({.texture = b}, {.texture = u}, {.iterations = 3});  // u is the guess, and becomes the solution
        demo::draw(show, stage.framebuffer(), shown, shown);
        while (const auto report = heat.poll()) {  // of earlier frames
            ++steps;
            iterations += static_cast<int>(report->iterations);
            panel.heard(*report);
            if (!report->converged()) std::printf("%s\n", report->reason.c_str());
        }
        panel.draw("cg", "multigrid");
    } while (stage.next());
    std::printf("%s: %d frames; of those heard of %.1f iterations each\n", device.info().renderer.c_str(),
                stage.frame(), steps > 0 ? static_cast<double>(iterations) / steps : 0.0);
}

}  // namespace

int main(int argc, char** argv) try {
    demo::StageOptions options{.name = "glsolve: minimal", .width = shown, .height = shown};
    options.parse(argc, argv);
    run(std::move(options));
    return 0;
} catch (const std::exception& error) {
    std::fprintf(stderr, "minimal: %s\n", error.what());
    return 1;
}
