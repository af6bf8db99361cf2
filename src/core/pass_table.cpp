#include "core/pass_table.hpp"

#include <algorithm>
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
constexpr Names extremes_integers[] = {"width", "height", "length", "log2_width"};
constexpr Names low_high[] = {"low", "high"};
constexpr Input in_low_high[] = {{"low"}, {"high"}};
constexpr Names fill_integers[] = {"length", "log2_width"};
constexpr Names value[] = {"value"};

// Inputs of products: x, the matrix's values, its structure, and b where there is one; in two floats the low parts as
// well.
constexpr std::array x_a{Input{"x"}, Input{"a"}};
constexpr std::array x_a_low{Input{"x"}, Input{"a"}, Input{"a_low"}};
constexpr std::array x_low_a_low{Input{"x"}, Input{"x_low"}, Input{"a"}, Input{"a_low"}};
constexpr std::array only_b{Input{"b"}};
constexpr std::array b_low{Input{"b"}, Input{"b_low"}};
constexpr std::array b_d{Input{"b"}, Input{"d"}};
constexpr std::array b_p_d{Input{"b"}, Input{"p"}, Input{"d"}};

template <std::size_t m, std::size_t n>
constexpr std::array<Input, m + n> operator+(const std::array<Input, m>& front, const std::array<Input, n>& back) {
    std::array<Input, m + n> all;
    std::copy(front.begin(), front.end(), all.begin());
    std::copy(back.begin(), back.end(), all.begin() + m);
    return all;
}

template <const auto& structure>
struct ProductInputs {
    static constexpr auto multiply = x_a + structure;
    static constexpr auto residual = x_a + structure + only_b;
    static constexpr auto multiply_two_float = x_a_low + structure;
    static constexpr auto residual_two_float = x_low_a_low + structure + b_low;
    static constexpr auto relax = x_a + structure + b_d;
    static constexpr auto chebyshev = x_a + structure + b_p_d;
};

constexpr std::array dia_structure{Input{"diagonals", true}};
constexpr std::array ell_structure{Input{"columns", true}};
constexpr std::array sliced_structure{Input{"columns", true}, Input{"slices", true}};
constexpr Names tile_integers[] = {"log2_width", "log2_columns", "count",      "tile_height",
                                   "length",     "diagonal",     "differences"};
constexpr Names sliced_integers[] = {"log2_width", "log2_values", "log2_columns", "log2_slices",
                                     "log2_slice", "differences", "runs",         "singles"};

constexpr Names y_low_sum[] = {"y", "y_low", "sum"};
constexpr Names y_p[] = {"y", "p"};
constexpr Names y_p_sum[] = {"y", "p", "sum"};
constexpr Names weight[] = {"weight"};
constexpr Names alpha_beta[] = {"alpha", "beta"};

/// A format whose products are made from one file.
template <const auto& structure>
struct Products {
    using Inputs = ProductInputs<structure>;
    Names file;
    std::span<const Names> integers;

    constexpr PassRow multiply(PassId id, Names name) const {
        return {.id = id,
                .name = name,
                .file = file,
                .formula = "y <- A x",
                .outputs = y,
                .inputs = Inputs::multiply,
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
        row.inputs = Inputs::residual;
        return row;
    }
    constexpr PassRow multiply_two_float(PassId id, Names name) const {
        PassRow row = multiply(id, name);
        row.defines = "TWO_FLOAT DOT";
        row.formula = "y + y_low <- A x, sum <- x * y";
        row.outputs = y_low_sum;
        row.inputs = Inputs::multiply_two_float;
        row.two_float = true;
        return row;
    }
    constexpr PassRow residual_two_float(PassId id, Names name) const {
        PassRow row = multiply(id, name);
        row.defines = "TWO_FLOAT RESIDUAL X_LOW";
        row.formula = "y + y_low <- b - A x, sum <- (y.y, |(|A| |x| + |b|)|^2, 0, 0)";
        row.outputs = y_low_sum;
        row.inputs = Inputs::residual_two_float;
        row.two_float = true;
        return row;
    }
    constexpr PassRow relax(PassId id, Names name) const {
        PassRow row = multiply(id, name);
        row.defines = "STEP";
        row.formula = "y <- x + weight d * (b - A x)";
        row.inputs = Inputs::relax;
        row.constants = weight;
        row.guarded = true;
        return row;
    }
    constexpr PassRow chebyshev(PassId id, Names name) const {
        PassRow row = relax(id, name);
        row.defines = "STEP CHEBYSHEV";
        row.formula = "p <- d * (b - A x) + beta p, y <- x + alpha p";
        row.outputs = y_p;
        row.inputs = Inputs::chebyshev;
        row.constants = alpha_beta;
        return row;
    }
    constexpr PassRow chebyshev_norms(PassId id, Names name) const {
        PassRow row = chebyshev(id, name);
        row.defines = "STEP CHEBYSHEV NORMS";
        row.formula = "the same, sum <- (r.r, x.x, 0, 0) with r = b - A x";
        row.outputs = y_p_sum;
        return row;
    }
};
constexpr Products<dia_structure> dia{"dia", tile_integers};
constexpr Products<ell_structure> ell{"ell", tile_integers};
constexpr Products<sliced_structure> sliced{"sliced", sliced_integers};

// Dense matrices: a product is made in parts, zones of c, which sumVector adds up; there `a` is c.
constexpr std::array size_of_parts{Input{"size"}};
constexpr Products<size_of_parts> sum_vector{"sumVector", tile_integers};
constexpr Names c[] = {"c"};
constexpr Names c_low[] = {"c", "c_low"};
constexpr Names c_low_size[] = {"c", "c_low", "c_size"};
constexpr Names c_four[] = {"c0", "c1", "c2", "c3"};
constexpr Names a[] = {"a"};
constexpr Names alpha[] = {"alpha"};
constexpr Names k[] = {"k", "log2_width", "length"};
constexpr Names dense_integers[] = {"log2_width", "log2_columns", "columns",    "tile_height",
                                    "count",      "log2_zones",   "log2_strip", "differences"};
constexpr Names transposed_integers[] = {"log2_width", "log2_columns", "texels",    "tile_height",
                                         "count",      "log2_zones",   "log2_strip"};
constexpr Names four_integers[] = {"log2_width", "log2_columns", "columns",    "tile_height",
                                   "count",      "log2_zones",   "log2_strip", "log2_field"};
constexpr Names sum_four_integers[] = {"log2_width", "log2_columns", "count", "tile_height", "length", "log2_field"};
constexpr Names spread_integers[] = {"log2_width", "log2_columns", "tile_height", "length"};
constexpr Names zone_integers[] = {"log2_width", "log2_columns", "tile_height", "length", "log2_strip"};
constexpr Input in_c_four[] = {{"c0"}, {"c1"}, {"c2"}, {"c3"}};
constexpr Input in_y_x_d[] = {{"y"}, {"x"}, {"d"}};
constexpr Input in_a_x_y[] = {{"a"}, {"x"}, {"y"}};

// Inversion after Gauss and Jordan, in panels of columns.
constexpr Names panel[] = {"panel"};
constexpr Names used[] = {"used"};
constexpr Names rows[] = {"rows"};
constexpr Input in_a[] = {{"a"}};
constexpr Input in_x_used[] = {{"x"}, {"used"}};
constexpr Input in_used_pivot[] = {{"used"}, {"pivot"}};
constexpr Input in_panel_pivot[] = {{"panel"}, {"pivot"}};
constexpr Input in_a_pivots[] = {{"a"}, {"pivots"}};
constexpr Input jordan_update_inputs[] = {{"a"}, {"used"}, {"panel"}, {"rows"}};
constexpr Input in_a_used_pivots[] = {{"a"}, {"used"}, {"pivots"}};
constexpr Names extract_integers[] = {"log2_width", "log2_columns", "tile_height", "length", "log2_strip", "first"};
constexpr Names pivot_integers[] = {"width", "height", "length", "log2_width", "zone_y"};
constexpr Names step[] = {"step"};
constexpr Names step_integers[] = {"zone_height", "column"};
constexpr Names panel_integers[] = {"log2_width", "log2_columns", "tile_height", "length",      "log2_strip",
                                    "first",      "count",        "log2_field",  "field_height"};
constexpr Names permute_integers[] = {"log2_width", "log2_columns", "tile_height",
                                      "length",     "log2_strip",   "log2_field"};

constexpr Names cg_update_outputs[] = {"y", "r", "sum"};
constexpr Input cg_update_inputs[] = {{"y"}, {"p"}, {"r"}, {"q"}};
constexpr Names cg_update_jacobi_outputs[] = {"y", "r", "z", "sum"};
constexpr Input cg_update_jacobi_inputs[] = {{"y"}, {"p"}, {"r"}, {"q"}, {"d"}};

constexpr Names cg_two_float_outputs[] = {"r", "r_low", "sum"};
constexpr Names cg_two_float_jacobi_outputs[] = {"r", "r_low", "z", "sum"};
constexpr Input cg_two_float_inputs[] = {{"r"}, {"r_low"}, {"q"}, {"q_low"}, {"d"}};
constexpr Names cg_scalars[] = {"state", "rho", "beta", "status"};
constexpr Input cg_control_inputs[] = {{"state"}, {"rho"}, {"beta"}, {"status"}, {"sums"}, {"pi"}};
constexpr Names cg_control_constants[] = {"target", "norm"};
constexpr Names cg_control_integers[] = {"limit", "alone"};
constexpr Names limit_only[] = {"limit"};
constexpr Input cg_restart_inputs[] = {{"rho"}, {"rz"}, {"rr"}};
constexpr Names cg_restart_constants[] = {"rescale", "keep"};

// Krylov bases, and GMRES on them.
constexpr Names square[] = {"square"};
constexpr Names state[] = {"state"};
constexpr Names status[] = {"status"};
constexpr Input in_x_v[] = {{"x"}, {"v"}};
constexpr Input in_x_d[] = {{"x"}, {"d"}};
constexpr Input in_v_h_x[] = {{"v"}, {"h"}, {"x"}};
constexpr Input in_v_h_d[] = {{"v"}, {"h"}, {"d"}};
constexpr Names basis_dot_integers[] = {"x",           "y",     "columns", "rows", "log2_width", "log2_columns",
                                        "tile_height", "first", "count"};
constexpr Names basis_sum_integers[] = {"x", "y", "columns", "rows", "width", "height"};
constexpr Names basis_last_integers[] = {"width", "height", "first_block", "blocks"};
constexpr Names basis_integers[] = {"log2_width", "log2_columns", "tile_height", "first", "count"};
constexpr Input in_rr[] = {{"rr"}};

// BiCGStab.
constexpr Names p_only[] = {"p"};
constexpr Names p_u[] = {"p", "u"};
constexpr Names s_only[] = {"s"};
constexpr Names s_w[] = {"s", "w"};
constexpr Names y_r_sum[] = {"y", "r", "sum"};
constexpr Names factors[] = {"factors"};
constexpr Names alpha_products[] = {"alpha", "products"};
constexpr Names bicgstab_scalars[] = {"state", "rho", "factors", "status"};
constexpr Input bicgstab_direction_inputs[] = {{"p"}, {"r"}, {"v"}, {"d"}};
constexpr Input bicgstab_half_inputs[] = {{"r"}, {"v"}, {"d"}};
constexpr Input in_t_s[] = {{"t"}, {"s"}};
constexpr Input bicgstab_update_inputs[] = {{"y"}, {"r"}, {"u"}, {"w"}, {"s"}, {"t"}, {"shadow"}};
constexpr Input bicgstab_control_inputs[] = {{"state"}, {"rho"},      {"factors"}, {"status"},
                                             {"sums"},  {"products"}, {"sigma"},   {"shadow"}};

// Iterations without inner products.
constexpr Names state_and_status[] = {"state", "status"};
constexpr Input step_control_inputs[] = {{"state"}, {"status"}, {"sums"}};
constexpr Names steps_limit[] = {"steps", "limit"};
// MINRES.
constexpr Names minres_update_outputs[] = {"u_next", "w_next", "y", "sum"};
constexpr Input minres_update_inputs[] = {{"u_before"}, {"w_before"}, {"w"}, {"y"}, {"step"}, {"u"}, {"q"}};
constexpr Names minres_update_scalars[] = {"lanczos", "pi"};
constexpr Names minres_scalars[] = {"lanczos", "rotation", "step", "status"};
constexpr Names minres_constants[] = {"target", "norm", "caution"};
constexpr Input minres_control_inputs[] = {{"lanczos"}, {"rotation"}, {"step"}, {"status"}, {"pi"}, {"sums"}};

// GMRES.
constexpr Input gmres_column_inputs[] = {{"state"}, {"first"}, {"second"}, {"square"}};
constexpr Input gmres_status_inputs[] = {{"status"}, {"state"}, {"square"}};
constexpr Input in_state_status[] = {{"state"}, {"status"}};
constexpr Names restart[] = {"restart"};
constexpr Names restart_j[] = {"restart", "j"};
constexpr Names restart_j_limit[] = {"restart", "j", "limit"};
constexpr Names target[] = {"target"};

constexpr Names history[] = {"history"};
constexpr Input in_value[] = {{"value"}};
constexpr Names y_low[] = {"y", "y_low"};
constexpr Input in_y_low_x[] = {{"y"}, {"y_low"}, {"x"}};
constexpr Input in_t_r_w[] = {{"t"}, {"r"}, {"w"}};
constexpr Names weights[] = {"weights"};
constexpr Names factor_s[] = {"s"};
constexpr Names error_free_outputs[] = {"s", "e", "p", "f"};
constexpr Names window[] = {"x", "y", "columns", "rows"};

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
    {.id = PassId::dot, .name = "dot", .file = "reduce", .defines = "SUM FIRST DOT",
     .formula = "y <- sums over tiles of x * y", .outputs = y, .inputs = in_x_y, .integers = extent_in},
    {.id = PassId::sum, .name = "sum", .file = "reduce", .defines = "SUM", .formula = "y <- sums over tiles of x",
     .outputs = y, .inputs = in_x, .integers = extent_in},
    {.id = PassId::sum_last, .name = "sum_last", .file = "reduce", .defines = "SUM LAST", .formula = "y <- the sum of x",
     .outputs = y, .inputs = in_x, .integers = sum_last_integers},
    {.id = PassId::measures, .name = "measures", .file = "reduce", .defines = "MEASURES FIRST",
     .formula = "y <- (sum, |x|_1, |x|_2^2, |x|_inf) of tiles of x", .outputs = y, .inputs = in_x, .integers = extent_in},
    {.id = PassId::measures_stage, .name = "measures_stage", .file = "reduce", .defines = "MEASURES",
     .formula = "the same from partial results", .outputs = y, .inputs = in_x, .integers = extent_in},
    {.id = PassId::measures_last, .name = "measures_last", .file = "reduce", .defines = "MEASURES LAST",
     .formula = "the same, to the end", .outputs = y, .inputs = in_x, .integers = extent_in},
    {.id = PassId::extremes, .name = "extremes", .file = "reduce", .defines = "EXTREMES FIRST",
     .formula = "low, high <- the extremes of tiles of x, and where they are",
     .outputs = low_high, .inputs = in_x, .integers = extremes_integers},
    {.id = PassId::extremes_stage, .name = "extremes_stage", .file = "reduce", .defines = "EXTREMES",
     .formula = "the same from partial results", .outputs = low_high, .inputs = in_low_high, .integers = extent_in},
    {.id = PassId::extremes_last, .name = "extremes_last", .file = "reduce", .defines = "EXTREMES LAST",
     .formula = "the same, to the end", .outputs = low_high, .inputs = in_low_high, .integers = extent_in},
    {.id = PassId::compensated_sum, .name = "compensated_sum", .file = "reduce", .defines = "COMPENSATED FIRST",
     .formula = "y.x + y.y <- sums over tiles of x, in two floats",
     .outputs = y, .inputs = in_x, .integers = extent_in, .two_float = true},
    {.id = PassId::compensated_dot, .name = "compensated_dot", .file = "reduce", .defines = "COMPENSATED FIRST DOT",
     .formula = "out.x + out.y <- sums over tiles of x * y, in two floats",
     .outputs = y, .inputs = in_x_y, .integers = extent_in, .two_float = true},
    {.id = PassId::compensated_stage, .name = "compensated_stage", .file = "reduce", .defines = "COMPENSATED",
     .formula = "the same from partial results", .outputs = y, .inputs = in_x, .integers = extent_in, .two_float = true},
    {.id = PassId::compensated_last, .name = "compensated_last", .file = "reduce", .defines = "COMPENSATED LAST",
     .formula = "the same, to the end", .outputs = y, .inputs = in_x, .integers = extent_in, .two_float = true},

    dia.multiply(PassId::dia_multiply, "dia_multiply"),
    dia.multiply_dot(PassId::dia_multiply_dot, "dia_multiply_dot"),
    dia.residual(PassId::dia_residual, "dia_residual"),
    dia.multiply_two_float(PassId::dia_multiply_two_float, "dia_multiply_two_float"),
    dia.residual_two_float(PassId::dia_residual_two_float, "dia_residual_two_float"),
    dia.relax(PassId::dia_relax, "dia_relax"),
    dia.chebyshev(PassId::dia_chebyshev, "dia_chebyshev"),
    dia.chebyshev_norms(PassId::dia_chebyshev_norms, "dia_chebyshev_norms"),
    ell.multiply(PassId::ell_multiply, "ell_multiply"),
    ell.multiply_dot(PassId::ell_multiply_dot, "ell_multiply_dot"),
    ell.residual(PassId::ell_residual, "ell_residual"),
    ell.multiply_two_float(PassId::ell_multiply_two_float, "ell_multiply_two_float"),
    ell.residual_two_float(PassId::ell_residual_two_float, "ell_residual_two_float"),
    ell.relax(PassId::ell_relax, "ell_relax"),
    ell.chebyshev(PassId::ell_chebyshev, "ell_chebyshev"),
    ell.chebyshev_norms(PassId::ell_chebyshev_norms, "ell_chebyshev_norms"),
    sliced.multiply(PassId::sliced_multiply, "sliced_multiply"),
    sliced.multiply_dot(PassId::sliced_multiply_dot, "sliced_multiply_dot"),
    sliced.residual(PassId::sliced_residual, "sliced_residual"),
    sliced.multiply_two_float(PassId::sliced_multiply_two_float, "sliced_multiply_two_float"),
    sliced.residual_two_float(PassId::sliced_residual_two_float, "sliced_residual_two_float"),
    sliced.relax(PassId::sliced_relax, "sliced_relax"),
    sliced.chebyshev(PassId::sliced_chebyshev, "sliced_chebyshev"),
    sliced.chebyshev_norms(PassId::sliced_chebyshev_norms, "sliced_chebyshev_norms"),

    sum_vector.multiply(PassId::sumVector, "sumVector"),
    sum_vector.multiply_dot(PassId::sumVector_dot, "sumVector_dot"),
    sum_vector.residual(PassId::sumVector_residual, "sumVector_residual"),
    sum_vector.multiply_two_float(PassId::sumVector_two_float, "sumVector_two_float"),
    sum_vector.residual_two_float(PassId::sumVector_residual_two_float, "sumVector_residual_two_float"),
    sum_vector.relax(PassId::sumVector_relax, "sumVector_relax"),
    sum_vector.chebyshev(PassId::sumVector_chebyshev, "sumVector_chebyshev"),
    sum_vector.chebyshev_norms(PassId::sumVector_chebyshev_norms, "sumVector_chebyshev_norms"),
    {.id = PassId::sumVector_four, .name = "sumVector_four", .formula = "y <- the sums of the zones of c0 ... c3, side by side",
     .outputs = y, .inputs = in_c_four, .integers = sum_four_integers},
    {.id = PassId::sumTexel, .name = "sumTexel", .formula = "y <- the sum of all texels of x, one after the other",
     .outputs = y, .inputs = in_x, .integers = extent_in},
    {.id = PassId::spread, .name = "spread", .formula = "zone j of y <- x_j, everywhere",
     .outputs = y, .inputs = in_x, .integers = spread_integers},
    {.id = PassId::krueger_diagonal, .name = "krueger_diagonal", .formula = "y <- y + d * (x, rotated by k)",
     .outputs = y, .inputs = in_y_x_d, .integers = k},
    {.id = PassId::dense_partial, .name = "dense_partial", .defines = "PARTIAL", .formula = "c <- A x in parts",
     .outputs = c, .inputs = x_a, .integers = dense_integers, .in_parts = true},
    {.id = PassId::dense_partial_two_float, .name = "dense_partial_two_float", .file = "dense_partial",
     .defines = "PARTIAL TWO_FLOAT", .formula = "c + c_low <- A x in parts",
     .outputs = c_low, .inputs = x_a_low, .integers = dense_integers, .two_float = true, .in_parts = true},
    {.id = PassId::dense_partial_residual_two_float, .name = "dense_partial_residual_two_float", .file = "dense_partial",
     .defines = "PARTIAL TWO_FLOAT RESIDUAL X_LOW", .formula = "c + c_low <- A x in parts, c_size <- |A| |x|",
     .outputs = c_low_size, .inputs = x_low_a_low, .integers = dense_integers, .two_float = true, .in_parts = true},
    {.id = PassId::dense_transposed, .name = "dense_transposed", .formula = "c <- A^T x in parts",
     .outputs = c, .inputs = x_a, .integers = transposed_integers, .in_parts = true},
    {.id = PassId::dense_four, .name = "dense_four", .formula = "c0 ... c3 <- A X in parts, for four right-hand sides",
     .outputs = c_four, .inputs = x_a, .integers = four_integers, .in_parts = true},
    {.id = PassId::dense_rank_one, .name = "dense_rank_one", .formula = "a <- a + alpha x y^T",
     .outputs = a, .inputs = in_a_x_y, .scalars = alpha, .integers = zone_integers},
    {.id = PassId::jordan_extract, .name = "jordan_extract", .formula = "panel <- some columns of a",
     .outputs = panel, .inputs = in_a, .integers = extract_integers},
    {.id = PassId::jordan_pivot, .name = "jordan_pivot", .file = "reduce", .defines = "EXTREMES FIRST PIVOT",
     .formula = "high <- the largest number of tiles of a column, in rows that are free",
     .outputs = low_high, .inputs = in_x_used, .integers = pivot_integers},
    {.id = PassId::jordan_mark, .name = "jordan_mark", .formula = "used <- the step, in the pivot's row",
     .outputs = used, .inputs = in_used_pivot, .integers = step},
    {.id = PassId::jordan_step, .name = "jordan_step", .formula = "a step of Gauss and Jordan on a panel",
     .outputs = panel, .inputs = in_panel_pivot, .integers = step_integers},
    {.id = PassId::jordan_gather, .name = "jordan_gather", .formula = "rows <- the rows of a panel's pivots",
     .outputs = rows, .inputs = in_a_pivots, .integers = panel_integers},
    {.id = PassId::jordan_update, .name = "jordan_update", .formula = "a <- a (0 in the pivots' rows) + panel rows",
     .outputs = a, .inputs = jordan_update_inputs, .integers = panel_integers},
    {.id = PassId::jordan_permute, .name = "jordan_permute", .formula = "a <- the inverse in its own order",
     .outputs = a, .inputs = in_a_used_pivots, .integers = permute_integers},

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
     .constants = cg_control_constants, .guarded = true},
    {.id = PassId::cg_restart, .name = "cg_restart", .formula = "after a correction: beta, rho, drift anew; running again",
     .outputs = cg_scalars, .inputs = cg_restart_inputs, .constants = cg_restart_constants},
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
    {.id = PassId::basis_subtract, .name = "basis_subtract", .file = "basis_update", .formula = "y <- x - V h",
     .outputs = y, .inputs = in_v_h_x, .integers = basis_integers},
    {.id = PassId::basis_subtract_norm, .name = "basis_subtract_norm", .file = "basis_update", .defines = "NORM",
     .formula = "y <- x - V h, sum <- y * y", .outputs = y_sum, .inputs = in_v_h_x, .integers = basis_integers},
    {.id = PassId::basis_combine, .name = "basis_combine", .file = "basis_update", .defines = "COMBINE",
     .formula = "y <- V h", .outputs = y, .inputs = std::span(in_v_h_x).first(2), .integers = basis_integers},
    {.id = PassId::basis_combine_jacobi, .name = "basis_combine_jacobi", .file = "basis_update",
     .defines = "COMBINE JACOBI", .formula = "y <- d * V h", .outputs = y, .inputs = in_v_h_d,
     .integers = basis_integers},
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
     .constants = cg_control_constants, .guarded = true},
    {.id = PassId::bicgstab_restart, .name = "bicgstab_restart", .formula = "the same after a correction",
     .outputs = bicgstab_scalars, .inputs = in_rr},
    {.id = PassId::step_control, .name = "step_control", .formula = "stop test",
     .outputs = state_and_status, .inputs = step_control_inputs, .integers = steps_limit,
     .constants = cg_control_constants, .guarded = true},

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
    {.id = PassId::gmres_restart, .name = "gmres_restart", .formula = "state <- no columns, g = (|r|, 0, ...)",
     .outputs = state, .inputs = in_rr, .integers = restart},
    {.id = PassId::gmres_column, .name = "gmres_column", .formula = "R, c, s, g <- with column j of the Hessenberg matrix",
     .outputs = state, .inputs = gmres_column_inputs, .integers = restart_j, .guarded = true},
    {.id = PassId::gmres_raw_column, .name = "gmres_raw_column", .file = "gmres_column", .defines = "RAW",
     .formula = "state <- column j of the Hessenberg matrix", .outputs = state, .inputs = gmres_column_inputs,
     .integers = restart_j, .guarded = true},
    {.id = PassId::gmres_status, .name = "gmres_status", .formula = "|r| <- |g_j+1|, stop test", .outputs = status,
     .inputs = gmres_status_inputs, .integers = restart_j_limit, .constants = target, .guarded = true},
    {.id = PassId::gmres_raw_status, .name = "gmres_raw_status", .file = "gmres_status", .defines = "RAW",
     .formula = "stop test without |r|", .outputs = status, .inputs = gmres_status_inputs, .integers = restart_j_limit,
     .constants = target, .guarded = true},
    {.id = PassId::gmres_solve, .name = "gmres_solve", .formula = "y <- R^-1 g", .outputs = y,
     .inputs = in_state_status, .integers = restart},
    {.id = PassId::record, .name = "record", .formula = "history[x, y] <- value",
     .outputs = history, .inputs = in_value, .integers = window, .domain = Domain::window},
    {.id = PassId::two_float_axpy, .name = "two_float_axpy", .formula = "y + y_low <- y + y_low + a x, in two floats",
     .outputs = y_low, .inputs = in_y_low_x, .scalars = factor, .two_float = true, .elementwise = true},
    {.id = PassId::residual_norms, .name = "residual_norms", .formula = "sum <- (|w t|^2, |t|^2, |s t - r|^2, 0)",
     .outputs = sum, .inputs = in_t_r_w, .integers = weights, .constants = factor_s, .elementwise = true, .domain = Domain::input},
    {.id = PassId::error_free, .name = "error_free", .formula = "s + e = x + y exactly, p + f = x y + x + y in two floats",
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
