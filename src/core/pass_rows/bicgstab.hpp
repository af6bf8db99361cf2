/// BiCGStab and BiCGStab(2).
#pragma once

#include "core/pass_rows/shared.hpp"

namespace glsolve::inline v0_1::pass_rows {

inline constexpr Names p_only[] = {"p"};
inline constexpr Names p_u[] = {"p", "u"};
inline constexpr Names s_only[] = {"s"};
inline constexpr Names s_w[] = {"s", "w"};
inline constexpr Names y_r_sum[] = {"y", "r", "sum"};
inline constexpr Names factors[] = {"factors"};
inline constexpr Names alpha_products[] = {"alpha", "products"};
inline constexpr Names bicgstab_scalars[] = {"state", "rho", "factors", "status"};
inline constexpr Input bicgstab_direction_inputs[] = {{"p"}, {"r"}, {"v"}, {"d"}};
inline constexpr Input bicgstab_half_inputs[] = {{"r"}, {"v"}, {"d"}};
inline constexpr Input in_t_s[] = {{"t"}, {"s"}};
inline constexpr Input bicgstab_update_inputs[] = {{"y"}, {"r"}, {"u"}, {"w"}, {"s"}, {"t"}, {"shadow"}};
inline constexpr Input bicgstab_control_inputs[] = {{"state"}, {"rho"},      {"factors"}, {"status"},
                                                    {"sums"},  {"products"}, {"sigma"},   {"shadow"}};

// BiCGStab(2).
inline constexpr Names y_r[] = {"y", "r"};
inline constexpr Names beta_rho[] = {"beta", "rho"};
inline constexpr Names u_r_s[] = {"u", "r", "s"};
inline constexpr Names omegas[] = {"omegas"};
inline constexpr Names y_r_u_sum[] = {"y", "r", "u", "sum"};
inline constexpr Names alpha_and_beta[] = {"alpha", "beta"};
inline constexpr Input in_y_r_u_v[] = {{"y"}, {"r"}, {"u"}, {"v"}};
inline constexpr Input in_rs_gamma[] = {{"rs"}, {"gamma"}};
inline constexpr Input in_u_r_s_v_w[] = {{"u"}, {"r"}, {"s"}, {"v"}, {"w"}};
inline constexpr Input in_r_s_t[] = {{"r"}, {"s"}, {"t"}};
inline constexpr Input in_products_rt_rho_gamma[] = {{"products"}, {"rt"}, {"rho"}, {"gamma"}};
inline constexpr Input bicgstab2_update_inputs[] = {{"y"}, {"r"}, {"u"}, {"s"}, {"t"}, {"v"}, {"w"}, {"shadow"}};
inline constexpr Input bicgstab2_control_inputs[] = {{"state"}, {"rho"},    {"factors"}, {"status"},
                                                     {"sums"},  {"omegas"}, {"shadow"}};

// clang-format off
inline constexpr PassRow bicgstab[] = {
    {.id = PassId::bicgstab_direction, .name = "bicgstab_direction", .formula = "p <- r + beta (p - omega v)",
     .outputs = p_only, .inputs = std::span(bicgstab_direction_inputs).first(3), .scalars = factors, .guarded = true,
     .elementwise = true},
    {.id = PassId::bicgstab_direction_jacobi, .name = "bicgstab_direction_jacobi", .file = "bicgstab_direction",
     .defines = "JACOBI", .formula = "p <- r + beta (p - omega v), u <- d * p", .outputs = p_u,
     .inputs = bicgstab_direction_inputs, .scalars = factors, .guarded = true, .elementwise = true},
    {.id = PassId::bicgstab_half, .name = "bicgstab_half", .formula = "s <- r - alpha v", .outputs = s_only,
     .inputs = std::span(bicgstab_half_inputs).first(2), .scalars = alpha, .elementwise = true},
    {.id = PassId::bicgstab_half_jacobi, .name = "bicgstab_half_jacobi", .file = "bicgstab_half", .defines = "JACOBI",
     .formula = "s <- r - alpha v, w <- d * s", .outputs = s_w, .inputs = bicgstab_half_inputs, .scalars = alpha,
     .elementwise = true},
    {.id = PassId::bicgstab_products, .name = "bicgstab_products", .formula = "sum <- ((t,s), (t,t), 0, 0)",
     .outputs = sum, .inputs = in_t_s, .elementwise = true, .domain = Domain::input},
    {.id = PassId::bicgstab_update, .name = "bicgstab_update",
     .formula = "y += alpha u + omega w, r <- s - omega t, sum <- ((r0,r), (r,r), (y,y), 0)", .outputs = y_r_sum,
     .inputs = bicgstab_update_inputs, .scalars = alpha_products, .guarded = true, .elementwise = true},
    {.id = PassId::bicgstab_control, .name = "bicgstab_control", .formula = "drift, stop test, beta, omega, rho",
     .outputs = bicgstab_scalars, .inputs = bicgstab_control_inputs, .integers = limit_only,
     .constants = target_norm_tolerated, .guarded = true},
    {.id = PassId::bicgstab_restart, .name = "bicgstab_restart", .formula = "the same after a correction",
     .outputs = bicgstab_scalars, .inputs = in_rr},

    {.id = PassId::bicgstab2_half, .name = "bicgstab2_half", .formula = "y += alpha u, r -= alpha v", .outputs = y_r,
     .inputs = in_y_r_u_v, .scalars = alpha, .guarded = true, .elementwise = true},
    {.id = PassId::bicgstab2_beta, .name = "bicgstab2_beta", .formula = "beta <- (r0,s) / gamma, rho <- (r0,s)",
     .outputs = beta_rho, .inputs = in_rs_gamma},
    {.id = PassId::bicgstab2_second, .name = "bicgstab2_second",
     .formula = "u <- r - beta u, r -= alpha v, s -= alpha w", .outputs = u_r_s, .inputs = in_u_r_s_v_w,
     .scalars = alpha_and_beta, .guarded = true, .elementwise = true},
    {.id = PassId::bicgstab2_products, .name = "bicgstab2_products", .formula = "sum <- ((r,s), (s,s), (s,t), (t,t))",
     .outputs = sum, .inputs = in_r_s_t, .elementwise = true, .domain = Domain::input},
    {.id = PassId::bicgstab2_omegas, .name = "bicgstab2_omegas",
     .formula = "omegas <- (omega1, omega2, alpha, 0): |r - omega1 s - omega2 t| is smallest", .outputs = omegas,
     .inputs = in_products_rt_rho_gamma},
    {.id = PassId::bicgstab2_update, .name = "bicgstab2_update",
     .formula = "y += omega1 r + omega2 s + alpha u, r -= omega1 s + omega2 t, u -= omega1 v + omega2 w, sums",
     .outputs = y_r_u_sum, .inputs = bicgstab2_update_inputs, .scalars = omegas, .guarded = true, .elementwise = true},
    {.id = PassId::bicgstab2_control, .name = "bicgstab2_control", .file = "bicgstab_control",
     .defines = "TWO_STEPS", .formula = "drift, stop test, beta, rho", .outputs = bicgstab_scalars,
     .inputs = bicgstab2_control_inputs, .integers = limit_only,
     .constants = target_norm_tolerated, .guarded = true},
};
// clang-format on

}  // namespace glsolve::inline v0_1::pass_rows
