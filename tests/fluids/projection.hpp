/// The C++ of docs/fluids.md, word for word.
#pragma once

#include <cmath>
#include <glsolve/glsolve.hpp>
#include <optional>
#include <string>
#include <utility>

#include "fluids/drawing.hpp"
#include "fluids/passes.hpp"

namespace fluids {

struct Effort {
    double tolerance = 1e-3;  // met when the divergence has fallen to this fraction (root mean square) ...
    double still = 1e-4;      // ... or to this number
    int iterations = 4;       // of a frame, at most
    bool warm = true;         // begin with the pressure of the frame before; false: with zero
};

class Projection {
  public:
    Projection(int width, int height, float h, const std::string& right_side, const std::string& subtract_gradient,
               const Effort& effort = {})
        : device_(glsolve::Device::adopt_current_opengl()),
          solver_(device_, {.width = width, .height = height, .spacing = {h, h, 1}},  // closed walls
                  options(effort, std::sqrt(1.0 * width * height))),
          budget_{.iterations = effort.iterations, .zero_guess = !effort.warm},
          right_side_(width, height, 1),
          pressure_(width, height, 1),  // zeros: the first guess
          make_right_side_(right_side),
          subtract_gradient_(subtract_gradient) {
        make_right_side_.set("h", h);
        subtract_gradient_.set("h", h);
        solver_.warm_up(b(), p());
    }

    void set_cells(const Target& cells) {  // when solids or the surface have moved
        cells_ = cells.texture();
        solver_.set_cells_from({.texture = cells_});
    }

    void project(const Target& velocity, const Target& projected) {
        make_right_side_.draw(right_side_, {{"cells", cells_}, {"velocity", velocity.texture()}});
        solver_.enqueue(b(), p(), budget_);  // p holds the last frame's pressure, and becomes this one's
        subtract_gradient_.draw(
            projected, {{"cells", cells_}, {"velocity", velocity.texture()}, {"pressure", pressure_.texture()}});
    }

    std::optional<glsolve::Report> outcome() { return solver_.poll(); }  // of an earlier frame; never waits

    const Target& right_side() const { return right_side_; }
    const Target& pressure() const { return pressure_; }

  private:
    static glsolve::Options options(const Effort& effort, double norm_of_ones) {
        glsolve::Options options = glsolve::GridSolver::usual_options();  // conjugate gradients with multigrid
        options.precision = glsolve::Precision::single;
        options.tolerance = effort.tolerance;
        options.absolute_tolerance = effort.still * norm_of_ones;
        return options;
    }
    glsolve::TextureView b() const { return {.texture = right_side_.texture()}; }
    glsolve::TextureView p() const { return {.texture = pressure_.texture()}; }

    glsolve::Device device_;
    glsolve::GridSolver solver_;
    glsolve::Budget budget_;
    GLuint cells_ = 0;
    Target right_side_, pressure_;
    Pass make_right_side_, subtract_gradient_;
};

}  // namespace fluids
