/// Dense matrices: products in parts, and the inverse after Gauss and Jordan in panels of columns.
#pragma once

#include "core/pass_rows/shared.hpp"

namespace glsolve::inline v0_1::pass_rows {

inline constexpr Names c[] = {"c"};
inline constexpr Names c_low[] = {"c", "c_low"};
inline constexpr Names c_low_size[] = {"c", "c_low", "c_size"};
inline constexpr Names c_four[] = {"c0", "c1", "c2", "c3"};
inline constexpr Names a[] = {"a"};
inline constexpr Names k[] = {"k", "log2_width", "length"};
inline constexpr Names dense_integers[] = {"log2_width", "log2_columns", "columns",    "tile_height",
                                           "count",      "log2_zones",   "log2_strip", "differences"};
inline constexpr Names transposed_integers[] = {"log2_width", "log2_columns", "texels",    "tile_height",
                                                "count",      "log2_zones",   "log2_strip"};
inline constexpr Names four_integers[] = {"log2_width", "log2_columns", "columns",    "tile_height",
                                          "count",      "log2_zones",   "log2_strip", "log2_field"};
inline constexpr Names sum_four_integers[] = {"log2_width",  "log2_columns", "count",
                                              "tile_height", "length",       "log2_field"};
inline constexpr Names spread_integers[] = {"log2_width", "log2_columns", "tile_height", "length"};
inline constexpr Names zone_integers[] = {"log2_width", "log2_columns", "tile_height", "length", "log2_strip"};
inline constexpr Input in_c_four[] = {{"c0"}, {"c1"}, {"c2"}, {"c3"}};
inline constexpr Input in_c_four_x[] = {{"c0"}, {"c1"}, {"c2"}, {"c3"}, {"x"}};
inline constexpr Input in_y_x_d[] = {{"y"}, {"x"}, {"d"}};
inline constexpr Input in_a_x_y[] = {{"a"}, {"x"}, {"y"}};
inline constexpr Names panel[] = {"panel"};
inline constexpr Names used[] = {"used"};
inline constexpr Names rows[] = {"rows"};
inline constexpr Input in_a[] = {{"a"}};
inline constexpr Input in_x_used[] = {{"x"}, {"used"}};
inline constexpr Input in_used_pivot[] = {{"used"}, {"pivot"}};
inline constexpr Input in_panel_pivot[] = {{"panel"}, {"pivot"}};
inline constexpr Input in_a_pivots[] = {{"a"}, {"pivots"}};
inline constexpr Input jordan_update_inputs[] = {{"a"}, {"used"}, {"panel"}, {"rows"}};
inline constexpr Input in_a_used_pivots[] = {{"a"}, {"used"}, {"pivots"}};
inline constexpr Names extract_integers[] = {"log2_width", "log2_columns", "tile_height",
                                             "length",     "log2_strip",   "first"};
inline constexpr Names pivot_integers[] = {"width", "height", "length", "log2_width", "zone_y"};
inline constexpr Names step[] = {"step"};
inline constexpr Names step_integers[] = {"zone_height", "column"};
inline constexpr Names panel_integers[] = {"log2_width", "log2_columns", "tile_height", "length",      "log2_strip",
                                           "first",      "count",        "log2_field",  "field_height"};
inline constexpr Names permute_integers[] = {"log2_width", "log2_columns", "tile_height",
                                             "length",     "log2_strip",   "log2_field"};

// clang-format off
inline constexpr PassRow dense[] = {
    {.id = PassId::sumVector_four, .name = "sumVector_four", .formula = "y <- the sums of the zones of c0 ... c3, side by side",
     .outputs = y, .inputs = in_c_four, .integers = sum_four_integers},
    {.id = PassId::sumVector_four_dot, .name = "sumVector_four_dot", .file = "sumVector_four", .defines = "DOT",
     .formula = "the same, sum <- x * y", .outputs = y_sum, .inputs = in_c_four_x, .integers = sum_four_integers},
    {.id = PassId::sumTexel, .name = "sumTexel", .formula = "y <- the sum of all texels of x, one after the other",
     .outputs = y, .inputs = in_x, .integers = extent_in},
    {.id = PassId::spread, .name = "spread", .formula = "zone j of y <- x_j, everywhere",
     .outputs = y, .inputs = in_x, .integers = spread_integers},
    {.id = PassId::krueger_diagonal, .name = "krueger_diagonal", .formula = "y <- y + d * (x, rotated by k)",
     .outputs = y, .inputs = in_y_x_d, .integers = k},
    {.id = PassId::dense_partial, .name = "dense_partial", .defines = "PARTIAL", .formula = "c <- A x in parts",
     .outputs = c, .inputs = x_a, .integers = dense_integers, .in_parts = true},
    {.id = PassId::dense_partial_two_float, .name = "dense_partial_two_float", .file = "dense_partial",
     .defines = "PARTIAL TWO_FLOAT", .formula = "c + c_low <- A x in parts",
     .outputs = c_low, .inputs = x_a_low, .integers = dense_integers, .two_float = true, .in_parts = true},
    {.id = PassId::dense_partial_residual_two_float, .name = "dense_partial_residual_two_float", .file = "dense_partial",
     .defines = "PARTIAL TWO_FLOAT RESIDUAL X_LOW", .formula = "c + c_low <- A x in parts, c_size <- |A| |x|",
     .outputs = c_low_size, .inputs = x_low_a_low, .integers = dense_integers, .two_float = true, .in_parts = true},
    {.id = PassId::dense_transposed, .name = "dense_transposed", .formula = "c <- A^T x in parts",
     .outputs = c, .inputs = x_a, .integers = transposed_integers, .in_parts = true},
    {.id = PassId::dense_four, .name = "dense_four", .formula = "c0 ... c3 <- A X in parts, for four right-hand sides",
     .outputs = c_four, .inputs = x_a, .integers = four_integers, .in_parts = true},
    {.id = PassId::dense_rank_one, .name = "dense_rank_one", .formula = "a <- a + alpha x y^T",
     .outputs = a, .inputs = in_a_x_y, .scalars = alpha, .integers = zone_integers},
    {.id = PassId::jordan_extract, .name = "jordan_extract", .formula = "panel <- some columns of a",
     .outputs = panel, .inputs = in_a, .integers = extract_integers},
    {.id = PassId::jordan_pivot, .name = "jordan_pivot", .file = "reduce", .defines = "EXTREMES FIRST PIVOT",
     .formula = "high <- the largest number of tiles of a column, in rows that are free",
     .outputs = low_high, .inputs = in_x_used, .integers = pivot_integers},
    {.id = PassId::jordan_mark, .name = "jordan_mark", .formula = "used <- the step, in the pivot's row",
     .outputs = used, .inputs = in_used_pivot, .integers = step},
    {.id = PassId::jordan_step, .name = "jordan_step", .formula = "a step of Gauss and Jordan on a panel",
     .outputs = panel, .inputs = in_panel_pivot, .integers = step_integers},
    {.id = PassId::jordan_gather, .name = "jordan_gather", .formula = "rows <- the rows of a panel's pivots",
     .outputs = rows, .inputs = in_a_pivots, .integers = panel_integers},
    {.id = PassId::jordan_update, .name = "jordan_update", .formula = "a <- a (0 in the pivots' rows) + panel rows",
     .outputs = a, .inputs = jordan_update_inputs, .integers = panel_integers},
    {.id = PassId::jordan_permute, .name = "jordan_permute", .formula = "a <- the inverse in its own order",
     .outputs = a, .inputs = in_a_used_pivots, .integers = permute_integers},
};
// clang-format on

}  // namespace glsolve::inline v0_1::pass_rows
