#include "formats/time_product.hpp"

#include <algorithm>
#include <array>
#include <random>

#include "device/mean_seconds.hpp"

namespace glsolve::inline v0_1 {
namespace {

std::vector<float> random_numbers(Index count) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> uniform(0.5f, 1.5f);
    std::vector<float> numbers(static_cast<std::size_t>(count));
    for (float& number : numbers) number = uniform(random);
    return numbers;
}

}  // namespace

TimedVectors::TimedVectors(Backend& backend, Index rows)
    : x(backend, rows, "measured x"), y(backend, rows, "measured y") {
    x.upload(random_numbers(rows));
}

double time_product(Backend& backend, Operator& A, TimedVectors& vectors) {
    const auto product = [&] {
        A.multiply(vectors.y, vectors.x);
        backend.flush();
    };
    const auto batch = [&](int repetitions) { return mean_seconds(backend, repetitions, product); };
    warm_up(backend, product);
    const int repetitions = std::clamp(static_cast<int>(0.005 / (batch(1) + 1e-9)), 1, 100);
    std::array<double, 5> seconds{};
    for (double& s : seconds) s = batch(repetitions);
    std::nth_element(seconds.begin(), seconds.begin() + 2, seconds.end());
    return seconds[2];
}

}  // namespace glsolve::inline v0_1
