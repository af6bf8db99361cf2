#include "simulation.hpp"

#include <utility>

#include "shaders.hpp"

namespace fluid {
namespace {

// In sides of the box and frames.
constexpr float inlet_middle = 0.5f, inlet_half_width = 0.055f;
constexpr float jet = 0.010f;    // speed in the inlet
constexpr float lift = 4e-4f;    // acceleration of what is as hot as the inlet
constexpr float whirls = 0.06f;  // of the vorticity confinement, in cells: finer grids need less of it
constexpr float smoke_kept = 0.998f, heat_kept = 0.986f;

/// As the shaders' block has it, std140: four floats a line.
struct Box {
    float side, middle, half_width, speed;
    float discs[Discs::count][4];
    float motions[Discs::count][4];
};

Box box_of(int side, const Discs& discs) {
    const auto cells = static_cast<float>(side);
    Box box{cells, inlet_middle * cells, inlet_half_width * cells, jet * cells, {}, {}};
    for (std::size_t k = 0; k < Discs::count; ++k) {
        const Disc& disc = discs.all()[k];
        const double numbers[] = {disc.x, disc.y, disc.radius, disc.velocity_x, disc.velocity_y};
        for (std::size_t i = 0; i < 3; ++i) box.discs[k][i] = cells * static_cast<float>(numbers[i]);
        for (std::size_t i = 0; i < 2; ++i) box.motions[k][i] = cells * static_cast<float>(numbers[3 + i]);
    }
    return box;
}

}  // namespace

Simulation::Simulation(int cells_a_side)
    : side_(cells_a_side),
      cells_(make_target(GL_R32F, side_, side_)),
      vorticity_(make_target(GL_R16F, side_, side_, GL_LINEAR)),
      right_side_(make_target(GL_R32F, side_, side_)),
      pressure_(make_target(GL_R32F, side_, side_)),
      velocity_(make_target(GL_RG32F, side_ + 1, side_ + 1, GL_LINEAR)),
      carried_velocity_(make_target(GL_RG32F, side_ + 1, side_ + 1, GL_LINEAR)),
      smoke_(make_target(GL_RG16F, side_, side_, GL_LINEAR)),
      carried_smoke_(make_target(GL_RG16F, side_, side_, GL_LINEAR)),
      draw_cells_(shaders::cells, {}),
      draw_vorticity_(shaders::vorticity, {"velocity"}),
      advect_(shaders::advect, {"velocity", "smoke", "vorticity"}),
      draw_right_side_(shaders::right_side, {"velocity", "cells"}),
      subtract_gradient_(shaders::subtract_gradient, {"velocity", "pressure"}),
      carry_smoke_(shaders::smoke, {"velocity", "smoke"}) {
    glUseProgram(advect_.program());
    glUniform1f(glGetUniformLocation(advect_.program(), "lift"), lift * static_cast<float>(side_));
    glUniform1f(glGetUniformLocation(advect_.program(), "strength"), whirls);
    glUseProgram(carry_smoke_.program());
    glUniform2f(glGetUniformLocation(carry_smoke_.program(), "keep"), smoke_kept, heat_kept);
    glGenBuffers(1, &box_);
    glBindBuffer(GL_UNIFORM_BUFFER, box_);
    glBufferData(GL_UNIFORM_BUFFER, sizeof(Box), nullptr, GL_DYNAMIC_DRAW);
    glBindBufferBase(GL_UNIFORM_BUFFER, 0, box_);  // where a block is that nobody has put elsewhere
}

void Simulation::clear() {
    for (const Target* target : {&pressure_, &velocity_, &smoke_}) {
        glBindFramebuffer(GL_FRAMEBUFFER, target->framebuffer);
        glClearColor(0, 0, 0, 0);
        glClear(GL_COLOR_BUFFER_BIT);
    }
}

void Simulation::step(const Discs& discs, const std::function<void()>& solve) {
    const Box box = box_of(side_, discs);
    glBindBuffer(GL_UNIFORM_BUFFER, box_);
    glBufferSubData(GL_UNIFORM_BUFFER, 0, sizeof(Box), &box);

    draw_cells_.draw(cells_, {});
    draw_vorticity_.draw(vorticity_, {velocity_.texture});
    advect_.draw(carried_velocity_, {velocity_.texture, smoke_.texture, vorticity_.texture});
    draw_right_side_.draw(right_side_, {carried_velocity_.texture, cells_.texture});
    solve();
    subtract_gradient_.draw(velocity_, {carried_velocity_.texture, pressure_.texture});
    carry_smoke_.draw(carried_smoke_, {velocity_.texture, smoke_.texture});
    std::swap(smoke_, carried_smoke_);
}

}  // namespace fluid
