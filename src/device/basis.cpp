#include "device/basis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <glsolve/error.hpp>

#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

TileLayout grid_of(const Layout& layout, int count, int max_size) {
    if (const int most = most_layers(layout, max_size); count > most) {
        throw InvalidInput(
            fmt::format("a basis of {} vectors of {} numbers fits no texture of {} texels a side; {} vectors do, which "
                        "is a restart after {}",
                        count, layout.length, max_size, most, most - 1));
    }
    return tile_grid(layout.extent(), count, max_size);
}

/// The first stage reads the vectors in any case, however short they are.
std::vector<Extent> stages_of_block(Extent vector, const ReductionShape& shape) {
    std::vector<Extent> plan{reduced(vector, shape.tile)};
    while (plan.back().texels() > shape.last) plan.push_back(reduced(plan.back(), shape.tile));
    return plan;
}

}  // namespace

int most_layers(const Layout& layout, int max_size) {
    const Extent tile = layout.extent();
    const auto across = std::bit_floor(static_cast<unsigned>(max_size / tile.width));  // as tile_grid arranges them
    return static_cast<int>(std::int64_t{across} * (max_size / tile.height));
}

Basis::Basis(Backend& backend, const Layout& layout, int count, std::string_view label)
    : backend_(backend),
      layout_(layout),
      grid_(grid_of(layout, count, backend.info().max_texture_size)),
      variant_(backend.variant(grid_.definitions())),
      storage_(backend, grid_.extent(), Element::real, label),
      plan_(stages_of_block(layout.extent(), backend.reduction_shape(Summed::bases))),
      stages_(plan_.size()) {
    clear();
}

/// A number that is none would outlive all factors of zero.
void Basis::clear() { backend_.encode(pass::fill{.y = storage_, .length = 0, .log2_width = 0, .value = 0.0f}); }

void Basis::store(int k, const Vector& x, const Scalar& square, StorageId status) {
    const int column = k & ((1 << grid_.log2_columns) - 1), row = k >> grid_.log2_columns;
    const Extent tile = layout_.extent();
    backend_.encode(pass::normalise{.y = storage_,
                                    .x = x,
                                    .square = ScalarArg{1, square.id(), {}},
                                    .left = column * tile.width,
                                    .bottom = row * tile.height,
                                    .columns = tile.width,
                                    .rows = tile.height,
                                    .status = status});
}

StorageId Basis::stage(std::size_t i, std::size_t result) {
    Storage& partial = stages_[i][result];
    if (!partial.id()) {
        const Extent all{plan_[i].width, plan_[i].height * BasisCoefficients::blocks(grid_.count)};
        partial = Storage(backend_, all, Element::real, "inner products, in parts");
    }
    return partial.id();
}

/// s <- V^T x, and t <- V^T y where there is a y: stage by stage, for some layers of the basis.
void Basis::project(const Vector& x, const Vector* y, StorageId s, StorageId t, Layers layers) {
    const int first_block = layers.first / 4;
    const int blocks = (layers.first + layers.count - 1) / 4 - first_block + 1;
    const auto second = [&](std::size_t i) { return y != nullptr ? stage(i, 1) : StorageId{}; };
    backend_.encode(pass::basis_dot{.s = stage(0, 0),
                                    .t = second(0),
                                    .x = x,
                                    .y = y,
                                    .v = storage_,
                                    .left = 0,
                                    .bottom = 0,
                                    .columns = plan_[0].width,
                                    .rows = plan_[0].height * blocks,
                                    .log2_width = layout_.log2_width,
                                    .log2_columns = grid_.log2_columns,
                                    .tile_height = layout_.height,
                                    .first = layers.first,
                                    .count = layers.count,
                                    .variant = variant_});
    for (std::size_t i = 1; i < plan_.size(); ++i) {
        backend_.encode(pass::basis_sum{.s = stage(i, 0),
                                        .t = second(i),
                                        .s_parts = stage(i - 1, 0),
                                        .t_parts = second(i - 1),
                                        .left = 0,
                                        .bottom = 0,
                                        .columns = plan_[i].width,
                                        .rows = plan_[i].height * blocks,
                                        .width = plan_[i - 1].width,
                                        .height = plan_[i - 1].height});
    }
    const std::size_t end = plan_.size() - 1;
    backend_.encode(pass::basis_last{.s = s,
                                     .t = t,
                                     .s_parts = stage(end, 0),
                                     .t_parts = second(end),
                                     .width = plan_[end].width,
                                     .height = plan_[end].height,
                                     .first_block = first_block,
                                     .blocks = blocks});
}

void Basis::project(BasisCoefficients& h, const Vector& x, Layers layers) { project(x, nullptr, h.id(), {}, layers); }

void Basis::project(BasisCoefficients& s, BasisCoefficients& t, const Vector& w, const Vector& u, int count) {
    project(w, &u, s.id(), t.id(), {0, count + 1});
}

void Basis::subtract(Vector& y, const Vector& x, StorageId h, Layers layers, PartialSums* sum) {
    backend_.encode(pass::basis_subtract{.y = y,
                                         .sum = sum,
                                         .v = storage_,
                                         .h = h,
                                         .x = x,
                                         .log2_width = layout_.log2_width,
                                         .log2_columns = grid_.log2_columns,
                                         .tile_height = layout_.height,
                                         .first = layers.first,
                                         .count = layers.count,
                                         .variant = variant_});
}

void Basis::combine(Vector& y, const BasisCoefficients& h, Layers layers, const Vector* d) {
    backend_.encode(pass::basis_combine{.y = y,
                                        .v = storage_,
                                        .h = h,
                                        .d = d,
                                        .log2_width = layout_.log2_width,
                                        .log2_columns = grid_.log2_columns,
                                        .tile_height = layout_.height,
                                        .first = layers.first,
                                        .count = layers.count,
                                        .variant = variant_});
}

}  // namespace glsolve::inline v0_1
