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

Vector largest_of_texels(Vector x) {
    while (x.layout().extent().texels() > 1) {
        constexpr std::int64_t at_once = 64;
        const std::int64_t texels = (x.layout().extent().texels() + at_once - 1) / at_once;
        Vector y(x.backend(), 4 * texels, "the largest");
        x.backend().encode(pass::largest{.y = y,
                                         .x = x,
                                         .log2_y = y.layout().log2_width,
                                         .log2_x = x.layout().log2_width,
                                         .texels = static_cast<std::int32_t>(x.layout().extent().texels())});
        x = std::move(y);
    }
    return x;
}

std::array<float, 4> read_largest(Vector x) {
    const Vector largest = largest_of_texels(std::move(x));
    std::array<float, 4> found{};
    largest.backend().collect(largest.backend().read_later(largest.id()), std::span<float>(found));
    return found;
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
    LatticeFacts known{.bound = static_cast<double>(most[0])};
    for (std::size_t axis = 0; axis < 3; ++axis)
        known.joined[axis] = stencil.points.size[axis] > 1 && most[axis + 1] == 0;
    return known;
}

}  // namespace glsolve::inline v0_1
