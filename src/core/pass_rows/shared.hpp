/// Lists of arguments that rows of several families share.
#pragma once

#include <array>

#include "core/pass_table.hpp"

namespace glsolve::inline v0_1::pass_rows {

using Names = std::string_view;

inline constexpr Names y[] = {"y"};
inline constexpr Names z[] = {"z"};
inline constexpr Names sum[] = {"sum"};
inline constexpr Names y_sum[] = {"y", "sum"};
inline constexpr Names factor[] = {"a"};
inline constexpr Names alpha[] = {"alpha"};
inline constexpr Input in_x[] = {{"x"}};
inline constexpr Input in_y_x[] = {{"y"}, {"x"}};
inline constexpr Input in_x_y[] = {{"x"}, {"y"}};
inline constexpr Input in_rr[] = {{"rr"}};
inline constexpr Input in_r_z_y[] = {{"r"}, {"z"}, {"y"}};
inline constexpr Names extent_in[] = {"width", "height"};
inline constexpr Names low_high[] = {"low", "high"};
inline constexpr Names y_low[] = {"y", "y_low"};
inline constexpr Input in_y_low_x[] = {{"y"}, {"y_low"}, {"x"}};

// Inputs of products: x, the matrix's values; in two floats the low parts as well.
inline constexpr std::array x_a{Input{"x"}, Input{"a"}};
inline constexpr std::array x_a_low{Input{"x"}, Input{"a"}, Input{"a_low"}};
inline constexpr std::array x_low_a_low{Input{"x"}, Input{"x_low"}, Input{"a"}, Input{"a_low"}};

inline constexpr Names limit_only[] = {"limit"};
inline constexpr Names target_norm_tolerated[] = {"target", "norm", "tolerated"};
inline constexpr Names window[] = {"x", "y", "columns", "rows"};

}  // namespace glsolve::inline v0_1::pass_rows
