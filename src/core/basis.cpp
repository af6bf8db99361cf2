#include "core/basis.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <glsolve/error.hpp>

namespace glsolve::inline v0_1 {
namespace {

TileGrid grid_of(const Layout& layout, int count, int max_size) {
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
    // A number that is none would outlive all factors of zero.
    backend.encode({.pass = PassId::fill, .output = {storage_.id()}, .integer = {0, 0}, .constant = {0}});
}

void Basis::store(int k, const Vector& x, const Scalar& square, StorageId status) {
    const int column = k & ((1 << grid_.log2_columns) - 1), row = k >> grid_.log2_columns;
    const Extent tile = layout_.extent();
    backend_.encode({.pass = PassId::normalise_layer,
                     .output = {storage_.id()},
                     .input = {x.id()},
                     .scalar = {ScalarArg{1, square.id(), {}}},
                     .integer = {column * tile.width, row * tile.height, tile.width, tile.height},
                     .status = status});
}

StorageId Basis::stage(std::size_t i, std::size_t result) {
    Storage& partial = stages_[i][result];
    if (!partial.id()) {
        const Extent all{plan_[i].width, plan_[i].height * Coefficients::blocks(grid_.count)};
        partial = Storage(backend_, all, Element::real, "inner products, in parts");
    }
    return partial.id();
}

/// `first` says which vectors, besides those of the basis; one result or two are made in the same passes.
void Basis::project(std::span<const StorageId> results, PassCall first, Layers layers) {
    const bool pair = results.size() == 2;
    const int first_block = layers.first / 4;
    const int blocks = (layers.first + layers.count - 1) / 4 - first_block + 1;
    const auto into_stage = [&](PassCall call, std::size_t i) {
        for (std::size_t k = 0; k < results.size(); ++k) call.output[k] = stage(i, k);
        return call;
    };
    const auto from_stage = [&](PassCall call, std::size_t i) {
        for (std::size_t k = 0; k < results.size(); ++k) call.input[k] = stage(i, k);
        return call;
    };
    first.integer = {0,
                     0,
                     plan_[0].width,
                     plan_[0].height * blocks,
                     layout_.log2_width,
                     grid_.log2_columns,
                     layout_.height,
                     layers.first,
                     layers.count};
    first.variant = variant_;
    backend_.encode(into_stage(first, 0));
    for (std::size_t i = 1; i < plan_.size(); ++i) {
        const PassCall sum{
            .pass = pair ? PassId::basis_sum_pair : PassId::basis_sum,
            .integer = {0, 0, plan_[i].width, plan_[i].height * blocks, plan_[i - 1].width, plan_[i - 1].height}};
        backend_.encode(into_stage(from_stage(sum, i - 1), i));
    }
    PassCall last{.pass = pair ? PassId::basis_last_pair : PassId::basis_last,
                  .integer = {plan_.back().width, plan_.back().height, first_block, blocks}};
    std::copy(results.begin(), results.end(), last.output.begin());
    backend_.encode(from_stage(last, plan_.size() - 1));
}

void Basis::project(Coefficients& h, const Vector& x, Layers layers) {
    project(std::array{h.id()}, {.pass = PassId::basis_dot, .input = {x.id(), storage_.id()}}, layers);
}

void Basis::project(Coefficients& s, Coefficients& t, const Vector& w, const Vector& u, int count) {
    project(std::array{s.id(), t.id()}, {.pass = PassId::basis_dot_pair, .input = {w.id(), u.id(), storage_.id()}},
            {0, count + 1});
}

void Basis::subtract(Vector& x, const Coefficients& h, Layers layers, PartialSums* sum) {
    backend_.encode({.pass = sum != nullptr ? PassId::basis_subtract_norm : PassId::basis_subtract,
                     .output = {x.id(), sum != nullptr ? sum->id() : StorageId{}},
                     .input = {storage_.id(), h.id(), x.id()},
                     .integer = {layout_.log2_width, grid_.log2_columns, layout_.height, layers.first, layers.count},
                     .variant = variant_});
}

void Basis::combine(Vector& y, const Coefficients& h, Layers layers, const Vector* d) {
    backend_.encode({.pass = d != nullptr ? PassId::basis_combine_jacobi : PassId::basis_combine,
                     .output = {y.id()},
                     .input = {storage_.id(), h.id(), d != nullptr ? d->id() : StorageId{}},
                     .integer = {layout_.log2_width, grid_.log2_columns, layout_.height, layers.first, layers.count},
                     .variant = variant_});
}

}  // namespace glsolve::inline v0_1
