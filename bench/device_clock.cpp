#include "device_clock.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <ctime>
#include <optional>

namespace glsolve::bench {
namespace {

DeviceTime batch(const DeviceClock& clock, const Work& work, int runs) {
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

}  // namespace

DeviceTime time_of(const DeviceClock& clock, const Work& work) {
    batch(clock, work, 2);  // compiles and allocates
    const int runs = std::clamp(static_cast<int>(0.02 / (batch(clock, work, 2).seconds + 1e-9)), 1, 2000);
    std::array<DeviceTime, 7> batches;
    for (DeviceTime& each : batches) each = batch(clock, work, runs);
    std::ranges::sort(batches, {}, &DeviceTime::seconds);
    return batches[batches.size() / 2];
}

}  // namespace glsolve::bench
