#include "paper_products.hpp"

#include <algorithm>
#include <glsolve/error.hpp>
#include <limits>
#include <memory>

#include "random_numbers.hpp"
#include "stopwatch.hpp"

namespace glsolve::bench::gmres {
namespace {

constexpr int paper_rounds = 6;

}  // namespace

PaperDevice* paper_device() {
    static const std::unique_ptr<PaperDevice> device = []() -> std::unique_ptr<PaperDevice> {
        try {
            return std::make_unique<PaperDevice>();
        } catch (const NoDevice&) {
            return nullptr;
        }
    }();
    return device.get();
}

std::optional<std::array<double, all_paper_products.size()>> paper_product_seconds(CsrView A, int count) {
    PaperDevice* device = paper_device();
    if (device == nullptr) return std::nullopt;
    const PaperMatrix matrix(device->context, A);
    const DeviceNumbers x(device->context, random_numbers(static_cast<std::size_t>(A.columns), 0.5f, 1.5f));
    DeviceNumbers y(device->context, static_cast<std::size_t>(A.rows));
    const cuda::Current current(device->context);
    std::array<double, all_paper_products.size()> seconds{};
    for (std::size_t k = 0; k < seconds.size(); ++k) {
        seconds[k] = std::numeric_limits<double>::infinity();
        for (int round = 0; round < paper_rounds; ++round) {
            const auto begin = Clock::now();
            for (int i = 0; i < count; ++i) device->kernels.multiply(all_paper_products[k], matrix, y, x);
            device->context.synchronize();
            seconds[k] = std::min(seconds[k], seconds_since(begin) / count);
        }
    }
    return seconds;
}

std::optional<InnerProductTime> paper_inner_product(const std::vector<float>& v, const std::vector<float>& w) {
    PaperDevice* device = paper_device();
    if (device == nullptr) return std::nullopt;
    const DeviceNumbers on_device_v(device->context, v), on_device_w(device->context, w);
    const cuda::Current current(device->context);
    const int n = static_cast<int>(v.size());
    InnerProductTime time{.seconds = std::numeric_limits<double>::infinity()};
    constexpr int count = 50;
    for (int round = 0; round < paper_rounds; ++round) {
        const auto begin = Clock::now();
        for (int i = 0; i < count; ++i) time.value = device->kernels.inner_product(n, on_device_v, on_device_w);
        time.seconds = std::min(time.seconds, seconds_since(begin) / count);
    }
    return time;
}

}  // namespace glsolve::bench::gmres
