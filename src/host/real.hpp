/// This room is compiled twice: for vectors of floats as the namespace `host`, for vectors of doubles as
/// `host_doubles`.
#pragma once

#include "kernels/glsl.hpp"

#ifdef GLSOLVE_HOST_DOUBLES
#define GLSOLVE_HOST host_doubles
#define REAL(number) number
#define DOUBLE_REALS  // kernels ask for it
#else
#define GLSOLVE_HOST host
#define REAL(number) number##f
#endif

namespace glsolve::inline v0_1::GLSOLVE_HOST {

#ifdef GLSOLVE_HOST_DOUBLES
using Real = double;
inline constexpr bool in_doubles = true;
#else
using Real = float;
inline constexpr bool in_doubles = false;
#endif
using vec2 = glsl::Vec<Real, 2>;
using vec3 = glsl::Vec<Real, 3>;
using vec4 = glsl::Vec<Real, 4>;

}  // namespace glsolve::inline v0_1::GLSOLVE_HOST
