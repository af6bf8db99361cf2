/// What leads from one level of a hierarchy to another.
#pragma once

#include "core/pass_rows/shared.hpp"

namespace glsolve::inline v0_1::pass_rows {

inline constexpr Input transfer_inputs[] = {{"x"}, {"a"}, {"columns", true}, {"slices", true}};
inline constexpr Input transfer_add_inputs[] = {{"y"}, {"x"}, {"a"}, {"columns", true}, {"slices", true}};
inline constexpr Names transfer_integers[] = {"log2_width", "log2_x",      "log2_values",
                                              "log2_slice", "log2_slices", "slots"};

inline constexpr Input box_transfer_inputs[] = {{"x"}, {"a"}, {"places", true}};
inline constexpr Input box_transfer_add_inputs[] = {{"y"}, {"x"}, {"a"}, {"places", true}};
inline constexpr Names box_transfer_integers[] = {"log2_x", "last", "log2_values", "line", "plane",
                                                  "high",   "deep", "stride",      "wide"};

// clang-format off
inline constexpr PassRow multigrid[] = {
    {.id = PassId::transfer, .name = "transfer", .formula = "y <- P x, x and y of different lengths",
     .outputs = y, .inputs = transfer_inputs, .integers = transfer_integers},
    {.id = PassId::transfer_add, .name = "transfer_add", .file = "transfer", .defines = "ADD", .formula = "y <- y + P x",
     .outputs = y, .inputs = transfer_add_inputs, .integers = transfer_integers},
    {.id = PassId::box_transfer, .name = "box_transfer", .formula = "y <- P x, between the points of two lattices",
     .outputs = y, .inputs = box_transfer_inputs, .integers = box_transfer_integers},
    {.id = PassId::box_transfer_add, .name = "box_transfer_add", .file = "box_transfer", .defines = "ADD",
     .formula = "y <- y + P x", .outputs = y, .inputs = box_transfer_add_inputs, .integers = box_transfer_integers},
};
// clang-format on

}  // namespace glsolve::inline v0_1::pass_rows
