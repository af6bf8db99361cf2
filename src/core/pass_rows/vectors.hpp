/// Operations on vectors, texel by texel.
#pragma once

#include "core/pass_rows/shared.hpp"

namespace glsolve::inline v0_1::pass_rows {

inline constexpr Names fill_integers[] = {"length", "log2_width"};
inline constexpr Names two_factors[] = {"a", "b"};
inline constexpr Input in_y_x_m[] = {{"y"}, {"x"}, {"m"}};
inline constexpr Names field_and_vector[] = {"log2_field", "log2_width"};
inline constexpr Names value[] = {"value"};
inline constexpr Input in_x_m[] = {{"x"}, {"m"}};
inline constexpr Names take_integers[] = {"log2_field", "log2_width", "length", "component"};

// clang-format off
inline constexpr PassRow vectors[] = {
    {.id = PassId::fill, .name = "fill", .formula = "y <- value, padding stays zero",
     .outputs = y, .integers = fill_integers, .constants = value, .shares = "texel"},
    {.id = PassId::axpby, .name = "axpby", .formula = "y <- a x + b y",
     .outputs = y, .inputs = in_y_x, .scalars = two_factors, .guarded = true, .elementwise = true},
    {.id = PassId::multiply, .name = "multiply", .formula = "z <- a x * y, element by element",
     .outputs = z, .inputs = in_x_y, .scalars = factor, .elementwise = true},
    {.id = PassId::add_where, .name = "add_where", .formula = "y <- x + a where m is not zero, else 0",
     .outputs = y, .inputs = in_x_m, .scalars = factor, .elementwise = true},
    {.id = PassId::squares, .name = "squares", .formula = "sum <- x * x, element by element", .outputs = sum,
     .inputs = in_x, .elementwise = true, .domain = Domain::input},
    {.id = PassId::axpby_field, .name = "axpby_field", .file = "axpby",
     .formula = "y <- a x + b y for four right-hand sides", .outputs = y, .inputs = in_y_x, .scalars = two_factors,
     .guarded = true, .each_apart = true, .elementwise = true},
    {.id = PassId::axpby_field_scaled, .name = "axpby_field_scaled", .file = "axpby", .defines = "SCALED",
     .formula = "y <- a m * x + b y for four right-hand sides, with a vector m", .outputs = y, .inputs = in_y_x_m,
     .scalars = two_factors, .integers = field_and_vector, .guarded = true, .each_apart = true},
    {.id = PassId::field_put, .name = "field_put", .formula = "a component of y <- the vector x",
     .outputs = y, .inputs = in_y_x, .integers = take_integers},
    {.id = PassId::field_take, .name = "field_take", .formula = "y <- a component of x",
     .outputs = y, .inputs = in_x, .integers = take_integers},
};
// clang-format on

}  // namespace glsolve::inline v0_1::pass_rows
