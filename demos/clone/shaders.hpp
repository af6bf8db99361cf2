/// What is drawn in a frame beside the solver's passes. Neighbours of a pixel p are called q; N are those of them that
/// lie in the target. "Placed" is the source's lower left pixel in the target.
#pragma once

namespace cloning {

/// What the cells of the grid over the source are: an unknown in the mask (positive), the value 0 beside it (negative),
/// and solid, so that nothing passes, beside the target (0).
inline constexpr const char* cells_shader = R"(#version 330 core
uniform sampler2D source, target;
uniform ivec2 placed;
out float cell;
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy), in_target = p + placed;
    bool outside = any(lessThan(in_target, ivec2(0))) || any(greaterThanEqual(in_target, textureSize(target, 0)));
    cell = outside ? 0.0 : texelFetch(source, p, 0).a > 0.5 ? 1.0 : -1.0;
})";

/// The right-hand side of  sum_N (v_p - v_q) = b_p,  three of them: red, green and blue.
///
///     b_p = sum_N g_pq - (t_p - t_q),   g_pq = s_p - s_q, or mixed: the larger of that and t_p - t_q
///
/// With f = t + v it says  sum_N (f_p - f_q) = sum_N g_pq:  Perez, Gangnet and Blake 2003, equations 7, 11 and 13.
inline constexpr const char* right_side_shader = R"(#version 330 core
uniform sampler2D source, target;
uniform ivec2 placed;
uniform bool mixed_gradients;
out vec4 b;
const float even = 1e-4;  // less than any difference between two bytes: what is equally strong is the source's
const ivec2 ways[4] = ivec2[](ivec2(-1, 0), ivec2(1, 0), ivec2(0, -1), ivec2(0, 1));
void main() {
    ivec2 p = ivec2(gl_FragCoord.xy), size = textureSize(target, 0);
    b = vec4(0.0);
    ivec2 in_target = p + placed;
    bool outside = any(lessThan(in_target, ivec2(0))) || any(greaterThanEqual(in_target, size));
    if (outside || texelFetch(source, p, 0).a < 0.5) return;
    vec3 s = texelFetch(source, p, 0).rgb, t = texelFetch(target, in_target, 0).rgb;
    for (int k = 0; k < 4; ++k) {
        ivec2 q = in_target + ways[k];
        if (any(lessThan(q, ivec2(0))) || any(greaterThanEqual(q, size))) continue;
        vec3 of_source = s - texelFetch(source, p + ways[k], 0).rgb, of_target = t - texelFetch(target, q, 0).rgb;
        bvec3 target_is_stronger = greaterThan(abs(of_target), abs(of_source) + even);
        vec3 g = mixed_gradients ? mix(of_source, of_target, target_is_stronger) : of_source;
        b.rgb += g - of_target;
    }
})";

/// The target with what is put into it: t + v, or for comparison the source's own colours.
inline constexpr const char* compose_shader = R"(#version 330 core
uniform sampler2D source, target, v;
uniform ivec2 placed;
uniform bool cloned;
out vec4 colour;
void main() {
    ivec2 at = ivec2(gl_FragCoord.xy), p = at - placed;
    colour = vec4(texelFetch(target, at, 0).rgb, 1.0);
    bool beside = any(lessThan(p, ivec2(0))) || any(greaterThanEqual(p, textureSize(source, 0)));
    if (beside || texelFetch(source, p, 0).a < 0.5) return;
    colour.rgb = cloned ? colour.rgb + texelFetch(v, p, 0).rgb : texelFetch(source, p, 0).rgb;
})";

/// The pictures in the window: each has a corner and a size there (a size of 0: it is not shown). Of the source what is
/// not cloned is dark.
inline constexpr const char* show_shader = R"(#version 330 core
uniform sampler2D pasted, cloned, source;
uniform vec4 pasted_pane, cloned_pane, source_pane;
out vec4 colour;
void show(sampler2D picture, vec4 pane, float unmasked) {
    vec2 at = (gl_FragCoord.xy - pane.xy) / max(pane.zw, vec2(1e-3));
    if (any(lessThan(at, vec2(0.0))) || any(greaterThanEqual(at, vec2(1.0)))) return;
    vec4 texel = textureLod(picture, at, log2(float(textureSize(picture, 0).x) / pane.z));
    colour.rgb = texel.rgb * mix(unmasked, 1.0, texel.a);
}
void main() {
    colour = vec4(0.05, 0.055, 0.07, 1.0);
    show(pasted, pasted_pane, 1.0);
    show(cloned, cloned_pane, 1.0);
    show(source, source_pane, 0.25);
})";

}  // namespace cloning
