/// Krylov bases, and GMRES on them.
#pragma once

#include "core/pass_rows/shared.hpp"

namespace glsolve::inline v0_1::pass_rows {

inline constexpr Names square[] = {"square"};
inline constexpr Names state[] = {"state"};
inline constexpr Names status[] = {"status"};
inline constexpr Input in_x_v[] = {{"x"}, {"v"}};
inline constexpr Input in_x_d[] = {{"x"}, {"d"}};
inline constexpr Input in_v_h_x[] = {{"v"}, {"h"}, {"x"}};
inline constexpr Input in_v_h_d[] = {{"v"}, {"h"}, {"d"}};
inline constexpr Names basis_dot_integers[] = {"x",           "y",     "columns", "rows", "log2_width", "log2_columns",
                                               "tile_height", "first", "count"};
inline constexpr Names basis_sum_integers[] = {"x", "y", "columns", "rows", "width", "height"};
inline constexpr Names basis_last_integers[] = {"width", "height", "first_block", "blocks"};
inline constexpr Names basis_integers[] = {"log2_width", "log2_columns", "tile_height", "first", "count"};
inline constexpr Input in_x_y_v[] = {{"x"}, {"y"}, {"v"}};
inline constexpr Names s_t[] = {"s", "t"};
inline constexpr Input in_s_t[] = {{"s"}, {"t"}};
inline constexpr Names one_step[] = {"step"};
inline constexpr Names h[] = {"h"};
inline constexpr Names k_only[] = {"k"};
inline constexpr Names v_w[] = {"v", "w"};
inline constexpr Names v_w_z[] = {"v", "w", "z"};
inline constexpr Names arnoldi_update_integers[] = {"log2_width", "log2_columns", "tile_height", "count"};
inline constexpr Input arnoldi_column_inputs[] = {{"h"}, {"s"}, {"t"}, {"step"}};
inline constexpr Input arnoldi_update_inputs[] = {{"basis"}, {"s"}, {"t"}, {"step"}, {"w"}, {"u"}, {"d"}};
inline constexpr Input gmres_column_inputs[] = {{"state"}, {"h"}, {"square"}};
inline constexpr Input gmres_status_inputs[] = {{"status"}, {"state"}, {"square"}};
inline constexpr Input in_rr_status[] = {{"rr"}, {"status"}};
inline constexpr Input in_state_status[] = {{"state"}, {"status"}};
inline constexpr Names restart[] = {"restart"};
inline constexpr Names restart_j_at[] = {"restart", "j", "at"};
inline constexpr Names restart_j_limit[] = {"restart", "j", "limit"};
inline constexpr Names target[] = {"target"};

// clang-format off
inline constexpr PassRow gmres[] = {
    {.id = PassId::normalise, .name = "normalise", .formula = "y <- x / sqrt(square)",
     .outputs = y, .inputs = in_x, .scalars = square, .guarded = true, .elementwise = true},
    {.id = PassId::normalise_jacobi, .name = "normalise_jacobi", .file = "normalise", .defines = "JACOBI",
     .formula = "y <- d * x / sqrt(square)", .outputs = y, .inputs = in_x_d, .scalars = square, .guarded = true,
     .elementwise = true},
    {.id = PassId::normalise_layer, .name = "normalise_layer", .file = "normalise", .defines = "LAYER",
     .formula = "v_k <- x / sqrt(square)", .outputs = y, .inputs = in_x, .scalars = square, .integers = window,
     .guarded = true, .domain = Domain::window},
    {.id = PassId::basis_dot, .name = "basis_dot", .file = "reduce", .defines = "SUM FIRST BASIS",
     .formula = "y <- sums over tiles of x * v_k, four k a texel", .outputs = y, .inputs = in_x_v,
     .integers = basis_dot_integers, .domain = Domain::window},
    {.id = PassId::basis_sum, .name = "basis_sum", .file = "reduce", .defines = "SUM BASIS",
     .formula = "the same from partial results", .outputs = y, .inputs = in_x, .integers = basis_sum_integers,
     .domain = Domain::window},
    {.id = PassId::basis_last, .name = "basis_last", .file = "reduce", .defines = "SUM LAST BASIS",
     .formula = "y <- V^T x from partial results, zeros for vectors that were not asked for", .outputs = y, .inputs = in_x,
     .integers = basis_last_integers},
    {.id = PassId::basis_dot_pair, .name = "basis_dot_pair", .file = "reduce", .defines = "SUM FIRST BASIS PAIR",
     .formula = "s, t <- sums over tiles of x * v_k and y * v_k, of x * x and y * x for the last k", .outputs = s_t,
     .inputs = in_x_y_v, .integers = basis_dot_integers, .domain = Domain::window},
    {.id = PassId::basis_sum_pair, .name = "basis_sum_pair", .file = "reduce", .defines = "SUM BASIS PAIR",
     .formula = "the same from partial results", .outputs = s_t, .inputs = in_s_t, .integers = basis_sum_integers,
     .domain = Domain::window},
    {.id = PassId::basis_last_pair, .name = "basis_last_pair", .file = "reduce", .defines = "SUM LAST BASIS PAIR",
     .formula = "s <- (V, x)^T x, t <- (V, x)^T y from partial results", .outputs = s_t, .inputs = in_s_t,
     .integers = basis_last_integers},
    {.id = PassId::basis_subtract, .name = "basis_subtract", .file = "basis_update", .formula = "y <- x - V h",
     .outputs = y, .inputs = in_v_h_x, .integers = basis_integers},
    {.id = PassId::basis_subtract_norm, .name = "basis_subtract_norm", .file = "basis_update", .defines = "NORM",
     .formula = "y <- x - V h, sum <- y * y", .outputs = y_sum, .inputs = in_v_h_x, .integers = basis_integers},
    {.id = PassId::basis_combine, .name = "basis_combine", .file = "basis_update", .defines = "COMBINE",
     .formula = "y <- V h", .outputs = y, .inputs = std::span(in_v_h_x).first(2), .integers = basis_integers},
    {.id = PassId::basis_combine_jacobi, .name = "basis_combine_jacobi", .file = "basis_update",
     .defines = "COMBINE JACOBI", .formula = "y <- d * V h", .outputs = y, .inputs = in_v_h_d,
     .integers = basis_integers},
    {.id = PassId::arnoldi_step, .name = "arnoldi_step", .formula = "step <- (nu^2, 1 / nu, tau, nu)", .outputs = one_step,
     .inputs = in_s_t, .integers = k_only},
    {.id = PassId::arnoldi_column, .name = "arnoldi_column",
     .formula = "h_k-1 <- (h_k-1 + s, nu), h_k <- ((t, tau) - H s) / nu", .outputs = h, .inputs = arnoldi_column_inputs,
     .integers = k_only, .guarded = true},
    {.id = PassId::arnoldi_column_flexible, .name = "arnoldi_column_flexible", .file = "arnoldi_column",
     .defines = "FLEXIBLE", .formula = "h_k-1 <- (h_k-1 + s, nu), h_k <- (t, tau) / nu", .outputs = h,
     .inputs = arnoldi_column_inputs, .integers = k_only, .guarded = true},
    {.id = PassId::arnoldi_update, .name = "arnoldi_update",
     .formula = "v <- (w - V s) / nu, w <- (u - V t - tau v) / nu", .outputs = v_w,
     .inputs = std::span(arnoldi_update_inputs).first(6), .integers = arnoldi_update_integers, .guarded = true},
    {.id = PassId::arnoldi_update_jacobi, .name = "arnoldi_update_jacobi", .file = "arnoldi_update", .defines = "JACOBI",
     .formula = "the same, z <- d * w", .outputs = v_w_z, .inputs = arnoldi_update_inputs,
     .integers = arnoldi_update_integers, .guarded = true},
    {.id = PassId::gmres_restart, .name = "gmres_restart", .formula = "state <- no columns, g = (|r|, 0, ...)",
     .outputs = state, .inputs = in_rr_status, .integers = restart},
    {.id = PassId::gmres_column, .name = "gmres_column", .formula = "R, c, s, g <- with column j of the Hessenberg matrix",
     .outputs = state, .inputs = gmres_column_inputs, .integers = restart_j_at, .guarded = true},
    {.id = PassId::gmres_raw_column, .name = "gmres_raw_column", .file = "gmres_column", .defines = "RAW",
     .formula = "state <- column j of the Hessenberg matrix", .outputs = state, .inputs = gmres_column_inputs,
     .integers = restart_j_at, .guarded = true},
    {.id = PassId::gmres_status, .name = "gmres_status", .formula = "|r| <- |g_j+1|, stop test", .outputs = status,
     .inputs = gmres_status_inputs, .integers = restart_j_limit, .constants = target, .guarded = true},
    {.id = PassId::gmres_raw_status, .name = "gmres_raw_status", .file = "gmres_status", .defines = "RAW",
     .formula = "stop test without |r|", .outputs = status, .inputs = gmres_status_inputs, .integers = restart_j_limit,
     .constants = target, .guarded = true},
    {.id = PassId::gmres_solve, .name = "gmres_solve", .formula = "y <- R^-1 g", .outputs = y,
     .inputs = in_state_status, .integers = restart},
};
// clang-format on

}  // namespace glsolve::inline v0_1::pass_rows
