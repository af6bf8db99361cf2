#include "multigrid/lattice_transfer.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "passes.hpp"

namespace glsolve::inline v0_1 {

namespace {

using Ids = std::vector<StorageId>;

/// Of the vectors of some corners, behind `first`.
Ids ids(std::span<const Vector> vectors, Ids first = {}) {
    for (const Vector& v : vectors) first.push_back(v.id());
    return first;
}
/// Of the corners before along z, or behind.
Ids before(std::span<const Vector> corners) { return ids(corners.first(4)); }
Ids behind(std::span<const Vector> corners) { return ids(corners.subspan(4)); }

}  // namespace

void LatticeWeights::encode(PassId pass, std::span<const StorageId> outputs, std::span<const StorageId> inputs,
                            std::initializer_list<std::int32_t> more_integers, VariantId variant) const {
    PassCall made{.pass = pass};
    made.variant = variant;
    std::ranges::copy(outputs, made.output.begin());
    std::ranges::copy(inputs, made.input.begin());
    auto* next = std::ranges::copy(points_.size, made.integer.begin()).out;
    next = std::ranges::copy(blocks_.size, next).out;
    std::ranges::copy(more_integers, next);
    backend_.encode(made);
}

std::vector<Vector> LatticeWeights::vectors_of_corners(std::string_view what) const {
    std::vector<Vector> made;
    const bool deep = blocks_.size[2] < points_.size[2];
    for (int corner = 0; corner < (deep ? 8 : 4); ++corner) {
        made.emplace_back(backend_, points_.points(), fmt::format("{} of corner {}", what, corner));
    }
    return made;
}

LatticeWeights::LatticeWeights(Backend& backend, const LatticeStencil& stencil, StorageId a, const Lattice& blocks)
    : backend_(backend), points_(stencil.points), blocks_(blocks), w_(vectors_of_corners("weights")) {
    const std::int32_t log2_width = stencil.rows.log2_width;
    encode(PassId::lattice_own, before(w_), {}, {log2_width, 0});
    if (is_deep()) encode(PassId::lattice_own, behind(w_), {}, {log2_width, 1});
    int axes = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) axes += blocks.size[axis] < points_.size[axis] ? 1 : 0;
    for (int off = 1; off <= axes; ++off) {
        const VariantId variant = backend.variant(fmt::format("OFF {}\n", off));
        const auto eliminate = [&](PassId pass, const Ids& outputs) {
            encode(pass, outputs, ids(w_, {a}),
                   {log2_width, stencil.grid.log2_columns, stencil.grid.tile.height, stencil.bits()}, variant);
        };
        eliminate(is_deep() ? PassId::lattice_weights_before : PassId::lattice_weights, before(w_));
        // What that has made is of other points than those that are read.
        if (is_deep()) eliminate(PassId::lattice_weights_behind, behind(w_));
    }
}

void LatticeWeights::multiply(const LatticeStencil& coarse, StorageId coarse_a, const LatticeStencil& stencil,
                              StorageId a) {
    constexpr std::int32_t row_sums = LatticeStencil::neighbours;
    const Layout& rows = coarse.rows;
    Vector y(backend_, rows.length, "a diagonal of P^T A P");
    const std::vector<Vector> parts = vectors_of_corners("a part of P^T A P");
    const auto product = [&](std::int32_t step) {
        const auto make = [&](PassId pass, const Ids& outputs) {
            encode(
                pass, outputs, ids(w_, {a}),
                {stencil.rows.log2_width, stencil.grid.log2_columns, stencil.grid.tile.height, stencil.bits(), step});
        };
        make(is_deep() ? PassId::lattice_product_before : PassId::lattice_product, before(parts));
        if (is_deep()) make(PassId::lattice_product_behind, behind(parts));
        encode(is_deep() ? PassId::lattice_gather_deep : PassId::lattice_gather, Ids{y.id()}, ids(parts),
               {stencil.rows.log2_width, rows.log2_width});
    };
    const auto put = [&](int tile, Index shift) {
        put_lines(backend_, coarse_a, coarse.grid, tile, {0, rows.height}, y.id(), shift);
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

void LatticeWeights::scale(double factor) {
    if (factor == 1) return;
    for (Vector& w : w_) glsolve::scale(w, scalar_arg(static_cast<float>(factor)), w);
}

void LatticeWeights::restrict_to_blocks(Vector& y, const Vector& x) const {
    encode(is_deep() ? PassId::lattice_restrict_deep : PassId::lattice_restrict, Ids{y.id()}, ids(w_, {x.id()}),
           {x.layout().log2_width, y.layout().log2_width});
}

void LatticeWeights::prolong(Vector& y, const Vector& x) const {
    encode(is_deep() ? PassId::lattice_prolong_deep : PassId::lattice_prolong, Ids{y.id()}, ids(w_, {y.id(), x.id()}),
           {x.layout().log2_width, y.layout().log2_width});
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
