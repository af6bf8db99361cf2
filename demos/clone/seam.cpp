#include "clone/seam.hpp"

#include <cmath>
#include <cstddef>
#include <utility>

namespace cloning {
namespace {

const float* texel(const demo::Picture& picture, int x, int y) {
    return &picture.texels[4
                           * (static_cast<std::size_t>(y) * static_cast<std::size_t>(picture.width)
                              + static_cast<std::size_t>(x))];
}

bool holds(const demo::Picture& picture, int x, int y) {
    return x >= 0 && y >= 0 && x < picture.width && y < picture.height;
}

}  // namespace

Seam measure_seam(const Inputs& inputs, const Placement& placement, const demo::Picture& result) {
    const demo::Picture &source = inputs.source, &target = inputs.target;
    Seam seam;
    double pairs_along = 0, pairs_inside = 0;
    for (int y = 0; y < source.height; ++y) {
        for (int x = 0; x < source.width; ++x) {
            const int in_x = x + placement.x, in_y = y + placement.y;
            if (texel(source, x, y)[3] < 0.5f || !holds(target, in_x, in_y)) continue;
            ++seam.unknowns;
            for (const auto& [dx, dy] : {std::pair(1, 0), std::pair(-1, 0), std::pair(0, 1), std::pair(0, -1)}) {
                if (!holds(target, in_x + dx, in_y + dy)) continue;
                double unexplained = 0;
                for (std::size_t c = 0; c < 3; ++c) {
                    const double of_result = texel(result, in_x, in_y)[c] - texel(result, in_x + dx, in_y + dy)[c];
                    const double of_target = texel(target, in_x, in_y)[c] - texel(target, in_x + dx, in_y + dy)[c];
                    double g = texel(source, x, y)[c] - texel(source, x + dx, y + dy)[c];
                    if (placement.mixed_gradients && std::abs(of_target) > std::abs(g) + 1e-4) g = of_target;
                    unexplained += 255 * std::abs(of_result - g) / 3;
                }
                const bool both = texel(source, x + dx, y + dy)[3] > 0.5f;
                (both ? seam.inside : seam.along) += unexplained;
                (both ? pairs_inside : pairs_along) += 1;
            }
        }
    }
    if (pairs_along > 0) seam.along /= pairs_along;
    if (pairs_inside > 0) seam.inside /= pairs_inside;
    return seam;
}

}  // namespace cloning
