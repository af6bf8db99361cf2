#include "race/panes.hpp"

#include <algorithm>
#include <cmath>

namespace race {
namespace {

constexpr int steps_of_scale = 256;

// The colours: black, violet, crimson, orange, pale yellow. Their lightness L* grows evenly, so that equal steps look
// equal (0 at t = 0, 44 at 1/2, 98 at 1).
//
// A pixel shows the mean of 3 x 3 places in it, since there may be more unknowns than pixels.
constexpr const char* colours = R"(#version 330 core
uniform sampler2D numbers;
uniform vec4 pane;     // its lower left, and its size, in pixels
uniform vec3 range;    // darkest, brightest; 1: of log10 |number|, 0: of the number
out vec4 colour;
vec3 ramp(float t) {
    return vec3(0.001, 0.000, 0.014) + t * (vec3(0.053, 0.665, 2.113) + t * (vec3(11.959, -4.134, -1.252)
         + t * (vec3(-42.251, 15.656, -2.276) + t * (vec3(77.129, -26.281, -10.163)
         + t * (vec3(-70.790, 23.617, 19.752) + t * vec3(24.886, -8.526, -7.544))))));
}
void main() {
    ivec2 size = textureSize(numbers, 0);
    float t = 0.0;
    for (int k = 0; k < 9; ++k) {
        vec2 place = gl_FragCoord.xy - pane.xy + (vec2(k % 3, k / 3) - 1.0) / 3.0;
        float number = texelFetch(numbers, clamp(ivec2(place / pane.zw * vec2(size)), ivec2(0), size - 1), 0).r;
        if (range.z == 1.0) number = log(max(abs(number), 1e-30)) / log(10.0);
        t += clamp((number - range.x) / (range.y - range.x), 0.0, 1.0) / 9.0;
    }
    colour = vec4(clamp(ramp(t), 0.0, 1.0), 1.0);
})";

}  // namespace

Panes::Panes(const demo::Stage& stage, int side)
    : stage_(stage),
      side_(side),
      program_(demo::make_program(colours)),
      numbers_(demo::make_texture(GL_R32F, std::max(side, 1), std::max(side, 1))),
      texels_(static_cast<std::size_t>(side) * static_cast<std::size_t>(side)) {
    std::vector<float> scale;
    for (int k = 0; k < steps_of_scale; ++k) {
        const float t = (static_cast<float>(k) + 0.5f) / steps_of_scale;
        const float error = std::pow(10.0f, darkest_error + t * (brightest_error - darkest_error));
        scale.insert(scale.end(), {error, 0, 0, 0});
    }
    scale_ = demo::make_texture(GL_R32F, steps_of_scale, 1, scale.data());
}

void Panes::draw(const std::vector<double>& numbers, View view, int x, int y, int pixels) {
    std::ranges::transform(numbers, texels_.begin(), [](double number) { return static_cast<float>(number); });
    glBindTexture(GL_TEXTURE_2D, numbers_);
    glTexSubImage2D(GL_TEXTURE_2D, 0, 0, 0, side_, side_, GL_RED, GL_FLOAT, texels_.data());
    draw_texture(numbers_, view, x, y, pixels, pixels);
}

void Panes::draw_scale(int x, int y, int width, int height) { draw_texture(scale_, View::error, x, y, width, height); }

void Panes::draw_texture(GLuint texture, View view, int x, int y, int width, int height) const {
    const int lower = stage_.options().height - y - height;  // OpenGL counts from below
    glBindFramebuffer(GL_FRAMEBUFFER, stage_.framebuffer());
    glViewport(x, lower, width, height);
    glActiveTexture(GL_TEXTURE0);
    glBindTexture(GL_TEXTURE_2D, texture);
    glUseProgram(program_);
    glUniform4f(glGetUniformLocation(program_, "pane"), static_cast<float>(x), static_cast<float>(lower),
                static_cast<float>(width), static_cast<float>(height));
    if (view == View::error) {
        glUniform3f(glGetUniformLocation(program_, "range"), darkest_error, brightest_error, 1);
    } else {
        glUniform3f(glGetUniformLocation(program_, "range"), 0, 1.6f, 0);
    }
    glDrawArrays(GL_TRIANGLES, 0, 3);
}

}  // namespace race
