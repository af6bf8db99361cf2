#include "divergence_meter.hpp"

#include <algorithm>
#include <cmath>

namespace fluid {
namespace {

// A texel of the sums: squares before, squares after, the largest after, fluid cells; of 8 x 8 texels in one draw.
const std::string first_source = R"(#version 330 core
uniform sampler2D right_side;
uniform sampler2D velocity;
uniform sampler2D cells;
out vec4 sums;
void main() {
    ivec2 low = 8 * ivec2(gl_FragCoord.xy), end = min(low + 8, textureSize(cells, 0));
    sums = vec4(0.0);
    for (int y = low.y; y < end.y; ++y) {
        for (int x = low.x; x < end.x; ++x) {
            ivec2 cell = ivec2(x, y);
            if (texelFetch(cells, cell, 0).x <= 0.0) continue;
            vec2 here = texelFetch(velocity, cell, 0).xy;
            float left = texelFetch(velocity, cell + ivec2(1, 0), 0).x - here.x
                         + texelFetch(velocity, cell + ivec2(0, 1), 0).y - here.y;
            float before = texelFetch(right_side, cell, 0).x;
            sums = vec4(sums.xy + vec2(before * before, left * left), max(sums.z, abs(left)), sums.w + 1.0);
        }
    }
})";

const std::string next_source = R"(#version 330 core
uniform sampler2D finer;
out vec4 sums;
void main() {
    ivec2 low = 8 * ivec2(gl_FragCoord.xy), end = min(low + 8, textureSize(finer, 0));
    sums = vec4(0.0);
    for (int y = low.y; y < end.y; ++y) {
        for (int x = low.x; x < end.x; ++x) {
            vec4 some = texelFetch(finer, ivec2(x, y), 0);
            sums = vec4(sums.xy + some.xy, max(sums.z, some.z), sums.w + some.w);
        }
    }
})";

Divergence from_sums(const std::array<float, 4>& sums) {
    const double count = std::max(1.0, static_cast<double>(sums[3]));
    return {.before = std::sqrt(static_cast<double>(sums[0]) / count),
            .after = std::sqrt(static_cast<double>(sums[1]) / count),
            .largest = static_cast<double>(sums[2])};
}

}  // namespace

DivergenceMeter::DivergenceMeter(const Simulation& simulation)
    : simulation_(simulation),
      first_(first_source, {"right_side", "velocity", "cells"}),
      next_(next_source, {"finer"}) {
    int side = simulation.side();
    do {
        side = (side + 7) / 8;
        levels_.push_back(make_target(GL_RGBA32F, side, side));
    } while (side > 1);
    for (Copy& copy : copies_) {
        glGenBuffers(1, &copy.buffer);
        glBindBuffer(GL_PIXEL_PACK_BUFFER, copy.buffer);
        glBufferData(GL_PIXEL_PACK_BUFFER, sizeof(std::array<float, 4>), nullptr, GL_STREAM_READ);
    }
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
}

DivergenceMeter::~DivergenceMeter() {
    for (const Copy& copy : copies_) {
        glDeleteSync(copy.arrived);
        glDeleteBuffers(1, &copy.buffer);
    }
}

void DivergenceMeter::measure() {
    first_.draw(levels_.front(),
                {simulation_.right_side().texture, simulation_.velocity().texture, simulation_.cells().texture});
    for (std::size_t k = 1; k < levels_.size(); ++k) next_.draw(levels_[k], {levels_[k - 1].texture});
    if (newest_ - oldest_ == copies) return;  // all are under way: this frame's is not told
    Copy& copy = copies_[newest_++ % copies];
    glBindBuffer(GL_PIXEL_PACK_BUFFER, copy.buffer);
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_FLOAT, nullptr);  // into the buffer, from the framebuffer drawn last
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    copy.arrived = glFenceSync(GL_SYNC_GPU_COMMANDS_COMPLETE, 0);
}

std::optional<Divergence> DivergenceMeter::poll() {
    if (newest_ == oldest_) return std::nullopt;
    Copy& copy = copies_[oldest_ % copies];
    if (glClientWaitSync(copy.arrived, GL_SYNC_FLUSH_COMMANDS_BIT, 0) == GL_TIMEOUT_EXPIRED) return std::nullopt;
    ++oldest_;
    glDeleteSync(copy.arrived);
    copy.arrived = nullptr;
    std::array<float, 4> sums{};
    glBindBuffer(GL_PIXEL_PACK_BUFFER, copy.buffer);
    glGetBufferSubData(GL_PIXEL_PACK_BUFFER, 0, sizeof(sums), sums.data());
    glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
    return from_sums(sums);
}

Divergence DivergenceMeter::last() {
    std::array<float, 4> sums{};
    glBindFramebuffer(GL_FRAMEBUFFER, levels_.back().framebuffer);
    glReadPixels(0, 0, 1, 1, GL_RGBA, GL_FLOAT, sums.data());
    return from_sums(sums);
}

}  // namespace fluid
