/// Pipelined conjugate gradients.
#pragma once

#include "core/pass_rows/shared.hpp"

namespace glsolve::inline v0_1::pass_rows {

inline constexpr Names pipelined_step[] = {"step"};
inline constexpr Names y_r_p[] = {"y", "r", "p"};
inline constexpr Names y_r_z_p[] = {"y", "r", "z", "p"};
inline constexpr Names r_low_p[] = {"r", "r_low", "p"};
inline constexpr Names r_low_z_p[] = {"r", "r_low", "z", "p"};
inline constexpr Input pipelined_inputs[] = {{"y"}, {"p"}, {"r"}, {"s"}, {"d"}};
inline constexpr Input pipelined_preconditioned_inputs[] = {{"y"}, {"p"}, {"r"}, {"s"}, {"z"}, {"u"}};
inline constexpr Input pipelined_two_float_inputs[] = {{"p"}, {"r"}, {"r_low"}, {"s"}, {"s_low"}, {"d"}};
inline constexpr Input pipelined_two_float_preconditioned_inputs[] = {{"p"},     {"r"}, {"r_low"}, {"s"},
                                                                      {"s_low"}, {"z"}, {"u"}};
inline constexpr Input pipelined_dots_inputs[] = {{"p"}, {"r"}, {"s"}, {"d"}};
inline constexpr Input pipelined_dots_preconditioned_inputs[] = {{"p"}, {"r"}, {"s"}, {"z"}, {"u"}};
inline constexpr Names pipelined_scalars[] = {"state", "step", "lengths", "status"};
inline constexpr Input pipelined_control_inputs[] = {{"state"}, {"step"}, {"lengths"}, {"status"}, {"sums"}};
inline constexpr Input pipelined_restart_inputs[] = {{"step"}, {"lengths"}, {"rz"}, {"rr"}};
inline constexpr Names pipelined_restart_constants[] = {"rescale", "keep"};

// clang-format off
inline constexpr PassRow pipelined_cg[] = {
    {.id = PassId::pipelined_update, .name = "pipelined_update",
     .formula = "y += alpha p, r -= alpha s, p <- r + beta p", .outputs = y_r_p,
     .inputs = std::span(pipelined_inputs).first(4), .scalars = pipelined_step, .guarded = true, .elementwise = true},
    {.id = PassId::pipelined_update_jacobi, .name = "pipelined_update_jacobi", .file = "pipelined_update",
     .defines = "JACOBI", .formula = "y += alpha p, r -= alpha s, p <- d * r + beta p", .outputs = y_r_p,
     .inputs = pipelined_inputs, .scalars = pipelined_step, .guarded = true, .elementwise = true},
    {.id = PassId::pipelined_update_preconditioned, .name = "pipelined_update_preconditioned",
     .file = "pipelined_update", .defines = "PRECONDITIONED",
     .formula = "y += alpha p, r -= alpha s, z -= alpha u, p <- z + beta p", .outputs = y_r_z_p,
     .inputs = pipelined_preconditioned_inputs, .scalars = pipelined_step, .guarded = true, .elementwise = true},
    {.id = PassId::pipelined_update_two_float, .name = "pipelined_update_two_float", .file = "pipelined_update",
     .defines = "TWO_FLOAT", .formula = "r + r_low -= alpha (s + s_low), p <- r + beta p", .outputs = r_low_p,
     .inputs = std::span(pipelined_two_float_inputs).first(5), .scalars = pipelined_step, .guarded = true,
     .two_float = true, .elementwise = true},
    {.id = PassId::pipelined_update_two_float_jacobi, .name = "pipelined_update_two_float_jacobi",
     .file = "pipelined_update", .defines = "TWO_FLOAT JACOBI",
     .formula = "r + r_low -= alpha (s + s_low), p <- d * r + beta p", .outputs = r_low_p,
     .inputs = pipelined_two_float_inputs, .scalars = pipelined_step, .guarded = true, .two_float = true,
     .elementwise = true},
    {.id = PassId::pipelined_update_two_float_preconditioned, .name = "pipelined_update_two_float_preconditioned",
     .file = "pipelined_update", .defines = "TWO_FLOAT PRECONDITIONED",
     .formula = "r + r_low -= alpha (s + s_low), z -= alpha u, p <- z + beta p", .outputs = r_low_z_p,
     .inputs = pipelined_two_float_preconditioned_inputs, .scalars = pipelined_step, .guarded = true,
     .two_float = true, .elementwise = true},
    {.id = PassId::pipelined_step_two_float, .name = "pipelined_step_two_float", .file = "two_float_axpy",
     .defines = "STEP OF_TEXEL", .formula = "y + y_low += alpha x, with alpha from the texel (alpha, ...)",
     .outputs = y_low, .inputs = in_y_low_x, .scalars = factor, .guarded = true, .two_float = true,
     .elementwise = true},
    {.id = PassId::pipelined_dots, .name = "pipelined_dots", .formula = "sum <- (r.r, p.s, s.s, r.s)", .outputs = sum,
     .inputs = std::span(pipelined_dots_inputs).first(3), .elementwise = true, .domain = Domain::input},
    {.id = PassId::pipelined_dots_jacobi, .name = "pipelined_dots_jacobi", .file = "pipelined_dots",
     .defines = "JACOBI", .formula = "sum <- (r.z, p.s, u.s, z.s) with z = d * r, u = d * s", .outputs = sum,
     .inputs = pipelined_dots_inputs, .elementwise = true, .domain = Domain::input},
    {.id = PassId::pipelined_dots_preconditioned, .name = "pipelined_dots_preconditioned", .file = "pipelined_dots",
     .defines = "PRECONDITIONED", .formula = "sum <- (r.z, p.s, u.s, z.s)", .outputs = sum,
     .inputs = pipelined_dots_preconditioned_inputs, .elementwise = true, .domain = Domain::input},
    {.id = PassId::pipelined_control, .name = "pipelined_control", .formula = "drift, stop test, alpha, beta",
     .outputs = pipelined_scalars, .inputs = pipelined_control_inputs, .integers = limit_only,
     .constants = target_norm_tolerated, .guarded = true},
    {.id = PassId::pipelined_restart, .name = "pipelined_restart",
     .formula = "after a correction: a step of no length, beta, drift anew; running again",
     .outputs = pipelined_scalars, .inputs = pipelined_restart_inputs, .constants = pipelined_restart_constants},
};
// clang-format on

}  // namespace glsolve::inline v0_1::pass_rows
