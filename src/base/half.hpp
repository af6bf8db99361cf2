/// Numbers in half precision (binary16): 11 significant bits, from 2^-14 (below, multiples of 2^-24) to 65,504.
#pragma once

#include <bit>
#include <cstdint>

namespace glsolve::inline v0_1 {

/// The bits of the half that is nearest, of two the even one; from 65,520 on infinity.
constexpr std::uint16_t half_of(float value) {
    const auto bits = std::bit_cast<std::uint32_t>(value);
    const std::uint32_t sign = bits >> 16 & 0x8000u, size = bits & 0x7fffffffu;
    const auto with_sign = [&](std::uint32_t half) { return static_cast<std::uint16_t>(sign | half); };
    if (size > 0x7f800000u) return with_sign(0x7e00u);   // not a number
    if (size >= 0x477ff000u) return with_sign(0x7c00u);  // 65,520
    if (size < 0x38800000u) {                            // 2^-14: what is added to 1/2 is rounded to multiples of 2^-24
        return with_sign(std::bit_cast<std::uint32_t>(std::bit_cast<float>(size) + 0.5f) - 0x3f000000u);
    }
    return with_sign((size - 0x38000000u + 0xfffu + (size >> 13 & 1u)) >> 13);  // a carry goes into the exponent
}

constexpr float float_of_half(std::uint16_t half) {
    const std::uint32_t sign = (half & 0x8000u) << 16, size = half & 0x7fffu;
    const auto with_sign = [&](std::uint32_t bits) { return std::bit_cast<float>(sign | bits); };
    if (size < 0x0400u) return with_sign(std::bit_cast<std::uint32_t>(static_cast<float>(size) * 0x1p-24f));
    if (size >= 0x7c00u) return with_sign(0x7f800000u | (size & 0x3ffu) << 13);
    return with_sign((size << 13) + 0x38000000u);
}

constexpr float rounded_to_half(float value) { return float_of_half(half_of(value)); }

}  // namespace glsolve::inline v0_1
