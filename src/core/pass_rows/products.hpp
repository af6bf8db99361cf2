/// Products with sparse matrices and what can end them, once for each format.
#pragma once

#include <algorithm>

#include "core/pass_rows/shared.hpp"

namespace glsolve::inline v0_1::pass_rows {

// What follows the inputs x, a and the matrix's structure.
inline constexpr std::array only_b{Input{"b"}};
inline constexpr std::array b_low{Input{"b"}, Input{"b_low"}};
inline constexpr std::array b_d{Input{"b"}, Input{"d"}};
inline constexpr std::array r_d{Input{"r"}, Input{"d"}};
inline constexpr std::array b_p_d{Input{"b"}, Input{"p"}, Input{"d"}};

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
    static constexpr auto multiply_dots = x_a + structure + r_d;
};

inline constexpr std::array dia_structure{Input{"diagonals", true}};
inline constexpr std::array ell_structure{Input{"columns", true}};
inline constexpr std::array sliced_structure{Input{"columns", true}, Input{"slices", true}};
inline constexpr Names tile_integers[] = {"log2_width", "log2_columns", "count",       "tile_height",
                                          "length",     "diagonal",     "differences", "log2_field"};
inline constexpr Names sliced_integers[] = {"log2_width",  "log2_values", "log2_columns", "log2_slices", "log2_slice",
                                            "differences", "runs",        "singles",      "length",      "log2_field"};
inline constexpr Names tile_integers_steps[] = {"log2_width", "log2_columns", "count",      "tile_height", "length",
                                                "diagonal",   "differences",  "log2_field", "steps"};
inline constexpr Names sliced_integers_steps[] = {"log2_width", "log2_values", "log2_columns", "log2_slices",
                                                  "log2_slice", "differences", "runs",         "singles",
                                                  "length",     "log2_field",  "steps"};
inline constexpr Names y_low_sum[] = {"y", "y_low", "sum"};
inline constexpr Names y_p[] = {"y", "p"};
inline constexpr Names y_p_sum[] = {"y", "p", "sum"};
inline constexpr Names weight[] = {"weight"};
inline constexpr Names alpha_beta[] = {"alpha", "beta"};

/// A format whose products are made from one file.
template <const auto& structure>
struct Products {
    using Inputs = ProductInputs<structure>;
    Names file;
    std::span<const Names> integers, integers_steps = {};

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
    constexpr PassRow multiply_dots(PassId id, Names name) const {
        PassRow row = multiply_dot(id, name);
        row.defines = "DOTS";
        row.formula = "y <- A x, sum <- (r.z, x.y, u.y, z.y) with z = d * r, u = d * y";
        row.inputs = Inputs::multiply_dots;
        return row;
    }
    constexpr PassRow field(PassId id, Names name) const {
        PassRow row = multiply_dot(id, name);
        row.defines = "FIELD DOT";
        row.formula = "y <- A x for four right-hand sides, sum <- x * y";
        return row;
    }
    constexpr PassRow chebyshev_chaotic(PassId id, Names name) const {
        PassRow row = chebyshev(id, name);
        row.defines = "STEP CHEBYSHEV CHAOTIC";
        row.formula = "steps of chebyshev, not waiting for one another";
        row.integers = integers_steps;
        row.constants = {};
        row.chaotic = true;
        return row;
    }
};
inline constexpr Products<dia_structure> dia{"dia", tile_integers, tile_integers_steps};
inline constexpr Products<ell_structure> ell{"ell", tile_integers, tile_integers_steps};
inline constexpr Products<sliced_structure> sliced{"sliced", sliced_integers, sliced_integers_steps};

// Of dense matrices the parts of products, zones of c; there `a` is c.
inline constexpr std::array size_of_parts{Input{"size"}};
inline constexpr Products<size_of_parts> sum_vector{"sumVector", tile_integers};

// clang-format off
inline constexpr PassRow products[] = {
    dia.multiply(PassId::dia_multiply, "dia_multiply"),
    dia.multiply_dot(PassId::dia_multiply_dot, "dia_multiply_dot"),
    dia.residual(PassId::dia_residual, "dia_residual"),
    dia.multiply_two_float(PassId::dia_multiply_two_float, "dia_multiply_two_float"),
    dia.residual_two_float(PassId::dia_residual_two_float, "dia_residual_two_float"),
    dia.relax(PassId::dia_relax, "dia_relax"),
    dia.chebyshev(PassId::dia_chebyshev, "dia_chebyshev"),
    dia.chebyshev_norms(PassId::dia_chebyshev_norms, "dia_chebyshev_norms"),
    dia.multiply_dots(PassId::dia_multiply_dots, "dia_multiply_dots"),
    dia.field(PassId::dia_field, "dia_field"),
    dia.chebyshev_chaotic(PassId::dia_chebyshev_chaotic, "dia_chebyshev_chaotic"),
    ell.multiply(PassId::ell_multiply, "ell_multiply"),
    ell.multiply_dot(PassId::ell_multiply_dot, "ell_multiply_dot"),
    ell.residual(PassId::ell_residual, "ell_residual"),
    ell.multiply_two_float(PassId::ell_multiply_two_float, "ell_multiply_two_float"),
    ell.residual_two_float(PassId::ell_residual_two_float, "ell_residual_two_float"),
    ell.relax(PassId::ell_relax, "ell_relax"),
    ell.chebyshev(PassId::ell_chebyshev, "ell_chebyshev"),
    ell.chebyshev_norms(PassId::ell_chebyshev_norms, "ell_chebyshev_norms"),
    ell.multiply_dots(PassId::ell_multiply_dots, "ell_multiply_dots"),
    ell.field(PassId::ell_field, "ell_field"),
    ell.chebyshev_chaotic(PassId::ell_chebyshev_chaotic, "ell_chebyshev_chaotic"),
    sliced.multiply(PassId::sliced_multiply, "sliced_multiply"),
    sliced.multiply_dot(PassId::sliced_multiply_dot, "sliced_multiply_dot"),
    sliced.residual(PassId::sliced_residual, "sliced_residual"),
    sliced.multiply_two_float(PassId::sliced_multiply_two_float, "sliced_multiply_two_float"),
    sliced.residual_two_float(PassId::sliced_residual_two_float, "sliced_residual_two_float"),
    sliced.relax(PassId::sliced_relax, "sliced_relax"),
    sliced.chebyshev(PassId::sliced_chebyshev, "sliced_chebyshev"),
    sliced.chebyshev_norms(PassId::sliced_chebyshev_norms, "sliced_chebyshev_norms"),
    sliced.multiply_dots(PassId::sliced_multiply_dots, "sliced_multiply_dots"),
    sliced.field(PassId::sliced_field, "sliced_field"),
    sliced.chebyshev_chaotic(PassId::sliced_chebyshev_chaotic, "sliced_chebyshev_chaotic"),
    sum_vector.multiply(PassId::sumVector, "sumVector"),
    sum_vector.multiply_dot(PassId::sumVector_dot, "sumVector_dot"),
    sum_vector.residual(PassId::sumVector_residual, "sumVector_residual"),
    sum_vector.multiply_two_float(PassId::sumVector_two_float, "sumVector_two_float"),
    sum_vector.residual_two_float(PassId::sumVector_residual_two_float, "sumVector_residual_two_float"),
    sum_vector.relax(PassId::sumVector_relax, "sumVector_relax"),
    sum_vector.chebyshev(PassId::sumVector_chebyshev, "sumVector_chebyshev"),
    sum_vector.chebyshev_norms(PassId::sumVector_chebyshev_norms, "sumVector_chebyshev_norms"),
    sum_vector.multiply_dots(PassId::sumVector_multiply_dots, "sumVector_multiply_dots"),
};
// clang-format on

}  // namespace glsolve::inline v0_1::pass_rows
