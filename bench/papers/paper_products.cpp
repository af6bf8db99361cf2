#include "paper_products.hpp"

#include <algorithm>
#include <chrono>
#include <glsolve/error.hpp>
#include <limits>
#include <memory>
#include <random>

namespace glsolve::bench {
namespace {

struct Opened {
    cuda::Context context{cuda::load_driver(), cuda::find_devices(cuda::load_driver()).front()};
    PaperKernels kernels{context};
};

/// Opened once; none where there is no CUDA.
Opened* opened() {
    static const std::unique_ptr<Opened> device = []() -> std::unique_ptr<Opened> {
        try {
            return std::make_unique<Opened>();
        } catch (const NoDevice&) {
            return nullptr;
        }
    }();
    return device.get();
}

}  // namespace

std::array<double, all_paper_products.size()> paper_product_seconds(const CsrMatrix& A, int count) {
    std::array<double, all_paper_products.size()> seconds{};
    Opened* device = opened();
    if (device == nullptr) return seconds;
    std::mt19937 random(7);
    std::uniform_real_distribution<float> number(0.5f, 1.5f);
    std::vector<float> numbers(static_cast<std::size_t>(A.columns));
    for (float& n : numbers) n = number(random);
    const PaperMatrix matrix(device->context, A);
    const DeviceNumbers x(device->context, numbers);
    DeviceNumbers y(device->context, static_cast<std::size_t>(A.rows));
    const cuda::Current current(device->context);
    constexpr int rounds = 6;
    for (std::size_t k = 0; k < seconds.size(); ++k) {
        seconds[k] = std::numeric_limits<double>::infinity();
        for (int round = 0; round < rounds; ++round) {
            const auto begin = std::chrono::steady_clock::now();
            for (int i = 0; i < count; ++i) device->kernels.multiply(all_paper_products[k], matrix, y, x);
            device->context.synchronize();
            const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begin;
            seconds[k] = std::min(seconds[k], took.count() / count);
        }
    }
    return seconds;
}

}  // namespace glsolve::bench
