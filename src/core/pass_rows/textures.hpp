/// Textures of the caller's: what they hold becomes a vector, and a vector is written into them.
#pragma once

#include "core/pass_rows/shared.hpp"

namespace glsolve::inline v0_1::pass_rows {

inline constexpr Input in_texture_m[] = {{.name = "x", .outside = true}, {"m"}};
inline constexpr Names texture_take_integers[] = {"log2_width", "x",      "y",       "columns",   "pitch",  "lines",
                                                  "height",     "length", "log2_in", "component", "finite", "masked"};
inline constexpr Names texture_put_integers[] = {"x",     "y",      "columns", "rows",   "log2_width", "pitch",
                                                 "lines", "height", "log2_in", "length", "components"};
inline constexpr Names unit[] = {"unit"};
inline constexpr Input in_squares[] = {{"squares"}};
inline constexpr Names gain[] = {"gain"};
inline constexpr Input in_gain[] = {{"squares"}, {"unit"}, {"start"}};
inline constexpr Names gain_constants[] = {"tolerance", "absolute", "reference"};
inline constexpr Names refused[] = {"refused"};
inline constexpr Input in_verdict[] = {{"squares"}, {"unit"}, {"start"}, {"end"}};

// clang-format off
inline constexpr PassRow textures[] = {
    {.id = PassId::texture_take, .name = "texture_take", .formula = "y <- a times texels of a texture of the caller's",
     .outputs = y, .inputs = in_texture_m, .scalars = factor, .integers = texture_take_integers},
    {.id = PassId::texture_put, .name = "texture_put", .formula = "texels of a texture of the caller's <- x",
     .outputs = y, .inputs = in_x, .integers = texture_put_integers, .guarded = true, .writes_outside = true,
     .domain = Domain::window},
    {.id = PassId::texture_unit, .name = "texture_unit", .formula = "unit <- the power of two with |x| unit in [1/2, 1)",
     .outputs = unit, .inputs = in_squares, .shares = "texel"},
    {.id = PassId::texture_gain, .name = "texture_gain", .formula = "gain <- what a run multiplies residuals by",
     .outputs = gain, .inputs = in_gain, .constants = gain_constants, .shares = "texel"},
    {.id = PassId::texture_verdict, .name = "texture_verdict", .formula = "refused <- is what a run has found worse than nothing?",
     .outputs = refused, .inputs = in_verdict, .shares = "texel"},
};
// clang-format on

}  // namespace glsolve::inline v0_1::pass_rows
