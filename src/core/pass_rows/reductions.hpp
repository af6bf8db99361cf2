/// Sums, norms and extremes of vectors, in trees; src/core/reduction_plan.hpp plans them.
#pragma once

#include "core/pass_rows/shared.hpp"

namespace glsolve::inline v0_1::pass_rows {

inline constexpr Names sum_integers[] = {"width", "height", "products", "last"};
inline constexpr Names extremes_integers[] = {"width", "height", "length", "log2_width"};
inline constexpr Input in_low_high[] = {{"low"}, {"high"}};
inline constexpr Input in_r_m_y[] = {{"r"}, {"m"}, {"y"}};
inline constexpr Names extent_field_vector[] = {"width", "height", "log2_field", "log2_width"};
inline constexpr Names rz_rr_yy[] = {"rz", "rr", "yy"};
inline constexpr Input in_rz_rr_yy[] = {{"rz"}, {"rr"}, {"yy"}};

// clang-format off
inline constexpr PassRow reductions[] = {
    {.id = PassId::sum, .name = "sum", .file = "reduce", .defines = "SUM",
     .formula = "y <- sums over tiles, or over all, of x or of x * y", .outputs = y, .inputs = in_x_y, .integers = sum_integers},
    {.id = PassId::measures, .name = "measures", .file = "reduce", .defines = "MEASURES FIRST",
     .formula = "y <- (sum, |x|_1, |x|_2^2, |x|_inf) of tiles of x", .outputs = y, .inputs = in_x, .integers = extent_in},
    {.id = PassId::measures_stage, .name = "measures_stage", .file = "reduce", .defines = "MEASURES",
     .formula = "the same from partial results", .outputs = y, .inputs = in_x, .integers = extent_in},
    {.id = PassId::measures_last, .name = "measures_last", .file = "reduce", .defines = "MEASURES LAST",
     .formula = "the same, to the end", .outputs = y, .inputs = in_x, .integers = extent_in},
    {.id = PassId::extremes, .name = "extremes", .file = "reduce", .defines = "EXTREMES FIRST",
     .formula = "low, high <- the extremes of tiles of x, and where they are",
     .outputs = low_high, .inputs = in_x, .integers = extremes_integers},
    {.id = PassId::extremes_stage, .name = "extremes_stage", .file = "reduce", .defines = "EXTREMES",
     .formula = "the same from partial results", .outputs = low_high, .inputs = in_low_high, .integers = extent_in},
    {.id = PassId::extremes_last, .name = "extremes_last", .file = "reduce", .defines = "EXTREMES LAST",
     .formula = "the same, to the end", .outputs = low_high, .inputs = in_low_high, .integers = extent_in},
    {.id = PassId::compensated_sum, .name = "compensated_sum", .file = "reduce", .defines = "COMPENSATED FIRST",
     .formula = "y.x + y.y <- sums over tiles of x, in two floats",
     .outputs = y, .inputs = in_x, .integers = extent_in, .two_float = true},
    {.id = PassId::compensated_dot, .name = "compensated_dot", .file = "reduce", .defines = "COMPENSATED FIRST DOT",
     .formula = "out.x + out.y <- sums over tiles of x * y, in two floats",
     .outputs = y, .inputs = in_x_y, .integers = extent_in, .two_float = true},
    {.id = PassId::compensated_stage, .name = "compensated_stage", .file = "reduce", .defines = "COMPENSATED",
     .formula = "the same from partial results", .outputs = y, .inputs = in_x, .integers = extent_in, .two_float = true},
    {.id = PassId::compensated_last, .name = "compensated_last", .file = "reduce", .defines = "COMPENSATED LAST",
     .formula = "the same, to the end", .outputs = y, .inputs = in_x, .integers = extent_in, .two_float = true},
    {.id = PassId::field_sums, .name = "field_sums", .file = "reduce", .defines = "FIELDS FIRST",
     .formula = "(r,z), (r,r), (y,y) over tiles, for four right-hand sides",
     .outputs = rz_rr_yy, .inputs = in_r_z_y, .integers = extent_in},
    {.id = PassId::field_sums_scaled, .name = "field_sums_scaled", .file = "reduce", .defines = "FIELDS FIRST SCALED",
     .formula = "the same with z = m * r, for a vector m",
     .outputs = rz_rr_yy, .inputs = in_r_m_y, .integers = extent_field_vector},
    {.id = PassId::field_sums_stage, .name = "field_sums_stage", .file = "reduce", .defines = "FIELDS",
     .formula = "the same from partial results", .outputs = rz_rr_yy, .inputs = in_rz_rr_yy, .integers = extent_in},
    {.id = PassId::field_sums_last, .name = "field_sums_last", .file = "reduce", .defines = "FIELDS LAST",
     .formula = "the same, to the end", .outputs = rz_rr_yy, .inputs = in_rz_rr_yy, .integers = extent_in},
};
// clang-format on

}  // namespace glsolve::inline v0_1::pass_rows
