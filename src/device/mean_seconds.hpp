/// How long device work takes, by the wall clock: timer queries of software renderers are wrong.
#pragma once

#include <chrono>

#include "device/backend.hpp"

namespace glsolve::inline v0_1 {

/// Seconds of one of `repetitions` runs of `work`, all of them finished. Software renderers drop draws that later ones
/// of the same batch cover: work that draws into one output again and again ends with Backend::flush().
template <class Work>
double mean_seconds(Backend& backend, int repetitions, const Work& work) {
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < repetitions; ++i) work();
    backend.finish();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / repetitions;
}

/// Works for a while before something is timed. GPUs lower their clocks while they wait for a compiler, and raise them
/// some milliseconds after it: without this, products of 4 us were measured as 7 us.
template <class Work>
void warm_up(Backend& backend, const Work& work) {
    constexpr double while_seconds = 0.03;
    constexpr int at_once = 20;
    work();
    backend.finish();
    if (backend.can().on_processor) return;
    for (double seconds = 0; seconds < while_seconds;) seconds += at_once * mean_seconds(backend, at_once, work);
}

}  // namespace glsolve::inline v0_1
