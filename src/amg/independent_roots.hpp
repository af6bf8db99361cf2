/// Roots of aggregates: of the unknowns within two strong steps of one another at most one, and as many as that allows.
///
/// Source:  M. Luby, SIAM J. Comput. 15 (1986); for two steps: N. Bell, S. Dalton and L. N. Olson, SIAM J. Sci. Comput.
///          34 (2012). Passes find the same ones (shaders/pass/independent_set.glsl).
#pragma once

#include <bit>
#include <cstdint>
#include <vector>

#include "amg/strength.hpp"

namespace glsolve::inline v0_1 {

/// Numbers below 2^bits go to numbers from 1 to 2^bits, no two to the same.
constexpr Index random_key(Index i, int bits) {
    const std::uint32_t mask = (std::uint32_t{1} << bits) - 1;
    const int shift = (bits + 1) / 2;
    auto h = static_cast<std::uint32_t>(i);
    h = ((h ^ (h >> shift)) * 0x85ebca6bu) & mask;  // MurmurHash3's last step (Appleby 2011), in so many bits
    h = ((h ^ (h >> shift)) * 0xc2b2ae35u) & mask;
    return static_cast<Index>(h ^ (h >> shift)) + 1;
}
constexpr int bits_of_keys(Index unknowns) {
    return std::bit_width(static_cast<std::uint32_t>(unknowns > 1 ? unknowns - 1 : 1));
}

/// Whether each unknown is one; S is symmetric. Who depends on nobody is none.
std::vector<bool> independent_roots(const Strength& S);

}  // namespace glsolve::inline v0_1
