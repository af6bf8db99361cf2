#include "copy_rate.hpp"

#include <random>
#include <vector>

#include "device/verbs.hpp"
#include "device_clock.hpp"

namespace glsolve::bench {

double copied_bytes_per_second(Backend& backend, Index n) {
    const Session session(backend);
    Vector x(backend, n, "x"), y(backend, n, "y");
    // Devices that compress textures would be quick with zeros.
    std::mt19937 random(7);
    std::uniform_real_distribution<float> uniform(-1, 1);
    std::vector<float> numbers(static_cast<std::size_t>(n));
    for (float& number : numbers) number = uniform(random);
    x.upload(numbers);
    // Back and forth: no copy is in vain.
    const double seconds = seconds_of(DeviceClock{.backend = &backend}, [&] {
        copy(y, x);
        copy(x, y);
    });
    return 2 * 8.0 * n / seconds;
}

}  // namespace glsolve::bench
