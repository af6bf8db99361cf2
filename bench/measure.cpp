#include "measure.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <optional>

namespace glsolve::bench {
namespace {

double batch(const Clock& clock, const std::function<void()>& work, int runs) {
    std::optional<Session> session;
    if (clock.backend != nullptr) session.emplace(*clock.backend);
    const bool flush = clock.backend != nullptr && clock.backend->info().stage == Stage::fragment;
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < runs; ++i) {
        work();
        if (flush) clock.backend->flush();
    }
    if (clock.backend != nullptr) clock.backend->finish();
    if (clock.wait) clock.wait();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / runs;
}

/// Runs that take about 20 ms together: the wait at their end is then a small part.
int runs_of_a_batch(const Clock& clock, const std::function<void()>& work) {
    batch(clock, work, 2);  // compiles and allocates
    return std::clamp(static_cast<int>(0.02 / (batch(clock, work, 2) + 1e-9)), 1, 2000);
}

}  // namespace

double seconds_of(const Clock& clock, const std::function<void()>& work) {
    const int runs = runs_of_a_batch(clock, work);
    std::array<double, 5> seconds{};
    for (double& s : seconds) s = batch(clock, work, runs);
    std::sort(seconds.begin(), seconds.end());
    return seconds[2];
}

void add(const Case& c, const Clock& clock, double copy_rate) {
    const auto run = [c, clock, copy_rate](benchmark::State& state) {
        const int runs = runs_of_a_batch(clock, c.work);
        double seconds = 0;
        const std::clock_t begin = std::clock();
        for (auto _ : state) {
            const double s = batch(clock, c.work, runs);
            state.SetIterationTime(s);
            seconds += s;
        }
        const auto count = static_cast<double>(state.iterations());
        // Processor time of all threads: what a software renderer has really worked, whatever else goes on.
        state.counters["cpu us"] = 1e6 * static_cast<double>(std::clock() - begin) / CLOCKS_PER_SEC / count / runs;
        if (c.bytes > 0) state.counters["GB/s"] = 1e-9 * c.bytes * count / seconds;
        if (c.bytes > 0 && copy_rate > 0) state.counters["of copy"] = c.bytes * count / seconds / copy_rate;
    };
    benchmark::RegisterBenchmark(c.name.c_str(), run)->UseManualTime()->Unit(benchmark::kMicrosecond);
}

}  // namespace glsolve::bench
