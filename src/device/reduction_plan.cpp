#include "device/reduction_plan.hpp"

namespace glsolve::inline v0_1 {

Extent reduced(Extent input, Extent tile) {
    return {(input.width + tile.width - 1) / tile.width, (input.height + tile.height - 1) / tile.height};
}

std::vector<Extent> reduction_plan(Extent input, ReductionShape shape) {
    std::vector<Extent> stages;
    while (input.texels() > shape.last) {
        input = reduced(input, shape.tile);
        stages.push_back(input);
    }
    stages.push_back({1, 1});
    return stages;
}

}  // namespace glsolve::inline v0_1
