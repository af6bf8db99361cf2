/// What options may come to, where others than their table have to know.
#pragma once

#include <glsolve/csr.hpp>

namespace glsolve::inline v0_1 {

inline constexpr Index largest_inverse = 4096;    ///< rows: 64 MB, and some seconds of the host
inline constexpr int most_steps_of_chaotic = 16;  ///< in a pass

}  // namespace glsolve::inline v0_1
