/// The fluid: smoke that rises from an inlet, past the discs, out through the open top. Everything stays in textures.
#pragma once

#include <functional>

#include "discs.hpp"
#include "pass.hpp"

namespace fluid {

class Simulation {
  public:
    explicit Simulation(int cells_a_side);

    /// One frame. `solve` has the pressure solved from `right_side` to `pressure` in between, for these `cells`.
    void step(const Discs& discs, const std::function<void()>& solve);
    /// Without smoke, and at rest.
    void clear();

    int side() const { return side_; }
    const Target& cells() const { return cells_; }
    const Target& right_side() const { return right_side_; }
    const Target& pressure() const { return pressure_; }
    const Target& velocity() const { return velocity_; }  ///< of the frame before, or projected
    const Target& smoke() const { return smoke_; }

  private:
    int side_;
    GLuint box_ = 0;  // the uniform block that all shaders read
    Target cells_, vorticity_, right_side_, pressure_;
    Target velocity_, carried_velocity_;
    Target smoke_, carried_smoke_;
    Pass draw_cells_, draw_vorticity_, advect_, draw_right_side_, subtract_gradient_, carry_smoke_;
};

}  // namespace fluid
