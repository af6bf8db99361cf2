/// What iterations share: the stop test without inner products, the history, solutions and residuals in two floats.
#pragma once

#include "core/pass_rows/shared.hpp"

namespace glsolve::inline v0_1::pass_rows {

inline constexpr Names state_and_status[] = {"state", "status"};
inline constexpr Input step_control_inputs[] = {{"state"}, {"status"}, {"sums"}};
inline constexpr Names steps_limit[] = {"steps", "limit"};
inline constexpr Names history[] = {"history"};
inline constexpr Input in_value[] = {{"value"}};
inline constexpr Input in_t_r_w[] = {{"t"}, {"r"}, {"w"}};
inline constexpr Names weights[] = {"weights"};
inline constexpr Names factor_s[] = {"s"};
inline constexpr Names error_free_outputs[] = {"s", "e", "p", "f"};

// clang-format off
inline constexpr PassRow iterations[] = {
    {.id = PassId::step_control, .name = "step_control", .formula = "stop test",
     .outputs = state_and_status, .inputs = step_control_inputs, .integers = steps_limit,
     .constants = target_norm_tolerated, .guarded = true},
    {.id = PassId::record, .name = "record", .formula = "history[x, y] <- value",
     .outputs = history, .inputs = in_value, .integers = window, .domain = Domain::window, .shares = "texel"},
    {.id = PassId::two_float_axpy, .name = "two_float_axpy", .formula = "y + y_low <- y + y_low + a x, in two floats",
     .outputs = y_low, .inputs = in_y_low_x, .scalars = factor, .two_float = true, .elementwise = true},
    {.id = PassId::residual_norms, .name = "residual_norms", .formula = "sum <- (|a w t|^2, |a t|^2, |s t - r|^2, 0)",
     .outputs = sum, .inputs = in_t_r_w, .scalars = factor, .integers = weights, .constants = factor_s, .elementwise = true, .domain = Domain::input},
    {.id = PassId::error_free, .name = "error_free", .formula = "s + e = x + y exactly, p + f = x y + x + y in two floats",
     .outputs = error_free_outputs, .inputs = in_x_y, .two_float = true, .elementwise = true},
};
// clang-format on

}  // namespace glsolve::inline v0_1::pass_rows
