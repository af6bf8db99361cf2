/// The fluid's own passes. A cell is a unit long and a frame a unit of time. The grid is staggered (Harlow and Welch
/// 1965): texel (i, j) of the velocity holds u in the middle of the left face of cell (i, j), at (i, j + 1/2), and v in
/// the middle of its lower face, at (i + 1/2, j). The pressure is in the cells' middles, so that the divergence of a
/// cell is that of its four faces, exactly.
#pragma once

#include <string>

namespace fluid::shaders {

/// What all passes know: the box and the discs, and which cells and faces are theirs.
inline const std::string box = R"(#version 330 core
layout(std140) uniform Box {
    vec4 box;         // cells a side; of the inlet: the middle, half the width, the speed
    vec4 discs[3];    // middle, radius
    vec4 motions[3];  // velocity
};

int side() { return int(box.x); }

// The disc that this cell belongs to, or -1.
int disc_of(ivec2 cell) {
    int disc = -1;
    for (int k = 0; k < 3; ++k) {
        if (distance(vec2(cell) + 0.5, discs[k].xy) < discs[k].z) disc = k;
    }
    return disc;
}

// How far it is to the nearest disc; inside of it negative.
float distance_to_discs(vec2 at) {
    float nearest = 1e9;
    for (int k = 0; k < 3; ++k) nearest = min(nearest, distance(at, discs[k].xy) - discs[k].z);
    return nearest;
}

// 1 in the middle of the inlet, 0 beside it.
float inlet(float x) { return 1.0 - smoothstep(0.6, 1.0, abs(x - box.y) / box.z); }

// Faces of walls and solids have the velocity of these, whatever the fluid does. The inlet is a wall that lets in.
bool held(ivec2 face, int axis, out float velocity) {
    velocity = 0.0;
    if (axis == 0 && (face.x == 0 || face.x == side())) return true;
    if (axis == 1 && face.y == 0) {
        velocity = box.w * inlet(float(face.x) + 0.5);
        return true;
    }
    int disc = max(disc_of(face), disc_of(face - (axis == 0 ? ivec2(1, 0) : ivec2(0, 1))));
    if (disc < 0) return false;
    velocity = motions[disc][axis];
    return true;
}
)";

/// Sampling the velocity anywhere.
inline const std::string flow = R"(
uniform sampler2D velocity;
vec2 velocity_at(vec2 at) {
    vec2 texel = 1.0 / vec2(textureSize(velocity, 0));
    return vec2(texture(velocity, (at + vec2(0.5, 0.0)) * texel).x, texture(velocity, (at + vec2(0.0, 0.5)) * texel).y);
}
// Where that which is here was a frame ago: Runge and Kutta's second order.
vec2 origin(vec2 at) { return at - velocity_at(at - 0.5 * velocity_at(at)); }
)";

/// What GridSolver::set_cells_from reads: 1 a fluid cell, 0 a solid one; the uppermost row is open air, -1.
inline const std::string cells = box + R"(
out float kind;
void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    kind = cell.y == side() - 1 ? -1.0 : disc_of(cell) < 0 ? 1.0 : 0.0;
})";

/// w = dv/dx - du/dy
inline const std::string vorticity = box + flow + R"(
out float w;
void main() {
    vec2 at = gl_FragCoord.xy;
    const vec2 x = vec2(1.0, 0.0), y = vec2(0.0, 1.0);
    w = 0.5 * (velocity_at(at + x).y - velocity_at(at - x).y - velocity_at(at + y).x + velocity_at(at - y).x);
})";

/// The fluid carries its own velocity (Stam 1999), heat lifts it, and whirls that advection has smeared get back some
/// of their strength: f = strength (n x w), n = grad |w| / |grad |w|| (Steinhoff and Underhill 1994).
inline const std::string advect = box + flow + R"(
uniform sampler2D smoke;
uniform sampler2D vorticity;
uniform float lift;
uniform float strength;
out vec2 carried;

float whirl(vec2 at) { return texture(vorticity, at / box.x).x; }

vec2 force(vec2 at) {
    const vec2 x = vec2(1.0, 0.0), y = vec2(0.0, 1.0);
    vec2 slope = vec2(abs(whirl(at + x)) - abs(whirl(at - x)), abs(whirl(at + y)) - abs(whirl(at - y)));
    vec2 n = slope / (length(slope) + 1e-4);
    return strength * vec2(n.y, -n.x) * whirl(at) + vec2(0.0, lift * texture(smoke, at / box.x).y);
}

float on_face(ivec2 face, int axis) {
    float fixed_to;
    if (held(face, axis, fixed_to)) return fixed_to;
    vec2 at = vec2(face) + (axis == 0 ? vec2(0.0, 0.5) : vec2(0.5, 0.0));
    return velocity_at(origin(at))[axis] + force(at)[axis];
}

void main() {
    ivec2 face = ivec2(gl_FragCoord.xy);
    carried = vec2(on_face(face, 0), on_face(face, 1));
})";

/// b = -div u. The moving discs' faces are among the u.
inline const std::string right_side = box + R"(
uniform sampler2D velocity;
uniform sampler2D cells;
out float b;
void main() {
    ivec2 cell = ivec2(gl_FragCoord.xy);
    vec2 low = texelFetch(velocity, cell, 0).xy;
    vec2 high = vec2(texelFetch(velocity, cell + ivec2(1, 0), 0).x, texelFetch(velocity, cell + ivec2(0, 1), 0).y);
    b = texelFetch(cells, cell, 0).x > 0.0 ? low.x + low.y - high.x - high.y : 0.0;
})";

/// u <- u - grad p, where fluid flows. With -div grad p = b its divergence is now b's residual. Above the uppermost
/// face of the fluid it leaves as it is there.
inline const std::string subtract_gradient = box + R"(
uniform sampler2D velocity;
uniform sampler2D pressure;
out vec2 projected;
float on_face(ivec2 face, int axis) {
    face = min(face, ivec2(side(), side() - 2 + axis));
    float fixed_to;
    if (held(face, axis, fixed_to)) return fixed_to;
    ivec2 before = face - (axis == 0 ? ivec2(1, 0) : ivec2(0, 1));
    float slope = texelFetch(pressure, face, 0).x - texelFetch(pressure, before, 0).x;
    return texelFetch(velocity, face, 0)[axis] - slope;
}

void main() {
    ivec2 face = ivec2(gl_FragCoord.xy);
    projected = vec2(on_face(face, 0), on_face(face, 1));
})";

/// Smoke (x) and heat (y) are carried along, interpolated by Catmull and Rom's cubics so that they stay sharp, within
/// what the four nearest cells hold so that nothing swings over. The inlet adds, time takes away.
inline const std::string smoke = box + flow + R"(
uniform sampler2D smoke;
uniform vec2 keep;  // what is left of them after a frame
out vec2 carried;

vec4 cubic(float t) {
    return 0.5 * vec4(((2.0 - t) * t - 1.0) * t, (3.0 * t - 5.0) * t * t + 2.0, ((4.0 - 3.0 * t) * t + 1.0) * t,
                      (t - 1.0) * t * t);
}

vec2 smoke_at(vec2 at) {
    vec2 low = floor(at - 0.5);
    vec4 x = cubic(at.x - 0.5 - low.x), y = cubic(at.y - 0.5 - low.y);
    vec2 sum = vec2(0.0), least = vec2(1e9), most = vec2(0.0);
    for (int j = 0; j < 4; ++j) {
        for (int i = 0; i < 4; ++i) {
            ivec2 cell = clamp(ivec2(low) + ivec2(i - 1, j - 1), ivec2(0), ivec2(side() - 1));
            vec2 here = texelFetch(smoke, cell, 0).xy;
            sum += x[i] * y[j] * here;
            if ((i == 1 || i == 2) && (j == 1 || j == 2)) {
                least = min(least, here);
                most = max(most, here);
            }
        }
    }
    return clamp(sum, least, most);
}

void main() {
    vec2 at = gl_FragCoord.xy;
    carried = keep * smoke_at(origin(at));
    float source = inlet(at.x) * (1.0 - smoothstep(0.015, 0.03, at.y / box.x));
    carried = max(carried, vec2(source));
    // Inside a disc there is none, but for a skin of two cells that fluid cells beside it interpolate with; the air
    // above has none to give back.
    carried *= clamp(distance_to_discs(at) + 2.0, 0.0, 1.0);
    if (int(at.y) == side() - 1) carried = vec2(0.0);
})";

}  // namespace fluid::shaders
