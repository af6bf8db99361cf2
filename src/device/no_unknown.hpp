/// What row sums of a grid's constant couplings say of cells that hold no unknown (shaders/pass/grid.glsl).
#pragma once

namespace glsolve::inline v0_1 {

inline constexpr float sum_of_none = -1e30f;  ///< stored there
inline constexpr float no_unknown = -1e29f;   ///< all that is not above is such a cell's

}  // namespace glsolve::inline v0_1
