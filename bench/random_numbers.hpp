/// Numbers to measure with: devices that compress what they store would be quick with constants.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

namespace glsolve::bench {

/// n numbers, evenly distributed between `least` and `most`, the same each time.
inline std::vector<float> random_numbers(std::size_t n, float least = -1, float most = 1) {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> uniform(least, most);
    std::vector<float> numbers(n);
    for (float& each : numbers) each = uniform(random);
    return numbers;
}

}  // namespace glsolve::bench
