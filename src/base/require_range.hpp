/// Arguments out of their range, refused in the same words everywhere.
#pragma once

#include <fmt/format.h>

#include <glsolve/error.hpp>
#include <string_view>

namespace glsolve::inline v0_1 {

/// Throws InvalidInput unless least <= value <= most; NaN is not.
template <typename Number>
void require_range(std::string_view function, std::string_view parameter, Number value, Number least, Number most) {
    if (value >= least && value <= most) return;
    throw InvalidInput(
        fmt::format("{}: {} is {}; it has to be from {} to {}", function, parameter, value, least, most));
}

/// The same for what must be positive; the bounds keep sums and products of a few finite.
inline void require_positive(std::string_view function, std::string_view parameter, double value) {
    require_range(function, parameter, value, 1e-100, 1e100);
}

}  // namespace glsolve::inline v0_1
