#include "multigrid/lattice_facts.hpp"

#include <vector>

#include "passes.hpp"

namespace glsolve::inline v0_1 {

void reciprocal_diagonal(Vector& d, const LatticeStencil& stencil, StorageId tiles) {
    d.backend().encode(pass::lattice_diagonal{.d = d,
                                              .a = tiles,
                                              .log2_width = stencil.rows.log2_width,
                                              .log2_columns = stencil.grid.log2_columns,
                                              .tile_height = stencil.grid.tile.height,
                                              .sums = stencil.sums});
}

std::array<float, 4> read_largest(const Vector& x) {
    Backend& backend = x.backend();
    Layout from = x.layout();
    StorageId read = x.id();
    std::vector<Vector> stages;
    while (from.extent().texels() > 1) {
        constexpr std::int64_t at_once = 64;
        const std::int64_t texels = (from.extent().texels() + at_once - 1) / at_once;
        stages.emplace_back(backend, 4 * texels, "the largest");
        backend.encode(pass::largest{.y = stages.back(),
                                     .x = read,
                                     .log2_y = stages.back().layout().log2_width,
                                     .log2_x = from.log2_width,
                                     .texels = static_cast<std::int32_t>(from.extent().texels())});
        from = stages.back().layout();
        read = stages.back().id();
    }
    std::array<float, 4> found{};
    backend.collect(backend.read_later(read), std::span<float>(found));
    return found;
}

LatticeFacts look_at(const LatticeStencil& stencil, StorageId tiles, const Vector& d, double strong) {
    Backend& backend = d.backend();
    Vector y(backend, stencil.rows.length, "what is known of rows");
    const auto [nx, ny, nz] = stencil.points.size;
    backend.encode(pass::lattice_check{.y = y,
                                       .a = tiles,
                                       .d = d,
                                       .nx = nx,
                                       .ny = ny,
                                       .nz = nz,
                                       .mx = nx,
                                       .my = ny,
                                       .mz = nz,
                                       .log2_width = stencil.rows.log2_width,
                                       .log2_columns = stencil.grid.log2_columns,
                                       .tile_height = stencil.grid.tile.height,
                                       .neighbours = stencil.bits(),
                                       .strong = static_cast<float>(strong)});
    const std::array<float, 4> most = read_largest(y);
    LatticeFacts known{.bound = static_cast<double>(most[0])};
    for (std::size_t axis = 0; axis < 3; ++axis)
        known.joined[axis] = stencil.points.size[axis] > 1 && most[axis + 1] == 0;
    return known;
}

}  // namespace glsolve::inline v0_1
