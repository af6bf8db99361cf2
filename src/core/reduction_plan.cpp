#include "core/reduction_plan.hpp"

namespace glsolve::inline v0_1 {

std::vector<Extent> reduction_plan(Extent input, ReductionShape shape) {
    std::vector<Extent> stages;
    while (input.texels() > shape.last) {
        input = {(input.width + shape.tile.width - 1) / shape.tile.width,
                 (input.height + shape.tile.height - 1) / shape.tile.height};
        stages.push_back(input);
    }
    stages.push_back({1, 1});
    return stages;
}

}  // namespace glsolve::inline v0_1
