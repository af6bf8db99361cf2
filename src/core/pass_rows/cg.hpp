/// Conjugate gradients.
#pragma once

#include "core/pass_rows/vectors.hpp"

namespace glsolve::inline v0_1::pass_rows {

inline constexpr Names cg_update_outputs[] = {"y", "r", "sum"};
inline constexpr Input cg_update_inputs[] = {{"y"}, {"p"}, {"r"}, {"q"}};
inline constexpr Names cg_update_jacobi_outputs[] = {"y", "r", "z", "sum"};
inline constexpr Input cg_update_jacobi_inputs[] = {{"y"}, {"p"}, {"r"}, {"q"}, {"d"}};
inline constexpr Names cg_two_float_outputs[] = {"r", "r_low", "sum"};
inline constexpr Names cg_two_float_jacobi_outputs[] = {"r", "r_low", "z", "sum"};
inline constexpr Input cg_two_float_inputs[] = {{"r"}, {"r_low"}, {"q"}, {"q_low"}, {"d"}};
inline constexpr Names cg_scalars[] = {"state", "rho", "beta", "status"};
inline constexpr Input cg_control_inputs[] = {{"state"}, {"rho"}, {"beta"}, {"status"}, {"sums"}, {"pi"}};
inline constexpr Names cg_control_integers[] = {"limit", "rz_later"};
inline constexpr Names rho_beta[] = {"rho", "beta"};
inline constexpr Input cg_direction_inputs[] = {{"rho"}, {"beta"}, {"rz"}};
inline constexpr Input cg_restart_inputs[] = {{"rho"}, {"rz"}, {"rr"}};
inline constexpr Names cg_restart_constants[] = {"rescale", "keep"};
inline constexpr Names y_r_only[] = {"y", "r"};
inline constexpr Names y_r_sums[] = {"y", "r", "sum", "sum_rr", "sum_yy"};
inline constexpr Input cg_control_field_inputs[] = {{"state"}, {"rho"}, {"beta"}, {"status"},
                                                    {"rz"},    {"rr"},  {"yy"},   {"pi"}};
inline constexpr Names norm_tolerated[] = {"norm", "tolerated"};
inline constexpr Input cg_restart_field_inputs[] = {{"rho"}, {"rz"}, {"rr"}, {"plan"}};
inline constexpr Names cg_gathered[] = {"rho", "beta", "stops", "status"};
inline constexpr Input cg_gather_inputs[] = {{"rho"}, {"beta"}, {"status"}};

// clang-format off
inline constexpr PassRow cg[] = {
    {.id = PassId::cg_update, .name = "cg_update", .formula = "y += alpha p, r -= alpha q, sum <- (r.r, r.r, y.y, 0)",
     .outputs = cg_update_outputs, .inputs = cg_update_inputs, .scalars = alpha, .guarded = true, .elementwise = true},
    {.id = PassId::cg_update_jacobi, .name = "cg_update_jacobi", .file = "cg_update", .defines = "JACOBI",
     .formula = "y += alpha p, r -= alpha q, z <- d * r, sum <- (r.z, r.r, y.y, 0)",
     .outputs = cg_update_jacobi_outputs, .inputs = cg_update_jacobi_inputs, .scalars = alpha,
     .guarded = true, .elementwise = true},
    {.id = PassId::cg_update_two_float, .name = "cg_update_two_float",
     .formula = "r + r_low -= alpha (q + q_low), sum <- (r.r, r.r, 0, 0)",
     .outputs = cg_two_float_outputs, .inputs = std::span(cg_two_float_inputs).first(4), .scalars = alpha,
     .guarded = true, .two_float = true, .elementwise = true},
    {.id = PassId::cg_update_two_float_jacobi, .name = "cg_update_two_float_jacobi", .file = "cg_update_two_float",
     .defines = "JACOBI", .formula = "r + r_low -= alpha (q + q_low), z <- d * r, sum <- (r.z, r.r, 0, 0)",
     .outputs = cg_two_float_jacobi_outputs, .inputs = cg_two_float_inputs, .scalars = alpha,
     .guarded = true, .two_float = true, .elementwise = true},
    {.id = PassId::cg_step_two_float, .name = "cg_step_two_float", .file = "two_float_axpy", .defines = "STEP",
     .formula = "y + y_low += a x, a > 0", .outputs = y_low, .inputs = in_y_low_x, .scalars = factor,
     .guarded = true, .two_float = true, .elementwise = true},
    {.id = PassId::cg_control, .name = "cg_control", .formula = "drift, stop test, beta <- (r,z) / rho, rho <- (r,z)",
     .outputs = cg_scalars, .inputs = cg_control_inputs, .integers = cg_control_integers,
     .constants = target_norm_tolerated, .guarded = true, .shares = "texel"},
    {.id = PassId::cg_restart, .name = "cg_restart", .formula = "after a correction: beta, rho, drift anew; running again",
     .outputs = cg_scalars, .inputs = cg_restart_inputs, .constants = cg_restart_constants, .shares = "texel"},
    {.id = PassId::cg_direction, .name = "cg_direction", .formula = "beta <- (r,z) / rho, rho <- (r,z)",
     .outputs = rho_beta, .inputs = cg_direction_inputs, .guarded = true, .shares = "texel"},
    {.id = PassId::cg_update_field, .name = "cg_update_field", .file = "cg_update", .defines = "FIELD",
     .formula = "y += alpha p, r -= alpha q for four right-hand sides", .outputs = y_r_only, .inputs = cg_update_inputs,
     .scalars = alpha, .guarded = true, .each_apart = true, .elementwise = true},
    {.id = PassId::cg_update_field_sums, .name = "cg_update_field_sums", .file = "cg_update", .defines = "FIELD SUMS",
     .formula = "the same, sum <- r * r, sum_rr <- r * r, sum_yy <- y * y", .outputs = y_r_sums,
     .inputs = cg_update_inputs, .scalars = alpha, .guarded = true, .each_apart = true, .elementwise = true},
    {.id = PassId::cg_update_field_sums_jacobi, .name = "cg_update_field_sums_jacobi", .file = "cg_update",
     .defines = "FIELD SUMS JACOBI", .formula = "the same, sum <- r * z with z = d * r, for a vector d",
     .outputs = y_r_sums, .inputs = cg_update_jacobi_inputs, .scalars = alpha, .integers = field_and_vector,
     .guarded = true, .each_apart = true},
    {.id = PassId::cg_control_field, .name = "cg_control_field", .file = "cg_control", .defines = "FIELD",
     .formula = "cg_control for four right-hand sides, a texel for each", .outputs = cg_scalars,
     .inputs = cg_control_field_inputs, .integers = limit_only, .constants = norm_tolerated},
    {.id = PassId::cg_restart_field, .name = "cg_restart_field", .file = "cg_restart", .defines = "FIELD",
     .formula = "cg_restart for four right-hand sides, a texel for each", .outputs = cg_scalars,
     .inputs = cg_restart_field_inputs},
    {.id = PassId::cg_gather, .name = "cg_gather", .formula = "rho, beta, stops of four right-hand sides, side by side; the run's status",
     .outputs = cg_gathered, .inputs = cg_gather_inputs},
};
// clang-format on

}  // namespace glsolve::inline v0_1::pass_rows
