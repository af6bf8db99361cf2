/// Grids without a matrix: products with their operator, what it is made of, and the way from grid to coarser grid.
#pragma once

#include "core/pass_rows/products.hpp"

namespace glsolve::inline v0_1::pass_rows {

inline constexpr std::array grid_structure{Input{"cx"}, Input{"cy"}, Input{"cz"}};
inline constexpr Names grid_integers[] = {"log2_width", "quarter",     "plane",  "dimensions",
                                          "constant",   "differences", "length", "log2_field"};
inline constexpr Names grid_integers_steps[] = {"log2_width",  "quarter", "plane",      "dimensions", "constant",
                                                "differences", "length",  "log2_field", "steps"};
inline constexpr Products<grid_structure> grid_products{"grid", grid_integers, grid_integers_steps};

inline constexpr Input grid_cells[] = {{"cells"}};
inline constexpr Names c_e[] = {"c", "e"};
inline constexpr Names grid_couplings_integers[] = {"log2_width", "quarter", "rows",   "width",     "height",
                                                    "depth",      "axis",    "stride", "dirichlet", "halved"};
inline constexpr Names grid_couplings_constants[] = {"weight", "wall", "alike"};
inline constexpr Input grid_diagonal_inputs[] = {{"cx"}, {"cy"}, {"cz"}, {"ex"}, {"ey"}, {"ez"}, {"mass"}};
inline constexpr Names a_d[] = {"a", "d"};
inline constexpr Names grid_diagonal_integers[] = {"log2_width", "quarter", "plane", "dimensions", "constant"};
inline constexpr Names grid_diagonal_constants[] = {"weight_x", "weight_y", "weight_z"};
inline constexpr Input grid_coarsen_inputs[] = {{"fine_c"}, {"fine_e"}, {"fine_cy"}, {"fine_ey"}};
inline constexpr Names c_e_two[] = {"c", "e", "cy", "ey"};
inline constexpr Names grid_coarsen_integers[] = {"log2_width", "log2_x",  "quarter", "rows",    "quarter_x", "rows_x",
                                                  "depth_x",    "along_x", "along_y", "along_z", "depth",     "planes"};
inline constexpr Names grid_restrict_integers[] = {"log2_width", "log2_x",  "quarter", "rows",
                                                   "quarter_x",  "rows_x",  "depth_x", "along_x",
                                                   "along_y",    "along_z", "depth",   "planes"};
inline constexpr Input grid_restrict_residual_inputs[] = {{"x"}, {"b"}, {"a"}, {"cx"}, {"cy"}, {"cz"}, {"d"}};
inline constexpr Names y_x[] = {"y", "x"};
inline constexpr Names grid_restrict_residual_integers[] = {"log2_width", "log2_x",  "quarter", "rows",
                                                            "quarter_x",  "rows_x",  "depth_x", "along_x",
                                                            "along_y",    "along_z", "constant"};
inline constexpr Input grid_prolong_inputs[] = {{"y"}, {"x"}, {"d"}};
inline constexpr Names grid_prolong_integers[] = {"log2_width", "log2_x",  "quarter", "rows",   "quarter_x",
                                                  "rows_x",     "along_x", "along_y", "along_z"};
inline constexpr Input grid_columns_inputs[] = {{"x"}, {"b"}};
inline constexpr Names grid_columns_integers[] = {"log2_width", "log2_x", "log2_b", "count", "columns"};
// For four right-hand sides; along which axes cells are joined is a bit for each of them.
inline constexpr Names grid_restrict_field_integers[] = {"log2_field", "log2_width", "log2_field_x", "log2_x",
                                                         "quarter",    "rows",       "quarter_x",    "rows_x",
                                                         "depth_x",    "joined",     "constant"};
inline constexpr Names grid_prolong_field_integers[] = {"log2_field", "log2_width", "log2_field_x", "quarter", "rows",
                                                        "quarter_x",  "rows_x",     "joined",       "length"};
inline constexpr Names grid_columns_field_integers[] = {"log2_field", "log2_x", "count", "columns"};
inline constexpr Ending relax_field{Takes::x_b_d,
                                    {.defines = "FIELD STEP",
                                     .formula = "y <- x + weight d * (b - A x) for four right-hand sides",
                                     .outputs = y,
                                     .constants = weight,
                                     .guarded = true,
                                     .each_apart = true}};
inline constexpr Ending relax_twice_field{
    Takes::x_d,
    {.defines = "FIELD STEP TWICE",
     .formula = "y <- share z - weight d * (A z) with z = d * x for four right-hand sides",
     .outputs = y,
     .constants = share_weight}};
inline constexpr Names grid_pitch_integers[] = {"log2_width", "log2_x", "width", "lines", "pitch", "pitch_x"};

// clang-format off
inline constexpr PassRow grid[] = {
    grid_products.with(PassId::grid_multiply, "grid_multiply", multiply),
    grid_products.with(PassId::grid_multiply_dot, "grid_multiply_dot", multiply_dot),
    grid_products.with(PassId::grid_residual, "grid_residual", residual),
    grid_products.with(PassId::grid_multiply_two_float, "grid_multiply_two_float", multiply_two_float),
    grid_products.with(PassId::grid_residual_two_float, "grid_residual_two_float", residual_two_float),
    grid_products.with(PassId::grid_relax, "grid_relax", relax),
    grid_products.with(PassId::grid_relax_twice, "grid_relax_twice", relax_twice),
    grid_products.with(PassId::grid_chebyshev, "grid_chebyshev", chebyshev),
    grid_products.with(PassId::grid_chebyshev_norms, "grid_chebyshev_norms", chebyshev_norms),
    grid_products.with(PassId::grid_multiply_dots, "grid_multiply_dots", multiply_dots),
    grid_products.with(PassId::grid_field, "grid_field", field),
    grid_products.with(PassId::grid_chebyshev_chaotic, "grid_chebyshev_chaotic", chebyshev_chaotic),
    {.id = PassId::grid_couplings, .name = "grid_couplings", .formula = "c, e <- couplings of cells along one axis",
     .outputs = c_e, .inputs = grid_cells, .integers = grid_couplings_integers, .constants = grid_couplings_constants,
     .shares = "grid"},
    {.id = PassId::grid_diagonal, .name = "grid_diagonal", .formula = "a <- row sums, d <- 1 / diagonal",
     .outputs = a_d, .inputs = grid_diagonal_inputs, .integers = grid_diagonal_integers,
     .constants = grid_diagonal_constants, .shares = "grid"},
    {.id = PassId::grid_coarsen, .name = "grid_coarsen", .formula = "c, e <- couplings of a coarser grid along z",
     .outputs = c_e, .inputs = std::span(grid_coarsen_inputs).first(2), .integers = grid_coarsen_integers},
    {.id = PassId::grid_coarsen_two, .name = "grid_coarsen_two", .file = "grid_coarsen", .defines = "TWO",
     .formula = "the same along x and along y", .outputs = c_e_two, .inputs = grid_coarsen_inputs,
     .integers = grid_coarsen_integers},
    {.id = PassId::grid_restrict, .name = "grid_restrict", .formula = "y <- T^T x",
     .outputs = y, .inputs = in_x, .integers = grid_restrict_integers},
    {.id = PassId::grid_restrict_residual, .name = "grid_restrict_residual", .formula = "y <- T^T (b - A x), x <- weight d * y",
     .outputs = y_x, .inputs = grid_restrict_residual_inputs, .integers = grid_restrict_residual_integers,
     .constants = weight},
    {.id = PassId::grid_prolong, .name = "grid_prolong", .formula = "y <- y + T x",
     .outputs = y, .inputs = grid_prolong_inputs, .integers = grid_prolong_integers, .shares = "grid"},
    {.id = PassId::grid_pitch, .name = "grid_pitch", .formula = "y <- x, whose rows are stored at another distance",
     .outputs = y, .inputs = in_x, .integers = grid_pitch_integers},
    {.id = PassId::grid_columns, .name = "grid_columns", .formula = "y <- X b, the columns of X one behind the other",
     .outputs = y, .inputs = grid_columns_inputs, .integers = grid_columns_integers, .shares = "texel"},
    grid_products.with(PassId::grid_relax_field, "grid_relax_field", relax_field),
    grid_products.with(PassId::grid_relax_twice_field, "grid_relax_twice_field", relax_twice_field),
    {.id = PassId::grid_restrict_residual_field, .name = "grid_restrict_residual_field",
     .formula = "y <- T^T (b - A x), x <- weight d * y for four right-hand sides",
     .outputs = y_x, .inputs = grid_restrict_residual_inputs, .integers = grid_restrict_field_integers,
     .constants = weight},
    {.id = PassId::grid_prolong_field, .name = "grid_prolong_field", .formula = "y <- y + T x for four right-hand sides",
     .outputs = y, .inputs = grid_prolong_inputs, .integers = grid_prolong_field_integers},
    {.id = PassId::grid_columns_field, .name = "grid_columns_field", .formula = "y <- X b for four right-hand sides",
     .outputs = y, .inputs = grid_columns_inputs, .integers = grid_columns_field_integers},
};
// clang-format on

}  // namespace glsolve::inline v0_1::pass_rows
