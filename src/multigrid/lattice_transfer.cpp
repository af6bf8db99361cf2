#include "multigrid/lattice_transfer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "passes.hpp"

namespace glsolve::inline v0_1 {

PassCall LatticeWeights::call_without_inputs(PassId pass, std::initializer_list<StorageId> outputs,
                                             std::initializer_list<std::int32_t> more_integers) const {
    PassCall made{.pass = pass};
    std::ranges::copy(outputs, made.output.begin());
    auto* next = std::ranges::copy(points_.size, made.integer.begin()).out;
    next = std::ranges::copy(blocks_.size, next).out;
    std::ranges::copy(more_integers, next);
    return made;
}

PassCall LatticeWeights::call(PassId pass, std::initializer_list<StorageId> outputs,
                              std::initializer_list<StorageId> first, std::initializer_list<std::int32_t> more_integers,
                              VariantId variant) const {
    PassCall made = call_without_inputs(pass, outputs, more_integers);
    made.variant = variant;
    auto* next = std::ranges::copy(first, made.input.begin()).out;
    for (const Vector& w : w_) *next++ = w.id();
    return made;
}

LatticeWeights::LatticeWeights(Backend& backend, const LatticeStencil& stencil, StorageId a, const Lattice& blocks)
    : backend_(backend), points_(stencil.points), blocks_(blocks) {
    const bool deep = blocks.size[2] < points_.size[2];
    const std::int32_t log2_width = stencil.rows.log2_width;
    const auto outputs = [&](std::size_t first) {
        return std::array{w_[first].id(), w_[first + 1].id(), w_[first + 2].id(), w_[first + 3].id()};
    };
    for (int corner = 0; corner < (deep ? 8 : 4); ++corner) {
        w_.emplace_back(backend, points_.points(), fmt::format("weights of corner {}", corner));
    }
    int axes = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) axes += blocks.size[axis] < points_.size[axis] ? 1 : 0;
    for (const std::int32_t behind : {0, 1}) {
        if (behind == 1 && !deep) continue;
        const auto w = outputs(behind == 0 ? 0 : 4);
        encode(call_without_inputs(PassId::lattice_own, {w[0], w[1], w[2], w[3]}, {log2_width, behind}));
    }
    for (int off = 1; off <= axes; ++off) {
        const VariantId variant = backend.variant(fmt::format("OFF {}\n", off));
        const auto eliminate = [&](PassId pass, std::size_t first) {
            const auto w = outputs(first);
            encode(call(pass, {w[0], w[1], w[2], w[3]}, {a},
                        {log2_width, stencil.grid.log2_columns, stencil.grid.tile.height, stencil.bits()}, variant));
        };
        eliminate(deep ? PassId::lattice_weights_before : PassId::lattice_weights, 0);
        // What that has made is of other points than those that are read.
        if (deep) eliminate(PassId::lattice_weights_behind, 4);
    }
}

void LatticeWeights::multiply(const LatticeStencil& coarse, StorageId coarse_a, const LatticeStencil& stencil,
                              StorageId a) {
    constexpr std::int32_t row_sums = LatticeStencil::neighbours;
    const Layout& rows = coarse.rows;
    Vector y(backend_, rows.length, "a diagonal of P^T A P");
    const auto product = [&](std::int32_t step) {
        encode(call(is_deep() ? PassId::lattice_product_deep : PassId::lattice_product, {y.id()}, {a},
                    {stencil.rows.log2_width, stencil.grid.log2_columns, stencil.grid.tile.height, stencil.bits(),
                     rows.log2_width, step}));
    };
    const auto put = [&](int tile, Index shift) {
        const std::int64_t first = coarse.grid.texel(tile, 0);
        const int width = coarse.grid.extent().width;
        encode(pass::lattice_put{.y = coarse_a,
                                 .x = y,
                                 .left = static_cast<std::int32_t>(first % width),
                                 .bottom = static_cast<std::int32_t>(first / width),
                                 .columns = rows.extent().width,
                                 .rows = rows.extent().height,
                                 .log2_x = rows.log2_width,
                                 .shift = shift});
    };
    // It is symmetric: a diagonal above the main one is made, and stands below it as well.
    for (int k = LatticeStencil::itself + 1; k < LatticeStencil::neighbours; ++k) {
        const int above = coarse.tile[static_cast<std::size_t>(k)];
        if (above == LatticeStencil::no_tile) continue;
        product(k);
        put(above, 0);
        put(coarse.tile[static_cast<std::size_t>(LatticeStencil::neighbours - 1 - k)], coarse.distance(k));
    }
    product(row_sums);
    put(coarse.sums, 0);
}

void LatticeWeights::scale_rows(const Vector& d) {
    for (Vector& w : w_) hadamard(w, d, w);
}

void LatticeWeights::restrict_to_blocks(Vector& y, const Vector& x) const {
    encode(call(is_deep() ? PassId::lattice_restrict_deep : PassId::lattice_restrict, {y.id()}, {x.id()},
                {x.layout().log2_width, y.layout().log2_width}));
}

void LatticeWeights::prolong(Vector& y, const Vector& x) const {
    encode(call(is_deep() ? PassId::lattice_prolong_deep : PassId::lattice_prolong, {y.id()}, {y.id(), x.id()},
                {x.layout().log2_width, y.layout().log2_width}));
}

Offset LatticeWeights::nonzeros() const {
    Offset all = 1;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const Index n = points_.size[axis], m = blocks_.size[axis];
        // A centre has its block; a point between centres has two, one in front of the first and behind the last.
        const Index in_front = 1, last = m * block_side - 2, behind = n - 1 - last;
        all *= m < n ? m + in_front + behind + Offset{2} * (n - m - in_front - behind) : n;
    }
    return all;
}

}  // namespace glsolve::inline v0_1
