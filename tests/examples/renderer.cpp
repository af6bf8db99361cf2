// README: the graphics programmer. Everything but main() stands in the README, word for word.
#include <glsolve/glsolve.hpp>

// The pressure of a fluid, inside your renderer: divergence and pressure are your own textures, R32F say, 512 x 512.
class Projection {
  public:
    Projection(unsigned divergence, unsigned pressure)
        : gpu_(glsolve::Device::adopt_current_opengl()),  // opens no window, owns no context
          solver_(gpu_, {.width = 512, .height = 512}, options()),
          b_{.texture = divergence},
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
    std::vector<float> divergence(512 * 512);
    for (std::size_t i = 0; i < divergence.size(); ++i) divergence[i] = std::sin(0.01f * static_cast<float>(i % 512));
    GLuint textures[2];
    glGenTextures(2, textures);
    for (const GLuint texture : textures) {
        glBindTexture(GL_TEXTURE_2D, texture);
        glTexImage2D(GL_TEXTURE_2D, 0, GL_R32F, 512, 512, 0, GL_RED, GL_FLOAT,
                     texture == textures[0] ? divergence.data() : nullptr);
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
    return met ? 0 : 1;
}
