/// Random numbers that are the same everywhere.
#pragma once

#include <cmath>
#include <cstdint>

namespace glsolve::inline v0_1 {

/// SplitMix64 (Steele, Lea, Flood 2014). The standard library's distributions differ from one library to the next;
/// files made from a seed should not.
class Random {
  public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t bits() {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
        return z ^ (z >> 31);
    }
    /// Uniform in [0, 1).
    double uniform() { return static_cast<double>(bits() >> 11) * 0x1.0p-53; }
    /// Standard normal, by Box and Muller.
    double normal() { return std::sqrt(-2 * std::log(1 - uniform())) * std::cos(6.283185307179586 * uniform()); }

  private:
    std::uint64_t state_;
};

}  // namespace glsolve::inline v0_1
