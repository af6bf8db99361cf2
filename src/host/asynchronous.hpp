/// Asynchronous passes on the host (PassRow::asynchronous): threads that do not wait for one another. What one of them
/// writes while others read it goes through atomic operations without any order.
#pragma once

#include <algorithm>
#include <atomic>
#include <system_error>
#include <thread>
#include <vector>

#include "host/pass.hpp"

namespace glsolve::inline v0_1::host {

/// Step k reads one of y's two rectangles and writes the other.
inline Texels& read_in(const Pass& pass, int step) { return step % 2 == 0 ? *pass.outputs[0] : *pass.other; }
inline Texels& written_in(const Pass& pass, int step) { return read_in(pass, step + 1); }

inline vec4& texel_at(Texels& y, ivec2 at) {
    return y.real[static_cast<std::size_t>(at.y) * static_cast<std::size_t>(y.extent.width)
                  + static_cast<std::size_t>(at.x)];
}
/// Zeros outside.
inline vec4 load_shared(Texels& y, ivec2 at) {
    if (at.x < 0 || at.y < 0 || at.x >= y.extent.width || at.y >= y.extent.height) return vec4(0.0f);
    vec4& from = texel_at(y, at);
    const auto load = [](float& f) { return std::atomic_ref<float>(f).load(std::memory_order_relaxed); };
    return {load(from.x), load(from.y), load(from.z), load(from.w)};
}

inline void store_shared(Texels& y, ivec2 at, vec4 value) {
    vec4& to = texel_at(y, at);
    for (int i = 0; i < 4; ++i) std::atomic_ref<float>(to[i]).store(value[i], std::memory_order_relaxed);
}

/// Calls kernel(step, at) for all steps of all texels: a thread for each tile of texels, one behind the other.
template <class Kernel>
void each_in_no_order(const Pass& pass, const Kernel& kernel) {
    const int width = pass.domain.width, texels = width * pass.domain.height,
              steps = pass.call.integer[row(pass.call.pass).integers.size() - 1];
    if (texels == 0) return;
    const int tiles = std::min(std::clamp(static_cast<int>(std::thread::hardware_concurrency()), 2, 16), texels);
    const int tile = (texels + tiles - 1) / tiles;
    const auto work = [&](int begin) {
        for (int step = 0; step < steps; ++step) {
            for (int t = begin; t < std::min(begin + tile, texels); ++t) kernel(step, ivec2(t % width, t / width));
        }
    };
    std::vector<std::jthread> others;
    for (int begin = tile; begin < texels; begin += tile) {
        try {
            others.emplace_back(work, begin);
        } catch (const std::system_error&) {  // no more threads are to be had
            work(begin);
        }
    }
    work(0);
}

}  // namespace glsolve::inline v0_1::host
