/// Independent sets as Luby finds them: every unknown has a measure, and those larger than all their neighbours come
/// in.
#pragma once

#include <algorithm>
#include <cstdint>

#include "amg/strength.hpp"

namespace glsolve::inline v0_1 {

/// A number with 32 bits after the point. No two unknowns have the same fraction, so none have the same measure.
using Measure = std::uint64_t;
constexpr Measure measure_one = Measure{1} << 32;

/// How many unknowns depend on each, plus a random number in [0, 1), always the same one. T is the transpose of S.
std::vector<Measure> measures(const Strength& T);

/// Whether i has a larger measure than all that it depends on and all that depend on it. The measure of what is
/// decided should be 0.
inline bool largest_among_neighbours(const Strength& S, const Strength& T, const std::vector<Measure>& measure,
                                     Index i) {
    const auto larger = [&](Index j) { return measure[j] > measure[i]; };
    return std::ranges::none_of(S.row(i), larger) && std::ranges::none_of(T.row(i), larger);
}

}  // namespace glsolve::inline v0_1
