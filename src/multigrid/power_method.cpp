#include "multigrid/power_method.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "amg/interpolation.hpp"
#include "base/random.hpp"
#include "device/reductions.hpp"
#include "device/verbs.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr double surely_bound = 2 + 1e-5;  // of rows that sum to zero, but for rounding

/// Growth of a random vector in the last of some steps with D^-1 A; waits.
double power_method(const AssembledSystem& system) {
    Backend& backend = system.backend;
    Vector x(backend, system.size, "random"), y(backend, system.size, "A x");
    Random random(PowerMethod::seed);
    std::vector<float> numbers(static_cast<std::size_t>(system.size));
    for (float& v : numbers) v = static_cast<float>(random.uniform() - 0.5);
    x.upload(numbers);
    Reductions reductions(backend, system.size);
    const Vector* d = system.diagonal();
    Scalar before(backend, "(x,x)"), after(backend, "(y,y)");
    for (int step = 0; step < PowerMethod::steps; ++step) {
        system.A.multiply(y, x);
        d != nullptr ? hadamard(y, *d, y) : scale(y, scalar_arg(static_cast<float>(system.unit)), y);
        if (step + 1 == PowerMethod::steps) reductions.dot(before, x, x);
        std::swap(x, y);
    }
    reductions.dot(after, x, x);
    std::array<float, 4> of_x{}, of_y{};
    const Ticket first = backend.read_later(before.id()), second = backend.read_later(after.id());
    backend.collect(first, std::span<float>(of_x));
    backend.collect(second, std::span<float>(of_y));
    // Nothing was normalised on the way.
    const double growth = std::sqrt(static_cast<double>(of_y[0]) / static_cast<double>(of_x[0]));
    return std::isfinite(growth) ? growth : std::numeric_limits<double>::infinity();
}

}  // namespace

double spectral_radius(const AssembledSystem& system, double bound) {
    return bound <= surely_bound ? bound : std::min(bound, PowerMethod::margin * power_method(system));
}

}  // namespace glsolve::inline v0_1
