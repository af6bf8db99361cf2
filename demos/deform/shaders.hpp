/// The passes of a frame. Vertices lie in textures row after row, so wide that they make a rectangle; lists of what is
/// around a vertex lie one behind the other in textures `list_width` wide.
#pragma once

namespace deform::shaders {

/// What several of them need; stands before each.
inline constexpr const char* common = R"(#version 330 core
ivec2 at(int i, sampler2D texture) { int width = textureSize(texture, 0).x; return ivec2(i % width, i / width); }
vec3 rotate(vec4 q, vec3 v) { return v + 2.0 * cross(q.xyz, cross(q.xyz, v) + q.w * v); }
const vec3 key_light = normalize(vec3(-0.45, 0.8, 0.5));  // the direction to the main light
)";

/// The guess: on from where vertices are, as they have moved since the frame before (heavy ball).
inline constexpr const char* guess = R"(
uniform sampler2D moved, before;
uniform float momentum;
out vec4 guess;
void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    vec4 now = texelFetch(moved, here, 0);
    guess = now + momentum * (now - texelFetch(before, here, 0));
})";

/// The local step: the rotation R_i that takes the edges e around a vertex at rest nearest to what they are now, e':
///     R_i = argmin sum_j w_ij |R_i e_ij - e'_ij|^2,   the rotation in  A = sum_j w_ij e'_ij e_ij^T.
/// It is found by turning R about  omega = sum_k R_k x A_k / |sum_k R_k . A_k|  (k: columns) until that is nothing
/// (Mueller, Bender, Chentanez and Macklin 2016): with the last frame's rotation to begin with a few turns are enough,
/// and no singular value decomposition is needed.
/// A surface alone creases like paper; so neighbours shall turn alike: the energy has  stiffness w_ij |R_i - R_j|^2,
/// too, which adds  stiffness sum_j w_ij R_j  to A, with R_j of the pass before (Levi and Gotsman 2015).
inline constexpr const char* rotations = R"(
uniform sampler2D rest, moved, fans, edges, last;
uniform float stiffness;
out vec4 rotation;

mat3 as_matrix(vec4 q) {
    return mat3(rotate(q, vec3(1, 0, 0)), rotate(q, vec3(0, 1, 0)), rotate(q, vec3(0, 0, 1)));
}

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    vec3 p = texelFetch(rest, here, 0).xyz, p_now = texelFetch(moved, here, 0).xyz;
    int first = int(texelFetch(fans, here, 0).x), count = int(texelFetch(fans, here, 0).y);
    mat3 A = mat3(0.0);
    for (int k = first; k < first + count; ++k) {
        vec2 edge = texelFetch(edges, at(k, edges), 0).xy;  // the neighbour, and the weight
        ivec2 there = at(int(edge.x), rest);
        A += edge.y * outerProduct(p_now - texelFetch(moved, there, 0).xyz, p - texelFetch(rest, there, 0).xyz);
        A += stiffness * edge.y * as_matrix(texelFetch(last, there, 0));
    }
    vec4 q = texelFetch(last, here, 0);
    for (int k = 0; k < 6; ++k) {
        mat3 R = as_matrix(q);
        vec3 omega = (cross(R[0], A[0]) + cross(R[1], A[1]) + cross(R[2], A[2]))
                     / max(abs(dot(R[0], A[0]) + dot(R[1], A[1]) + dot(R[2], A[2])), 1e-20);
        float angle = length(omega);
        if (angle < 1e-7) break;
        vec3 axis = omega / angle;
        angle = 0.5 * min(angle, 1.0);
        vec4 turn = vec4(sin(angle) * axis, cos(angle));
        q = normalize(vec4(turn.w * q.xyz + q.w * turn.xyz + cross(turn.xyz, q.xyz),
                           turn.w * q.w - dot(turn.xyz, q.xyz)));
    }
    rotation = q;
})";

/// The right-hand side:  b_i = sum_j w_ij (R_i + R_j) / 2 (p_i - p_j) + strength h_i,  where h_i is the place that
/// the motion of its handle gives to a vertex.
inline constexpr const char* right_side = R"(
uniform sampler2D rest, rotations, fans, edges, anchors;
uniform float strength;
uniform vec4 turns[16], shifts[16];  // of each handle
out vec4 b;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    vec3 p = texelFetch(rest, here, 0).xyz;
    vec4 R = texelFetch(rotations, here, 0);
    int first = int(texelFetch(fans, here, 0).x), count = int(texelFetch(fans, here, 0).y);
    vec3 sum = vec3(0.0);
    for (int k = first; k < first + count; ++k) {
        vec2 edge = texelFetch(edges, at(k, edges), 0).xy;
        ivec2 there = at(int(edge.x), rest);
        vec3 e = p - texelFetch(rest, there, 0).xyz;
        sum += 0.5 * edge.y * (rotate(R, e) + rotate(texelFetch(rotations, there, 0), e));
    }
    vec4 anchor = texelFetch(anchors, here, 0);  // w: the handle
    int handle = int(anchor.w);
    if (handle > 0) sum += strength * (rotate(turns[handle], anchor.xyz) + shifts[handle].xyz);
    b = vec4(sum, 0.0);
})";

/// Normals, from all corners around a vertex, and how much longer the edges have become there (log2, root mean square).
inline constexpr const char* normals = R"(
uniform sampler2D rest, moved, fans, edges, corners;
out vec4 normal;

void main() {
    ivec2 here = ivec2(gl_FragCoord.xy);
    vec3 p = texelFetch(rest, here, 0).xyz, p_now = texelFetch(moved, here, 0).xyz, sum = vec3(0.0);
    ivec4 fan = ivec4(texelFetch(fans, here, 0));
    for (int k = fan.z; k < fan.z + fan.w; ++k) {
        vec2 others = texelFetch(corners, at(k, corners), 0).xy;
        sum += cross(texelFetch(moved, at(int(others.x), rest), 0).xyz - p_now,
                     texelFetch(moved, at(int(others.y), rest), 0).xyz - p_now);
    }
    float strain = 0.0;
    for (int k = fan.x; k < fan.x + fan.y; ++k) {
        ivec2 there = at(int(texelFetch(edges, at(k, edges), 0).x), rest);
        float before = distance(p, texelFetch(rest, there, 0).xyz);
        float now = distance(p_now, texelFetch(moved, there, 0).xyz);
        float change = log2(max(now, 1e-9) / max(before, 1e-9));
        strain += change * change / float(fan.y);
    }
    normal = vec4(sum / max(length(sum), 1e-20), sqrt(strain));
})";

// Drawing. The vertex shaders fetch the positions where the solver has left them.

inline constexpr const char* mesh_vertex = R"(
uniform sampler2D moved, normals, anchors;
uniform mat4 camera;
out vec3 place, normal;
out float strain, fixed_share, dragged_share;
void main() {
    ivec2 here = at(gl_VertexID, moved);
    place = texelFetch(moved, here, 0).xyz;
    normal = texelFetch(normals, here, 0).xyz;
    strain = texelFetch(normals, here, 0).w;
    float handle = texelFetch(anchors, here, 0).w;
    fixed_share = handle == 1.0 ? 1.0 : 0.0;
    dragged_share = handle > 1.0 ? 1.0 : 0.0;
    gl_Position = camera * vec4(place, 1.0);
})";

/// Two soft lights, light from the sky, a rim; free parts are green, and become magenta where edges change their
/// length.
inline constexpr const char* mesh_fragment = R"(
uniform vec3 eye;
uniform float ground;
in vec3 place, normal;
in float strain, fixed_share, dragged_share;
out vec4 colour;

vec3 strain_colour(float s) {
    vec3 calm = vec3(0.155, 0.36, 0.205), stretched = vec3(0.80, 0.62, 0.16), torn = vec3(0.68, 0.10, 0.36);
    return s < 0.5 ? mix(calm, stretched, smoothstep(0.06, 0.5, s)) : mix(stretched, torn, smoothstep(0.5, 1.1, s));
}

void main() {
    vec3 n = normalize(normal), view = normalize(eye - place);
    if (!gl_FrontFacing) n = -n;  // of an open mesh its inside
    vec3 base = strain_colour(strain);
    base = mix(base, vec3(0.07, 0.30, 1.0), smoothstep(0.4, 0.6, fixed_share));
    base = mix(base, vec3(0.95, 0.30, 0.03), smoothstep(0.4, 0.6, dragged_share));
    vec3 key = key_light, fill = normalize(vec3(0.9, 0.15, 0.35));
    float wrapped = max(0.0, (dot(n, key) + 0.25) / 1.25);
    vec3 light = 1.25 * wrapped * wrapped * vec3(1.0, 0.95, 0.86) + 0.30 * max(0.0, dot(n, fill)) * vec3(0.6, 0.75, 1.0)
                 + (0.22 + 0.16 * n.y) * vec3(0.75, 0.85, 1.0);
    light *= mix(0.7, 1.0, smoothstep(0.0, 0.35, place.y - ground + 0.12 * n.y));  // near the ground it is darker
    float shine = pow(max(0.0, dot(n, normalize(key + view))), 40.0);
    float rim = pow(1.0 - max(0.0, dot(n, view)), 3.0);
    vec3 linear = base * light + 0.14 * shine + 0.10 * rim * vec3(0.55, 0.7, 1.0) * (0.5 + 0.5 * n.y);
    colour = vec4(pow(linear, vec3(1.0 / 2.2)), 1.0);
})";

/// Where the mesh's shadow falls on the ground: along the light, onto a square with a side of 2 `extent`.
inline constexpr const char* shadow_vertex = R"(
uniform sampler2D moved;
uniform float ground, extent;
void main() {
    vec3 place = texelFetch(moved, at(gl_VertexID, moved), 0).xyz;
    vec3 fallen = place - key_light * ((place.y - ground) / key_light.y);
    gl_Position = vec4(fallen.xz / extent, 0.0, 1.0);
})";

inline constexpr const char* shadow_fragment = R"(
out vec4 shade;
void main() { shade = vec4(1.0); })";

/// A Gaussian along one direction.
inline constexpr const char* blur = R"(
uniform sampler2D picture;
uniform ivec2 direction;
out vec4 blurred;
void main() {
    ivec2 here = ivec2(gl_FragCoord.xy), last = textureSize(picture, 0) - 1;
    float sum = 0.0, weights = 0.0;
    for (int k = -9; k <= 9; ++k) {
        float weight = exp(-float(k * k) / 32.0);
        sum += weight * texelFetch(picture, clamp(here + k * direction, ivec2(0), last), 0).r;
        weights += weight;
    }
    blurred = vec4(sum / weights);
})";

/// The ground, seen through each pixel, lit in the middle, with the shadow on it, and the dark behind.
inline constexpr const char* background = R"(
uniform sampler2D shadow;
uniform vec3 eye, right, up, forward;  // right and up as long as half the picture is wide and high
uniform vec2 size;
uniform float ground, extent;
out vec4 colour;
void main() {
    vec2 across = 2.0 * gl_FragCoord.xy / size - 1.0;
    vec3 ray = normalize(forward + across.x * right + across.y * up);
    vec3 linear = mix(vec3(0.0045, 0.0065, 0.011), vec3(0.013, 0.018, 0.028), smoothstep(1.3, 0.0, length(across)));
    float down = (ground - eye.y) / ray.y;
    if (down > 0.0) {
        vec2 spot = (eye + down * ray).xz;
        float lit = exp(-0.55 * dot(spot, spot));
        float shade = texture(shadow, 0.5 + 0.5 * spot / extent).r;
        linear += lit * vec3(0.050, 0.056, 0.068) * (1.0 - 0.88 * shade);
    }
    float grain = fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5;
    colour = vec4(pow(linear, vec3(1.0 / 2.2)) + grain / 255.0, 1.0);  // without grain there would be bands
})";

}  // namespace deform::shaders
