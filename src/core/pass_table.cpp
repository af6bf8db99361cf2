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

// Products: x, the matrix's values, its structure, and b where there is one.
constexpr Input dia_inputs[] = {{"x"}, {"a"}, {"diagonals", true}, {"b"}};
constexpr Input ell_inputs[] = {{"x"}, {"a"}, {"columns", true}, {"b"}};
constexpr Input sliced_inputs[] = {{"x"}, {"a"}, {"columns", true}, {"slices", true}, {"b"}};
constexpr Names tile_integers[] = {"log2_width", "log2_columns", "count",      "tile_height",
                                   "length",     "diagonal",     "differences"};
constexpr Names sliced_integers[] = {"log2_width", "log2_values", "log2_columns", "log2_slices",
                                     "log2_slice", "differences", "runs",         "singles"};

/// A format whose three products are made from one file.
struct Products {
    Names file;
    std::span<const Input> inputs;  // b at the end
    std::span<const Names> integers;

    constexpr PassRow multiply(PassId id, Names name) const {
        return {.id = id,
                .name = name,
                .file = file,
                .formula = "y <- A x",
                .outputs = y,
                .inputs = inputs.first(inputs.size() - 1),
                .integers = integers};
    }
    constexpr PassRow multiply_dot(PassId id, Names name) const {
        PassRow row = multiply(id, name);
        row.defines = "DOT";
        row.formula = "y <- A x, sum <- x * y";
        row.outputs = y_sum;
        return row;
    }
    constexpr PassRow residual(PassId id, Names name) const {
        PassRow row = multiply(id, name);
        row.defines = "RESIDUAL";
        row.formula = "y <- b - A x";
        row.inputs = inputs;
        return row;
    }
};
constexpr Products dia{"dia", dia_inputs, tile_integers};
constexpr Products ell{"ell", ell_inputs, tile_integers};
constexpr Products sliced{"sliced", sliced_inputs, sliced_integers};

constexpr Names cg_update_outputs[] = {"y", "r", "sum"};
constexpr Input cg_update_inputs[] = {{"y"}, {"p"}, {"r"}, {"q"}};
constexpr Names cg_update_jacobi_outputs[] = {"y", "r", "z", "sum"};
constexpr Input cg_update_jacobi_inputs[] = {{"y"}, {"p"}, {"r"}, {"q"}, {"d"}};
constexpr Names alpha[] = {"alpha"};

constexpr Names cg_scalars[] = {"state", "rho", "beta", "status"};
constexpr Input cg_control_inputs[] = {{"state"}, {"rho"}, {"beta"}, {"status"}, {"sums"}, {"pi"}};
constexpr Names cg_control_constants[] = {"target", "norm"};
constexpr Names cg_control_integers[] = {"limit"};
constexpr Input cg_restart_inputs[] = {{"rho"}, {"rz"}, {"rr"}};
constexpr Names cg_restart_constants[] = {"rescale", "keep"};

constexpr Names history[] = {"history"};
constexpr Input in_value[] = {{"value"}};
constexpr Names error_free_outputs[] = {"s", "e", "p", "f"};
constexpr Names position[] = {"x", "y"};

// clang-format off
constexpr std::array<PassRow, pass_count> table{{
    {.id = PassId::fill, .name = "fill", .formula = "y <- value, padding stays zero",
     .outputs = y, .integers = fill_integers, .constants = value},
    {.id = PassId::copy, .name = "copy", .formula = "y <- x",
     .outputs = y, .inputs = in_x, .elementwise = true},
    {.id = PassId::axpy, .name = "axpy", .formula = "y <- y + a x",
     .outputs = y, .inputs = in_y_x, .scalars = factor, .guarded = true, .elementwise = true},
    {.id = PassId::xpay, .name = "xpay", .formula = "y <- x + a y",
     .outputs = y, .inputs = in_y_x, .scalars = factor, .guarded = true, .elementwise = true},
    {.id = PassId::scale, .name = "scale", .formula = "y <- a x",
     .outputs = y, .inputs = in_x, .scalars = factor, .elementwise = true},
    {.id = PassId::multiply, .name = "multiply", .formula = "z <- x * y, element by element",
     .outputs = z, .inputs = in_x_y, .elementwise = true},
    {.id = PassId::dot, .name = "dot", .formula = "sum <- x * y, to be added up",
     .outputs = sum, .inputs = in_x_y, .elementwise = true, .domain = Domain::input},
    {.id = PassId::sum, .name = "sum", .formula = "y <- sums over tiles of x",
     .outputs = y, .inputs = in_x, .integers = extent_in},
    {.id = PassId::sum_last, .name = "sum_last", .formula = "y <- the sum of x",
     .outputs = y, .inputs = in_x, .integers = sum_last_integers},

    dia.multiply(PassId::dia_multiply, "dia_multiply"),
    dia.multiply_dot(PassId::dia_multiply_dot, "dia_multiply_dot"),
    dia.residual(PassId::dia_residual, "dia_residual"),
    ell.multiply(PassId::ell_multiply, "ell_multiply"),
    ell.multiply_dot(PassId::ell_multiply_dot, "ell_multiply_dot"),
    ell.residual(PassId::ell_residual, "ell_residual"),
    sliced.multiply(PassId::sliced_multiply, "sliced_multiply"),
    sliced.multiply_dot(PassId::sliced_multiply_dot, "sliced_multiply_dot"),
    sliced.residual(PassId::sliced_residual, "sliced_residual"),

    {.id = PassId::cg_update, .name = "cg_update", .formula = "y += alpha p, r -= alpha q, sum <- (r.r, r.r, y.y, 0)",
     .outputs = cg_update_outputs, .inputs = cg_update_inputs, .scalars = alpha, .guarded = true, .elementwise = true},
    {.id = PassId::cg_update_jacobi, .name = "cg_update_jacobi", .file = "cg_update", .defines = "JACOBI",
     .formula = "y += alpha p, r -= alpha q, z <- d * r, sum <- (r.z, r.r, y.y, 0)",
     .outputs = cg_update_jacobi_outputs, .inputs = cg_update_jacobi_inputs, .scalars = alpha,
     .guarded = true, .elementwise = true},
    {.id = PassId::cg_control, .name = "cg_control", .formula = "drift, stop test, beta <- (r,z) / rho, rho <- (r,z)",
     .outputs = cg_scalars, .inputs = cg_control_inputs, .integers = cg_control_integers,
     .constants = cg_control_constants, .guarded = true},
    {.id = PassId::cg_restart, .name = "cg_restart", .formula = "after a correction: beta, rho, drift anew; running again",
     .outputs = cg_scalars, .inputs = cg_restart_inputs, .constants = cg_restart_constants},
    {.id = PassId::record, .name = "record", .formula = "history[x, y] <- value",
     .outputs = history, .inputs = in_value, .integers = position, .domain = Domain::texel},
    {.id = PassId::error_free, .name = "error_free", .formula = "s + e = x + y, p + f = x * y, exactly",
     .outputs = error_free_outputs, .inputs = in_x_y, .two_float = true, .elementwise = true},
}};
// clang-format on

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
