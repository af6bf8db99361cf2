/// The stages of a sum over a rectangle of texels, down to one texel: a pure function, testable without a device.
#pragma once

#include <cstdint>
#include <vector>

#include "device/layout.hpp"

namespace glsolve::inline v0_1 {

/// How one stage of a backend reduces: each output texel is the sum of a tile of the input; what is small enough is
/// summed at once by the last stage.
struct ReductionShape {
    Extent tile{4, 64};
    int last = 1024;  ///< at most so many texels go into the last stage
};

/// What a stage of a sum makes of its input: the integer `last` of PassId::sum.
enum class SumStage : std::int32_t {
    tiles,      ///< the sum over each tile
    all,        ///< the sum over all of it, component by component
    components  ///< ... and over the components, in all four of them
};

/// The extent of one stage's output: a texel for each tile, whole or not.
Extent reduced(Extent input, Extent tile);

/// The extents of the outputs of each stage, the last of them 1 x 1. Never empty.
std::vector<Extent> reduction_plan(Extent input, ReductionShape shape);

}  // namespace glsolve::inline v0_1
