#include "view.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "shaders.hpp"

namespace fluid {
namespace {

constexpr int least_side = 512, most_side = 768;  // of a pane, in pixels

const std::string view_source = shaders::box + R"(
uniform sampler2D smoke;
uniform sampler2D velocity;
uniform sampler2D cells;
uniform vec3 smoke_pane;       // lower left corner, side
uniform vec3 divergence_pane;
uniform vec2 range;            // log10 of what is black, and of what is brightest
out vec4 colour;

// How much of a pixel at this distance from an edge is inside of it.
float cover(float outside, float pixels_a_cell) { return clamp(0.5 - outside * pixels_a_cell, 0.0, 1.0); }

// A disc as a ball of stone, lit from the upper left; the one that can be pulled is a little brighter.
vec3 stone(vec2 at) {
    vec3 grey = vec3(0.0);
    float nearest = 1e9;
    for (int k = 0; k < 3; ++k) {
        vec2 place = (at - discs[k].xy) / discs[k].z;
        if (length(place) > nearest) continue;
        nearest = length(place);
        float light = 0.5 + 0.5 * dot(place, normalize(vec2(-1.0, 1.4)));
        float rim = smoothstep(0.86, 1.0, nearest);
        grey = vec3(k == 2 ? 0.44 : 0.32) * (0.55 + 0.75 * light) * (1.0 - 0.45 * rim);
        if (k == 2) grey += 0.16 * (1.0 - smoothstep(0.0, 0.05, abs(nearest - 0.68)));
    }
    return grey;
}

vec3 smoke_colour(vec2 at) {
    vec2 here = at / box.x;
    vec2 s = texture(smoke, here).xy;
    float step = 2.0 / box.x;  // a slope to be lit from above: what is bright on top, dark beneath
    float slope = texture(smoke, here - vec2(0.0, step)).x - texture(smoke, here + vec2(step, step)).x;
    vec3 night = mix(vec3(0.012, 0.016, 0.030), vec3(0.030, 0.040, 0.068), here.y);
    vec3 ash = vec3(0.46, 0.40, 0.42) * (1.0 + 0.5 * clamp(slope, -1.0, 1.0));
    vec3 glow = mix(vec3(0.85, 0.24, 0.07), vec3(1.0, 0.86, 0.55), smoothstep(0.35, 1.0, s.y));
    vec3 body = mix(ash, glow, smoothstep(0.02, 0.55, s.y));
    return mix(night, body, 1.0 - exp(-2.8 * s.x * s.x - 0.9 * s.x));
}

// What is left of the divergence of a cell: orange where the fluid swells, blue where it shrinks.
vec3 divergence_colour(ivec2 cell) {
    if (texelFetch(cells, cell, 0).x <= 0.0) return vec3(0.0);
    vec2 low = texelFetch(velocity, cell, 0).xy;
    float left = texelFetch(velocity, cell + ivec2(1, 0), 0).x - low.x
                 + texelFetch(velocity, cell + ivec2(0, 1), 0).y - low.y;
    float strength = clamp((log(abs(left) + 1e-30) / log(10.0) - range.x) / (range.y - range.x), 0.0, 1.0);
    return left > 0.0 ? strength * mix(vec3(1.0, 0.36, 0.04), vec3(1.0, 0.74, 0.36), strength)
                      : strength * mix(vec3(0.06, 0.32, 1.0), vec3(0.38, 0.74, 1.0), strength);
}

void main() {
    colour = vec4(0.022, 0.025, 0.034, 1.0);
    for (int k = 0; k < 2; ++k) {
        vec3 pane = k == 0 ? smoke_pane : divergence_pane;
        vec2 inside = gl_FragCoord.xy - pane.xy;
        if (pane.z == 0.0 || min(inside.x, inside.y) < 0.0 || max(inside.x, inside.y) >= pane.z) continue;
        vec2 at = inside * box.x / pane.z;
        vec3 fluid = k == 0 ? smoke_colour(at) : divergence_colour(ivec2(at));
        vec3 solid = k == 0 ? stone(at) : vec3(0.16);
        colour.rgb = mix(fluid, solid, cover(distance_to_discs(at), pane.z / box.x));
        float inner = min(min(inside.x, inside.y), pane.z - max(inside.x, inside.y));
        if (inner < 1.0) colour.rgb = vec3(0.11, 0.12, 0.14);  // a frame
    }
})";

}  // namespace

int View::pane_side(int cells_a_side) {
    return std::min(most_side, cells_a_side * ((least_side + cells_a_side - 1) / cells_a_side));
}

View::View(int strip, int width, int height)
    : strip_(strip), width_(width), height_(height), draw_(view_source, {"smoke", "velocity", "cells"}) {
    glUseProgram(draw_.program());
    glUniform2f(glGetUniformLocation(draw_.program(), "range"), static_cast<float>(std::log10(least)),
                static_cast<float>(std::log10(most)));
    show(Show::both);
}

void View::show(Show what) {
    shown_ = what;
    const int panes = what == Show::both ? 2 : 1, side = std::min(height_, (width_ - strip_) / panes);
    const int x = strip_ + (width_ - strip_ - panes * side) / 2, y = (height_ - side) / 2;
    smoke_ = {x, y, what == Show::divergence ? 0 : side};
    divergence_ = {x + (panes - 1) * side, y, what == Show::smoke ? 0 : side};
    glUseProgram(draw_.program());
    for (const auto& [name, pane] : {std::pair("smoke_pane", smoke_), std::pair("divergence_pane", divergence_)}) {
        glUniform3f(glGetUniformLocation(draw_.program(), name), static_cast<float>(pane.x), static_cast<float>(pane.y),
                    static_cast<float>(pane.side));
    }
}

void View::draw(const Simulation& simulation, GLuint framebuffer) const {
    draw_.draw({.framebuffer = framebuffer, .width = width_, .height = height_},
               {simulation.smoke().texture, simulation.velocity().texture, simulation.cells().texture});
}

std::optional<Pane> View::pane_at(double x, double y) const {
    for (const Pane& pane : {smoke_, divergence_}) {
        if (x >= pane.x && x < pane.x + pane.side && y >= pane.y && y < pane.y + pane.side) return pane;
    }
    return std::nullopt;
}

}  // namespace fluid
