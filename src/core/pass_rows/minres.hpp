/// MINRES.
#pragma once

#include "core/pass_rows/shared.hpp"

namespace glsolve::inline v0_1::pass_rows {

inline constexpr Names minres_update_outputs[] = {"u_next", "w_next", "y", "sum"};
inline constexpr Input minres_update_inputs[] = {{"u_before"}, {"w_before"}, {"w"}, {"y"}, {"step"}, {"u"}, {"q"}};
inline constexpr Names minres_update_scalars[] = {"lanczos", "pi"};
inline constexpr Names minres_scalars[] = {"lanczos", "rotation", "step", "status"};
inline constexpr Names minres_constants[] = {"target", "norm", "caution"};
inline constexpr Input minres_control_inputs[] = {{"lanczos"}, {"rotation"}, {"step"}, {"status"}, {"pi"}, {"sums"}};

// clang-format off
inline constexpr PassRow minres[] = {
    {.id = PassId::minres_update, .name = "minres_update",
     .formula = "u_next <- the next Lanczos vector, w_next, y <- the step before, sum <- (u_next.u_next, y.y, 0, 0)",
     .outputs = minres_update_outputs, .inputs = minres_update_inputs, .scalars = minres_update_scalars, .guarded = true},
    {.id = PassId::minres_finish, .name = "minres_finish", .file = "minres_update", .defines = "FINISH",
     .formula = "y <- the step that is left", .outputs = y, .inputs = std::span(minres_update_inputs).first(5)},
    {.id = PassId::minres_control, .name = "minres_control", .formula = "a column of R, |r|, drift, stop test",
     .outputs = minres_scalars, .inputs = minres_control_inputs, .integers = limit_only,
     .constants = minres_constants, .guarded = true},
    {.id = PassId::minres_restart, .name = "minres_restart", .formula = "the same after a correction",
     .outputs = minres_scalars, .inputs = in_rr},
};
// clang-format on

}  // namespace glsolve::inline v0_1::pass_rows
