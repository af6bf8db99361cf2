#include "formats/transfer_formats.hpp"

#include <fmt/format.h>

#include <glsolve/error.hpp>

#include "formats/box_plan.hpp"
#include "formats/product_costs.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int most_unrolled = 64;  // fetches: beyond, the shader's loops are not worth unrolling

}  // namespace

TransferCost cost_of_box_transfer(const TransferInput& in, const std::optional<ProductCosts>& costs) {
    const std::optional<BoxShape> shape = boxes_of(in);
    if (!shape) return {};
    const std::int64_t texels = layout_of(in.P.rows).extent().texels();
    const auto fetches = static_cast<double>(shape->fetches());
    TransferCost cost{.possible = true, .fetches = fetches * static_cast<double>(texels)};
    // A slot of slices is six fetches. Records are often shared, but not always.
    const double memory = 16 * (2 + shape->slots() / 2.0) * static_cast<double>(texels);
    if (costs) cost.seconds = product_seconds(*costs, texels, 1, fetches / 6, memory);
    return cost;
}

Transfer make_box_transfer(Backend& backend, const TransferInput& in) {
    const std::optional<BoxShape> found = boxes_of(in);
    if (!found || !fits(*found, in.P.rows, backend.info().max_texture_size))
        throw InvalidInput("a transfer between levels is not one of boxes, or they do not fit a texture");
    const BoxShape& shape = *found;
    const BoxRecords made = make_records(in, shape);
    const Layout rows = layout_of(in.P.rows), columns = layout_of(in.P.columns), values = made.value_layout;
    std::vector<Storage> textures;
    textures.emplace_back(backend, values.extent(), in.element(), "transfer values");
    textures.emplace_back(backend, rows.extent(), Element::integer, "transfer places");
    backend.upload(textures[0].id(), std::span<const float>(made.values.all()));
    backend.upload(textures[1].id(), std::span<const std::int32_t>(made.places.all()));
    std::string definitions = fmt::format("STRIDE {}\nWIDE {}\n", shape.stride, shape.wide);
    if (made.split) definitions += "SPLIT\n";
    if (shape.fetches() <= most_unrolled) definitions += fmt::format("HIGH {}\nDEEP {}\n", shape.high, shape.deep);
    const Index nx = in.columns[0], ny = in.columns[1];
    const auto call = [=](Vector& y, const Vector& x, std::span<const Storage> of_P, bool add) -> PassCall {
        return pass::box_transfer{.y = y,
                                  .x = x,
                                  .a = of_P[0],
                                  .places = of_P[1],
                                  .log2_x = columns.log2_width,
                                  .last = static_cast<std::int32_t>((columns.length - 1) / 4),
                                  .log2_values = values.log2_width,
                                  .line = nx,
                                  .plane = nx * ny,
                                  .high = shape.high,
                                  .deep = shape.deep,
                                  .add = add};
    };
    return {std::move(textures), call, definitions};
}

}  // namespace glsolve::inline v0_1
