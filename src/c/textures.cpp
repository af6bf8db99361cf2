// Work on textures of the C interface.
#include <glsolve/texture.hpp>

#include "c/guarded.hpp"
#include "c/handles.hpp"

namespace glsolve::c {
namespace {

TextureView texture_of(const glsolve_texture* given, std::string_view name) {
    const glsolve_texture t = taken(given, name);
    return {.texture = t.texture,
            .x = t.x,
            .y = t.y,
            .width = t.width,
            .height = t.height,
            .texel = t.four != 0 ? Texel::four : Texel::one,
            .component = t.component,
            .right_hand_sides = t.right_hand_sides == 0 ? 1 : t.right_hand_sides,
            .layer = t.layered != 0 ? t.layer : -1};
}

}  // namespace
}  // namespace glsolve::c

using namespace glsolve;
using namespace glsolve::c;

int glsolve_enqueue(glsolve_solver* solver, const glsolve_texture* b, const glsolve_texture* x,
                    const glsolve_budget* budget) {
    return guarded([&] {
        const glsolve_budget most = taken_if_any(budget, "budget");
        const TextureView from = texture_of(b, "b"), to = texture_of(x, "x");
        const Budget given{.iterations = most.iterations,
                           .milliseconds = most.milliseconds,
                           .zero_guess = most.zero_guess != 0,
                           .report = most.silent == 0,
                           .history = most.history != 0};
        std::visit([&](auto& made) { made.enqueue(from, to, given); }, required(solver, "solver").solver);
    });
}

int glsolve_poll(glsolve_solver* solver, int32_t* arrived, glsolve_report* report) {
    return guarded([&] {
        int32_t& has_arrived = required(arrived, "arrived");
        if (report != nullptr) taken(report, "report");
        glsolve_solver& of = required(solver, "solver");
        std::optional<Report> outcome = std::visit([](auto& made) { return made.poll(); }, of.solver);
        has_arrived = outcome ? 1 : 0;
        if (outcome) tell(of, {std::move(*outcome)}, report);
    });
}

int glsolve_solve_textures(glsolve_solver* solver, const glsolve_texture* b, const glsolve_texture* x,
                           glsolve_report* report) {
    return guarded([&] {
        if (report != nullptr) taken(report, "report");
        glsolve_solver& of = required(solver, "solver");
        const TextureView from = texture_of(b, "b"), to = texture_of(x, "x");
        tell(of, {std::visit([&](auto& made) { return made.solve(from, to); }, of.solver)}, report);
    });
}

int glsolve_precondition_textures(glsolve_solver* solver, const glsolve_texture* b, const glsolve_texture* x) {
    return guarded([&] {
        const TextureView from = texture_of(b, "b"), to = texture_of(x, "x");
        std::visit([&](auto& made) { made.precondition(from, to); }, required(solver, "solver").solver);
    });
}

int glsolve_warm_up(glsolve_solver* solver, const glsolve_texture* b, const glsolve_texture* x) {
    return guarded([&] {
        const TextureView from = texture_of(b, "b"), to = texture_of(x, "x");
        std::visit([&](auto& made) { made.warm_up(from, to); }, required(solver, "solver").solver);
    });
}

int glsolve_set_cells_from(glsolve_solver* solver, const glsolve_texture* cells) {
    return guarded([&] { grid_solver(solver).set_cells_from(texture_of(cells, "cells")); });
}
