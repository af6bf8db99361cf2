#include "multigrid/lattice_facts.hpp"

#include <utility>

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

Vector look_at_later(const LatticeStencil& stencil, StorageId tiles, const Vector& d, double strong) {
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
    return largest_of_texels(std::move(y));
}

LatticeFacts look_at(const LatticeStencil& stencil, StorageId tiles, const Vector& d, double strong) {
    const std::array<float, 4> most = read_largest(look_at_later(stencil, tiles, d, strong));
    LatticeFacts known{{.bound = static_cast<double>(most[0])}};
    for (std::size_t axis = 0; axis < 3; ++axis)
        known.joined[axis] = stencil.points.size[axis] > 1 && most[axis + 1] == 0;
    return known;
}

}  // namespace glsolve::inline v0_1
