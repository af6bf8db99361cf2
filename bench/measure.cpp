#include "measure.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <optional>

namespace glsolve::bench {
namespace {

struct Batch {
    double seconds = 0;    // of one run
    double processor = 0;  // the same, of all threads together
};

Batch batch(const Clock& clock, const Work& work, int runs) {
    std::optional<Session> session;
    if (clock.backend != nullptr) session.emplace(*clock.backend);
    const bool flush = clock.backend != nullptr && clock.backend->info().stage == Stage::fragment;
    const std::clock_t processor = std::clock();
    const auto begin = std::chrono::steady_clock::now();
    for (int i = 0; i < runs; ++i) {
        work();
        if (flush) clock.backend->flush();
    }
    if (clock.backend != nullptr) clock.backend->finish();
    if (clock.wait) clock.wait();
    return {std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count() / runs,
            static_cast<double>(std::clock() - processor) / CLOCKS_PER_SEC / runs};
}

/// The median of some batches of about 20 ms: the wait at their end is then a small part.
Batch measure(const Clock& clock, const Work& work) {
    batch(clock, work, 2);  // compiles and allocates
    const int runs = std::clamp(static_cast<int>(0.02 / (batch(clock, work, 2).seconds + 1e-9)), 1, 2000);
    std::array<Batch, 7> batches;
    for (Batch& b : batches) b = batch(clock, work, runs);
    std::sort(batches.begin(), batches.end(), [](const Batch& a, const Batch& b) { return a.seconds < b.seconds; });
    return batches[batches.size() / 2];
}

}  // namespace

double seconds_of(const Clock& clock, const Work& work) { return measure(clock, work).seconds; }

void add(const Case& c, const Clock& clock, const std::function<double()>& copy_rate) {
    const auto run = [c, clock, copy_rate](benchmark::State& state) {
        const Work work = c.prepare();
        Batch b;
        for (auto _ : state) {
            b = measure(clock, work);
            state.SetIterationTime(b.seconds);
        }
        // Processor time is what a software renderer has really worked, whatever else goes on.
        state.counters["cpu us"] = 1e6 * b.processor;
        if (c.bytes > 0) state.counters["GB/s"] = 1e-9 * c.bytes / b.seconds;
        if (c.bytes > 0 && copy_rate) state.counters["of copy"] = c.bytes / b.seconds / copy_rate();
    };
    benchmark::RegisterBenchmark(c.name.c_str(), run)->UseManualTime()->Iterations(1)->Unit(benchmark::kMicrosecond);
}

}  // namespace glsolve::bench
