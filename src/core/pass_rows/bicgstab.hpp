/// BiCGStab.
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
     .constants = target_norm, .guarded = true},
    {.id = PassId::bicgstab_restart, .name = "bicgstab_restart", .formula = "the same after a correction",
     .outputs = bicgstab_scalars, .inputs = in_rr},
};
// clang-format on

}  // namespace glsolve::inline v0_1::pass_rows
