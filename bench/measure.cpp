#include "measure.hpp"

namespace glsolve::bench {

void add(const Case& c, const Clock& clock, const std::function<double()>& copy_rate) {
    const auto run = [c, clock, copy_rate](benchmark::State& state) {
        const Work work = c.prepare();
        DeviceTime b;
        for (auto _ : state) {
            b = time_of(clock, work);
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
