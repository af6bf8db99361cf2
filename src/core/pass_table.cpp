#include "core/pass_table.hpp"

#include <array>

namespace glsolve::inline v0_1 {
namespace {

using Names = std::string_view;

// Argument lists that several rows share.
constexpr Names y[] = {"y"};
constexpr Names z[] = {"z"};
constexpr Names sum[] = {"sum"};
constexpr Names y_sum[] = {"y", "sum"};
constexpr Names factor[] = {"a"};
constexpr Input in_x[] = {{"x"}};
constexpr Input in_y_x[] = {{"y"}, {"x"}};
constexpr Input in_x_y[] = {{"x"}, {"y"}};
constexpr Names extent_in[] = {"width", "height"};
constexpr Names sum_last_integers[] = {"width", "height", "add_components"};
constexpr Names fill_integers[] = {"length", "log2_width"};
constexpr Names value[] = {"value"};

constexpr Input dia_inputs[] = {{"x"}, {"a"}, {"offsets", true}};
constexpr Input dia_residual_inputs[] = {{"x"}, {"a"}, {"offsets", true}, {"b"}};
constexpr Input ell_inputs[] = {{"x"}, {"a"}, {"columns", true}};
constexpr Input ell_residual_inputs[] = {{"x"}, {"a"}, {"columns", true}, {"b"}};
constexpr Names matrix_integers[] = {"log2_width", "log2_columns", "count", "height"};

constexpr Names cg_update_outputs[] = {"y", "r", "sum"};
constexpr Input cg_update_inputs[] = {{"y"}, {"p"}, {"r"}, {"q"}};
constexpr Names cg_update_jacobi_outputs[] = {"y", "r", "z", "sum"};
constexpr Input cg_update_jacobi_inputs[] = {{"y"}, {"p"}, {"r"}, {"q"}, {"d"}};
constexpr Names alpha[] = {"alpha"};

constexpr Names cg_scalars[] = {"state", "rho", "beta", "status"};
constexpr Input cg_control_inputs[] = {{"state"}, {"rho"}, {"beta"}, {"status"}, {"sums"}, {"pi"}};
constexpr Names cg_control_constants[] = {"target", "norm"};
constexpr Names cg_control_integers[] = {"limit"};
constexpr Input cg_restart_inputs[] = {{"rho"}, {"status"}, {"rz"}, {"rr"}};
constexpr Names cg_restart_constants[] = {"rescale", "keep"};

constexpr Names history[] = {"history"};
constexpr Input in_value[] = {{"value"}};
constexpr Names position[] = {"x", "y"};

constexpr std::array<PassRow, pass_count> table{{
    {PassId::fill, "fill", "fill", "", "y <- value, padding stays zero", y, {}, {}, fill_integers, value},
    {PassId::copy, "copy", "copy", "", "y <- x", y, in_x, {}, {}, {}},
    {PassId::axpy, "axpy", "axpy", "", "y <- y + a x", y, in_y_x, factor, {}, {}, true},
    {PassId::xpay, "xpay", "xpay", "", "y <- x + a y", y, in_y_x, factor, {}, {}, true},
    {PassId::scale, "scale", "scale", "", "y <- a x", y, in_x, factor, {}, {}},
    {PassId::multiply, "multiply", "multiply", "", "z <- x * y, element by element", z, in_x_y, {}, {}, {}},
    {PassId::dot, "dot", "dot", "", "sum <- x * y, to be added up", sum, in_x_y, {}, {}, {}, false, Domain::input},
    {PassId::sum, "sum", "sum", "", "y <- sums over tiles of x", y, in_x, {}, extent_in, {}},
    {PassId::sum_last, "sum_last", "sum_last", "", "y <- the sum of x", y, in_x, {}, sum_last_integers, {}},
    {PassId::dia_multiply, "dia_multiply", "dia", "", "y <- A x", y, dia_inputs, {}, matrix_integers, {}},
    {PassId::dia_multiply_dot,
     "dia_multiply_dot",
     "dia",
     "DOT",
     "y <- A x, sum <- x * y",
     y_sum,
     dia_inputs,
     {},
     matrix_integers,
     {}},
    {PassId::dia_residual,
     "dia_residual",
     "dia",
     "RESIDUAL",
     "y <- b - A x",
     y,
     dia_residual_inputs,
     {},
     matrix_integers,
     {}},
    {PassId::ell_multiply, "ell_multiply", "ell", "", "y <- A x", y, ell_inputs, {}, matrix_integers, {}},
    {PassId::ell_multiply_dot,
     "ell_multiply_dot",
     "ell",
     "DOT",
     "y <- A x, sum <- x * y",
     y_sum,
     ell_inputs,
     {},
     matrix_integers,
     {}},
    {PassId::ell_residual,
     "ell_residual",
     "ell",
     "RESIDUAL",
     "y <- b - A x",
     y,
     ell_residual_inputs,
     {},
     matrix_integers,
     {}},
    {PassId::cg_update,
     "cg_update",
     "cg_update",
     "",
     "y += alpha p, r -= alpha q, sum <- (r.r, r.r, y.y, 0)",
     cg_update_outputs,
     cg_update_inputs,
     alpha,
     {},
     {},
     true},
    {PassId::cg_update_jacobi,
     "cg_update_jacobi",
     "cg_update",
     "JACOBI",
     "y += alpha p, r -= alpha q, z <- d * r, sum <- (r.z, r.r, y.y, 0)",
     cg_update_jacobi_outputs,
     cg_update_jacobi_inputs,
     alpha,
     {},
     {},
     true},
    {PassId::cg_control,
     "cg_control",
     "cg_control",
     "",
     "drift, stop test, beta <- (r,z) / rho, rho <- (r,z)",
     cg_scalars,
     cg_control_inputs,
     {},
     cg_control_integers,
     cg_control_constants,
     true},
    {PassId::cg_restart,
     "cg_restart",
     "cg_restart",
     "",
     "after a correction: beta, rho, drift anew; running again",
     cg_scalars,
     cg_restart_inputs,
     {},
     {},
     cg_restart_constants},
    {PassId::record,
     "record",
     "record",
     "",
     "history[x, y] <- value",
     history,
     in_value,
     {},
     position,
     {},
     false,
     Domain::texel},
}};

consteval bool rows_in_order() {
    for (int i = 0; i < pass_count; ++i) {
        if (static_cast<int>(table[static_cast<std::size_t>(i)].id) != i) return false;
    }
    return true;
}
static_assert(rows_in_order(), "a row of the pass table stands at the place of its PassId");

}  // namespace

std::span<const PassRow> pass_table() { return table; }

const PassRow& row(PassId pass) { return table[static_cast<std::size_t>(pass)]; }

}  // namespace glsolve::inline v0_1
