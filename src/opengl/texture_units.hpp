/// Texture units of a pass: the inputs, then two for each scalar argument, then the status. Image units: outputs of
/// the compute stage, or inputs of the fragment stage where it reads from images.
#pragma once

#include "device/pass_table.hpp"

namespace glsolve::inline v0_1::opengl {

inline constexpr int scalar_unit = max_inputs;
inline constexpr int guard_unit = scalar_unit + 2 * max_scalars;
inline constexpr int texture_units = guard_unit + 1;
static_assert(texture_units == 17, "StatePolicy::host_resets (device.hpp, docs/embedding.md) promises units 0 to 16");
inline constexpr int image_units = max_inputs > max_outputs ? max_inputs : max_outputs;

}  // namespace glsolve::inline v0_1::opengl
