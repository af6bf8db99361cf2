#include "copy_rate.hpp"

#include "device/verbs.hpp"
#include "device_clock.hpp"
#include "random_numbers.hpp"

namespace glsolve::bench {

double copied_bytes_per_second(Backend& backend, Index n) {
    const Session session(backend);
    Vector x(backend, n, "x"), y(backend, n, "y");
    x.upload(random_numbers(static_cast<std::size_t>(n)));
    // Back and forth: no copy is in vain.
    const double seconds = seconds_of(DeviceClock{.backend = &backend}, [&] {
        copy(y, x);
        copy(x, y);
    });
    return 2 * 8.0 * n / seconds;
}

}  // namespace glsolve::bench
