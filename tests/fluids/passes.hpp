/// The GLSL of docs/fluids.md and docs/fluids-collocated.md, word for word.
#pragma once

#include <string>

namespace fluids {

/// All passes begin with this.
inline const std::string faces = R"(#version 330 core
uniform sampler2D cells;     // 1: fluid, 0: solid, -1: open, as GridSolver::set_cells_from reads it
uniform sampler2D velocity;
uniform sampler2D pressure;
uniform float h;             // the spacing

float kind(ivec2 cell) {     // beside the grid are walls
    ivec2 size = textureSize(cells, 0);
    bool inside = all(greaterThanEqual(cell, ivec2(0))) && all(lessThan(cell, size));
    return inside ? texelFetch(cells, cell, 0).r : 0.0;
}

// Is the face between these neighbours one of a wall or of a solid?
bool closed(ivec2 low, ivec2 high) { return kind(low) == 0.0 || kind(high) == 0.0; }

// grad p on the face between these neighbours. In an open cell p is 0.
float slope(ivec2 low, ivec2 high) {
    return closed(low, high) ? 0.0 : (texelFetch(pressure, high, 0).r - texelFetch(pressure, low, 0).r) / h;
}
)";

/// Staggered: texel (i, j) of `velocity` holds the velocity through the left and through the lower face of a cell.
inline const std::string staggered_right_side = faces + R"(
out float b;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy), right = cell + ivec2(1, 0), above = cell + ivec2(0, 1);
    vec2 low = texelFetch(velocity, cell, 0).xy;
    vec2 high = vec2(texelFetch(velocity, right, 0).x, texelFetch(velocity, above, 0).y);
    b = -(high.x - low.x + high.y - low.y) / h;  // -div u
}
)";

inline const std::string staggered_subtract_gradient = faces + R"(
out vec2 projected;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy), left = cell - ivec2(1, 0), below = cell - ivec2(0, 1);
    projected = texelFetch(velocity, cell, 0).xy - vec2(slope(left, cell), slope(below, cell));
}
)";

/// Collocated: texel (i, j) of `velocity` holds the velocity in the middle of a cell.
inline const std::string collocated_right_side = faces + R"(
out float b;

// The velocity along `axis` on the face between these neighbours. Solids and walls are at rest.
float on_face(ivec2 low, ivec2 high, int axis) {
    return closed(low, high) ? 0.0
                             : 0.5 * (texelFetch(velocity, low, 0)[axis] + texelFetch(velocity, high, 0)[axis]);
}

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy), x = ivec2(1, 0), y = ivec2(0, 1);
    b = -(on_face(cell, cell + x, 0) - on_face(cell - x, cell, 0)
        + on_face(cell, cell + y, 1) - on_face(cell - y, cell, 1)) / h;
}
)";

inline const std::string collocated_subtract_gradient = faces + R"(
out vec2 projected;

void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy), x = ivec2(1, 0), y = ivec2(0, 1);
    vec2 low = vec2(slope(cell - x, cell), slope(cell - y, cell));
    vec2 high = vec2(slope(cell, cell + x), slope(cell, cell + y));
    projected = texelFetch(velocity, cell, 0).xy - 0.5 * (low + high);
}
)";

}  // namespace fluids
