// Half precision: every half, and the nearest to any float.
#include "base/half.hpp"

#include <cmath>
#include <limits>

#include "base/random.hpp"
#include "support/catch.hpp"

namespace tests_of_half {

using namespace glsolve;

namespace {

/// From its definition, in double precision.
double value_of(std::uint16_t half) {
    const int exponent = half >> 10 & 31, mantissa = half & 1023;
    const double size = exponent == 0 ? std::ldexp(mantissa, -24) : std::ldexp(1024 + mantissa, exponent - 25);
    return half >> 15 != 0 ? -size : size;
}

}  // namespace

TEST_CASE("every half is a float, which rounds to itself", "[core]") {
    for (std::uint32_t bits = 0; bits < 0x10000; ++bits) {
        const auto half = static_cast<std::uint16_t>(bits);
        const float value = float_of_half(half);
        if ((bits & 0x7c00) == 0x7c00) {
            REQUIRE(std::isnan(value) == ((bits & 0x3ff) != 0));
            REQUIRE(std::isnan(rounded_to_half(value)) == std::isnan(value));
            if (std::isinf(value)) REQUIRE(half_of(value) == half);
            continue;
        }
        REQUIRE(static_cast<double>(value) == value_of(half));
        REQUIRE(half_of(value) == half);
    }
}

TEST_CASE("floats are rounded to the nearest half, of two to the even one", "[core]") {
    for (std::uint16_t half = 0; half < 0x7bff; ++half) {
        const double low = value_of(half), high = value_of(static_cast<std::uint16_t>(half + 1));
        const auto middle = static_cast<float>((low + high) / 2);
        const std::uint16_t even = half % 2 == 0 ? half : static_cast<std::uint16_t>(half + 1);
        REQUIRE(half_of(middle) == even);
        REQUIRE(half_of(-middle) == (even | 0x8000));
        REQUIRE(half_of(std::nextafter(middle, 0.0f)) == half);
        REQUIRE(half_of(std::nextafter(middle, 1e9f)) == half + 1);
    }
    Random random(5);
    for (int i = 0; i < 100'000; ++i) {
        const auto value = static_cast<float>(std::ldexp(random.uniform() - 0.5, static_cast<int>(i % 60) - 40));
        const double error = std::abs(static_cast<double>(rounded_to_half(value)) - static_cast<double>(value));
        if (std::abs(value) < 65'504) REQUIRE(error <= std::max(std::abs(value) * 0x1p-11, 0x1p-25));
    }
    CHECK(half_of(65'519.9f) == 0x7bff);
    CHECK(half_of(65'520.0f) == 0x7c00);
    CHECK(half_of(-std::numeric_limits<float>::infinity()) == 0xfc00);
    CHECK(half_of(0x1p-25f) == 0);
    CHECK(half_of(-0.0f) == 0x8000);
}

}  // namespace tests_of_half
