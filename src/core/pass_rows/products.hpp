/// Products with sparse matrices and what can end them, once for each format.
#pragma once

#include <algorithm>

#include "core/pass_rows/shared.hpp"

namespace glsolve::inline v0_1::pass_rows {

// What follows the inputs x, a and the matrix's structure.
inline constexpr std::array only_b{Input{"b"}};
inline constexpr std::array only_d{Input{"d"}};
inline constexpr std::array b_low{Input{"b"}, Input{"b_low"}};
inline constexpr std::array r_d{Input{"r"}, Input{"d"}};
inline constexpr std::array b_d{Input{"b"}, Input{"d"}};
inline constexpr std::array b_p_d{Input{"b"}, Input{"p"}, Input{"d"}};

template <std::size_t m, std::size_t n>
constexpr std::array<Input, m + n> operator+(const std::array<Input, m>& front, const std::array<Input, n>& back) {
    std::array<Input, m + n> all;
    std::copy(front.begin(), front.end(), all.begin());
    std::copy(back.begin(), back.end(), all.begin() + m);
    return all;
}

/// Which vectors a product takes beside the matrix.
enum class Takes : std::uint8_t { x, x_b, x_d, x_b_d, x_b_p_d, x_r_d, x_two_float, x_b_two_float };

template <const auto& structure>
struct ProductInputs {
    static constexpr auto x = x_a + structure;
    static constexpr auto x_b = x_a + structure + only_b;
    static constexpr auto x_d = x_a + structure + only_d;
    static constexpr auto x_b_d = x_a + structure + b_d;
    static constexpr auto x_b_p_d = x_a + structure + b_p_d;
    static constexpr auto x_r_d = x_a + structure + r_d;
    static constexpr auto x_two_float = x_a_low + structure;
    static constexpr auto x_b_two_float = x_low_a_low + structure + b_low;

    static constexpr std::span<const Input> of(Takes takes) {
        switch (takes) {
            case Takes::x:
                return x;
            case Takes::x_b:
                return x_b;
            case Takes::x_d:
                return x_d;
            case Takes::x_b_d:
                return x_b_d;
            case Takes::x_b_p_d:
                return x_b_p_d;
            case Takes::x_r_d:
                return x_r_d;
            case Takes::x_two_float:
                return x_two_float;
            case Takes::x_b_two_float:
                return x_b_two_float;
        }
        return {};
    }
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
inline constexpr Names share_weight[] = {"share", "weight"};
inline constexpr Names alpha_beta[] = {"alpha", "beta"};

/// What a product goes on to in the same pass, whatever the format: a row without the format's own.
struct Ending {
    Takes takes;
    PassRow row;
};
inline constexpr Ending multiply{Takes::x, {.formula = "y <- A x", .outputs = y}};
inline constexpr Ending multiply_dot{Takes::x,
                                     {.defines = "DOT", .formula = "y <- A x, sum <- x * y", .outputs = y_sum}};
inline constexpr Ending residual{Takes::x_b, {.defines = "RESIDUAL", .formula = "y <- b - A x", .outputs = y}};
inline constexpr Ending multiply_two_float{
    Takes::x_two_float,
    {.defines = "TWO_FLOAT DOT", .formula = "y + y_low <- A x, sum <- x * y", .outputs = y_low_sum, .two_float = true}};
inline constexpr Ending residual_two_float{Takes::x_b_two_float,
                                           {.defines = "TWO_FLOAT RESIDUAL X_LOW",
                                            .formula = "y + y_low <- b - A x, sum <- (y.y, |(|A| |x| + |b|)|^2, 0, 0)",
                                            .outputs = y_low_sum,
                                            .two_float = true}};
inline constexpr Ending relax{Takes::x_b_d,
                              {.defines = "STEP",
                               .formula = "y <- x + weight d * (b - A x)",
                               .outputs = y,
                               .constants = weight,
                               .guarded = true}};
inline constexpr Ending relax_twice{Takes::x_d,
                                    {.defines = "STEP TWICE",
                                     .formula = "y <- share z - weight d * (A z) with z = d * x",
                                     .outputs = y,
                                     .constants = share_weight}};
inline constexpr Ending chebyshev{Takes::x_b_p_d,
                                  {.defines = "STEP CHEBYSHEV",
                                   .formula = "p <- d * (b - A x) + beta p, y <- x + alpha p",
                                   .outputs = y_p,
                                   .constants = alpha_beta,
                                   .guarded = true}};
inline constexpr Ending chebyshev_norms{Takes::x_b_p_d,
                                        {.defines = "STEP CHEBYSHEV NORMS",
                                         .formula = "the same, sum <- (r.r, x.x, 0, 0) with r = b - A x",
                                         .outputs = y_p_sum,
                                         .constants = alpha_beta,
                                         .guarded = true}};
inline constexpr Ending multiply_dots{Takes::x_r_d,
                                      {.defines = "DOTS",
                                       .formula = "y <- A x, sum <- (r.z, x.y, u.y, z.y) with z = d * r, u = d * y",
                                       .outputs = y_sum}};
inline constexpr Ending field{
    Takes::x,
    {.defines = "FIELD DOT", .formula = "y <- A x for four right-hand sides, sum <- x * y", .outputs = y_sum}};
inline constexpr Ending chebyshev_chaotic{Takes::x_b_p_d,
                                          {.defines = "STEP CHEBYSHEV CHAOTIC",
                                           .formula = "steps of chebyshev, not waiting for one another",
                                           .outputs = y_p,
                                           .guarded = true,
                                           .chaotic = true}};

/// A format whose products are made from one file.
template <const auto& structure>
struct Products {
    Names file;
    std::span<const Names> integers, integers_steps = {};
    bool callers_words = false;

    constexpr PassRow with(PassId id, Names name, const Ending& ending) const {
        PassRow row = ending.row;
        row.id = id;
        row.name = name;
        row.file = file;
        row.inputs = ProductInputs<structure>::of(ending.takes);
        row.integers = row.chaotic ? integers_steps : integers;
        row.callers_words = callers_words;
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
    dia.with(PassId::dia_multiply, "dia_multiply", multiply),
    dia.with(PassId::dia_multiply_dot, "dia_multiply_dot", multiply_dot),
    dia.with(PassId::dia_residual, "dia_residual", residual),
    dia.with(PassId::dia_multiply_two_float, "dia_multiply_two_float", multiply_two_float),
    dia.with(PassId::dia_residual_two_float, "dia_residual_two_float", residual_two_float),
    dia.with(PassId::dia_relax, "dia_relax", relax),
    dia.with(PassId::dia_relax_twice, "dia_relax_twice", relax_twice),
    dia.with(PassId::dia_chebyshev, "dia_chebyshev", chebyshev),
    dia.with(PassId::dia_chebyshev_norms, "dia_chebyshev_norms", chebyshev_norms),
    dia.with(PassId::dia_multiply_dots, "dia_multiply_dots", multiply_dots),
    dia.with(PassId::dia_field, "dia_field", field),
    dia.with(PassId::dia_chebyshev_chaotic, "dia_chebyshev_chaotic", chebyshev_chaotic),
    ell.with(PassId::ell_multiply, "ell_multiply", multiply),
    ell.with(PassId::ell_multiply_dot, "ell_multiply_dot", multiply_dot),
    ell.with(PassId::ell_residual, "ell_residual", residual),
    ell.with(PassId::ell_multiply_two_float, "ell_multiply_two_float", multiply_two_float),
    ell.with(PassId::ell_residual_two_float, "ell_residual_two_float", residual_two_float),
    ell.with(PassId::ell_relax, "ell_relax", relax),
    ell.with(PassId::ell_relax_twice, "ell_relax_twice", relax_twice),
    ell.with(PassId::ell_chebyshev, "ell_chebyshev", chebyshev),
    ell.with(PassId::ell_chebyshev_norms, "ell_chebyshev_norms", chebyshev_norms),
    ell.with(PassId::ell_multiply_dots, "ell_multiply_dots", multiply_dots),
    ell.with(PassId::ell_field, "ell_field", field),
    ell.with(PassId::ell_chebyshev_chaotic, "ell_chebyshev_chaotic", chebyshev_chaotic),
    sliced.with(PassId::sliced_multiply, "sliced_multiply", multiply),
    sliced.with(PassId::sliced_multiply_dot, "sliced_multiply_dot", multiply_dot),
    sliced.with(PassId::sliced_residual, "sliced_residual", residual),
    sliced.with(PassId::sliced_multiply_two_float, "sliced_multiply_two_float", multiply_two_float),
    sliced.with(PassId::sliced_residual_two_float, "sliced_residual_two_float", residual_two_float),
    sliced.with(PassId::sliced_relax, "sliced_relax", relax),
    sliced.with(PassId::sliced_relax_twice, "sliced_relax_twice", relax_twice),
    sliced.with(PassId::sliced_chebyshev, "sliced_chebyshev", chebyshev),
    sliced.with(PassId::sliced_chebyshev_norms, "sliced_chebyshev_norms", chebyshev_norms),
    sliced.with(PassId::sliced_multiply_dots, "sliced_multiply_dots", multiply_dots),
    sliced.with(PassId::sliced_field, "sliced_field", field),
    sliced.with(PassId::sliced_chebyshev_chaotic, "sliced_chebyshev_chaotic", chebyshev_chaotic),
    sum_vector.with(PassId::sumVector, "sumVector", multiply),
    sum_vector.with(PassId::sumVector_dot, "sumVector_dot", multiply_dot),
    sum_vector.with(PassId::sumVector_residual, "sumVector_residual", residual),
    sum_vector.with(PassId::sumVector_two_float, "sumVector_two_float", multiply_two_float),
    sum_vector.with(PassId::sumVector_residual_two_float, "sumVector_residual_two_float", residual_two_float),
    sum_vector.with(PassId::sumVector_relax, "sumVector_relax", relax),
    sum_vector.with(PassId::sumVector_chebyshev, "sumVector_chebyshev", chebyshev),
    sum_vector.with(PassId::sumVector_chebyshev_norms, "sumVector_chebyshev_norms", chebyshev_norms),
    sum_vector.with(PassId::sumVector_multiply_dots, "sumVector_multiply_dots", multiply_dots),
};
// clang-format on

}  // namespace glsolve::inline v0_1::pass_rows
