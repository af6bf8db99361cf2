// README: the graphics programmer. Everything but main() stands in the README, word for word.
#include <glsolve/glsolve.hpp>

// The pressure p of a fluid, inside your renderer:  -div grad p = b  in cells 1 apart, within closed walls.
// b is -div u, the NEGATIVE divergence of the velocity. With p your shader goes on:  u <- u - grad p.
// Both are textures of yours, R32F say, 512 x 512.
class Projection {
  public:
    Projection(unsigned negative_divergence, unsigned pressure)
        : gpu_(glsolve::Device::adopt_current_opengl()),  // opens no window, owns no context
          solver_(gpu_, {.width = 512, .height = 512, .spacing = {1, 1, 1}}, options()),
          b_{.texture = negative_divergence},
          x_{.texture = pressure} {
        solver_.warm_up(b_, x_);  // compiles and allocates, so that no frame does
    }

    void frame() { solver_.enqueue(b_, x_, {.iterations = 5}); }  // returns at once; your OpenGL state is as it was

    std::optional<glsolve::Report> outcome() { return solver_.poll(); }  // of an earlier frame; never waits

  private:
    static glsolve::Options options() {
        glsolve::Options options = glsolve::GridSolver::usual_options();  // conjugate gradients with multigrid
        options.precision = glsolve::Precision::single;
        options.tolerance = 1e-4;
        return options;
    }

    glsolve::Device gpu_;
    glsolve::GridSolver solver_;
    glsolve::TextureView b_, x_;
};

#include <GL/glew.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "opengl/context.hpp"

int main() {
    std::unique_ptr<glsolve::opengl::Context> context;
    try {
        context = glsolve::opengl::open_headless_context("", false);
    } catch (const glsolve::NoDevice& absent) {
        std::puts(absent.what());
        return 4;  // CTest shows a skip
    }
    context->make_current();
    { glsolve::Device loads_glew = glsolve::Device::adopt_current_opengl(glsolve::Stage::fragment); }
    // p = cos(pi (i + 1/2) / 512), which closed walls have, and what is -div grad p of it in cells 1 apart.
    const double k = std::acos(-1.0) / 512, of_p = 2 - 2 * std::cos(k);
    std::vector<float> b(512 * 512), p(512 * 512);
    for (std::size_t i = 0; i < b.size(); ++i)
        b[i] = static_cast<float>(of_p * std::cos(k * (static_cast<double>(i % 512) + 0.5)));
    GLuint textures[2];
    glGenTextures(2, textures);
    for (const GLuint texture : textures) {
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, 512, 512, 0, GL_RED, GL_FLOAT,
                     texture == textures[0] ? b.data() : p.data());
    }
    Projection projection(textures[0], textures[1]);
    for (int frame = 0; frame < 3; ++frame) projection.frame();
    int told = 0;
    bool met = false;
    while (told < 3) {
        if (const auto report = projection.outcome()) {
            std::printf("%s\n", report->reason.c_str());
            met = report->converged();
            ++told;
        }
    }
    glBindTexture(GL_TEXTURE_2D, textures[1]);
    glGetTexImage(GL_TEXTURE_2D, 0, GL_RED, GL_FLOAT, p.data());
    float error = 0;  // of the slope, which is what a fluid takes; p itself may have any constant
    for (std::size_t i = 1; i < 512; ++i) {
        const double slope = std::cos(k * (static_cast<double>(i) + 0.5)) - std::cos(k * (static_cast<double>(i) - 0.5));
        error = std::max(error, std::abs(p[i] - p[i - 1] - static_cast<float>(slope)));
    }
    std::printf("error of grad p: %g of %g\n", static_cast<double>(error), k);
    return met && error < 0.02f * static_cast<float>(k) ? 0 : 1;
}
