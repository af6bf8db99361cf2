/// Products with an operator that is a function in the caller's words.
#pragma once

#include "core/pass_rows/products.hpp"

namespace glsolve::inline v0_1::pass_rows {

// `a` and these hold what the function reads.
inline constexpr std::array function_inputs{Input{"f1"}, Input{"f2"}, Input{"f3"}};
inline constexpr Names function_integers[] = {"log2_width", "length", "differences", "log2_field"};
inline constexpr Names function_integers_steps[] = {"log2_width", "length", "differences", "log2_field", "steps"};
inline constexpr Products<function_inputs> in_callers_words{"function", function_integers, function_integers_steps,
                                                            true};

inline constexpr Ending reciprocal_diagonal{
    Takes::x, {.defines = "DIAGONAL", .formula = "y <- 1 / diagonal of A (of x nothing is read)", .outputs = y}};

// clang-format off
inline constexpr PassRow function[] = {
    in_callers_words.with(PassId::function_multiply, "function_multiply", multiply),
    in_callers_words.with(PassId::function_multiply_dot, "function_multiply_dot", multiply_dot),
    in_callers_words.with(PassId::function_residual, "function_residual", residual),
    in_callers_words.with(PassId::function_multiply_two_float, "function_multiply_two_float", multiply_two_float),
    in_callers_words.with(PassId::function_residual_two_float, "function_residual_two_float", residual_two_float),
    in_callers_words.with(PassId::function_relax, "function_relax", relax),
    in_callers_words.with(PassId::function_relax_twice, "function_relax_twice", relax_twice),
    in_callers_words.with(PassId::function_chebyshev, "function_chebyshev", chebyshev),
    in_callers_words.with(PassId::function_chebyshev_norms, "function_chebyshev_norms", chebyshev_norms),
    in_callers_words.with(PassId::function_multiply_dots, "function_multiply_dots", multiply_dots),
    in_callers_words.with(PassId::function_field, "function_field", field),
    in_callers_words.with(PassId::function_chebyshev_chaotic, "function_chebyshev_chaotic", chebyshev_chaotic),
    in_callers_words.with(PassId::function_diagonal, "function_diagonal", reciprocal_diagonal),
};
// clang-format on

}  // namespace glsolve::inline v0_1::pass_rows
