// Arithmetic in two floats: exact where it says so, and found out where it is not.
#include <cmath>

#include "core/self_test.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"

using namespace glsolve;
using namespace glsolve::test;

TEST_CASE("sums and products without rounding error", "[passes][error_free]") {
    const Extent extent{9, 7};
    const auto count = static_cast<std::size_t>(extent.texels()) * 4;
    std::vector<float> x = random_numbers(count, 1), y = random_numbers(count, 2);
    for (std::size_t i = 0; i < count; ++i) y[i] = std::ldexp(y[i], static_cast<int>(i % 41) - 20);  // what double holds exactly
    x[0] = y[1] = x[2] = y[2] = 0;
    Harness h(PassId::error_free, extent);
    h.input("x", x).input("y", y).run();
    for (const char* name : {"s", "e", "p", "f"}) {
        INFO(name);
        CHECK(h.output(name) == h.reference(name));
    }
    CHECK(error_free_fault(backend_under_test()).empty());
    CHECK(backend_under_test().info().two_float_fault.empty());
}
