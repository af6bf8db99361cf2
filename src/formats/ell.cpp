#include "formats/ell.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/diagonal_part.hpp"
#include "formats/tiled_matrix.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int unrolled_slots = 16;  // beyond, the shader's loop is not worth unrolling

/// The nonzeros beside the diagonal of the row that has most of them.
int most_beside_diagonal(const CsrMatrix& A) {
    Offset most = 0;
    for (Index i = 0; i < A.rows; ++i) {
        const Offset begin = A.offsets[static_cast<std::size_t>(i)], end = A.offsets[static_cast<std::size_t>(i) + 1];
        const bool diagonal = std::binary_search(A.column.begin() + begin, A.column.begin() + end, i);
        most = std::max(most, end - begin - (diagonal ? 1 : 0));
    }
    return static_cast<int>(most);
}

}  // namespace

std::unique_ptr<Operator> make_ell(Backend& backend, const CsrMatrix& A, std::span<const double> scale) {
    const int slots = most_beside_diagonal(A);
    const Layout rows = layout_of(A.rows);
    const TileGrid grid = tile_grid(rows.extent(), slots + 1, backend.info().max_texture_size);
    const TileGrid column_grid{grid.tile, slots, grid.log2_columns};  // the diagonal needs no columns

    std::vector<float> values(static_cast<std::size_t>(grid.extent().texels()) * 4, 0.0f);
    std::vector<std::int32_t> columns(static_cast<std::size_t>(column_grid.extent().texels()) * 4, 0);
    const auto at = [](const TileGrid& tiles, int tile, Index row) {
        return static_cast<std::size_t>(tiles.texel(tile, row >> 2)) * 4 + static_cast<std::size_t>(row & 3);
    };
    const DiagonalPart diagonal = diagonal_part(A, scale);
    for (Index i = 0; i < A.rows; ++i) values[at(grid, slots, i)] = diagonal.values[static_cast<std::size_t>(i)];

    const auto padded_rows = static_cast<Index>(rows.extent().texels() * 4);
    for (Index i = 0; i < padded_rows; ++i) {
        int slot = 0;
        const Offset begin = i < A.rows ? A.offsets[static_cast<std::size_t>(i)] : 0;
        const Offset end = i < A.rows ? A.offsets[static_cast<std::size_t>(i) + 1] : 0;
        for (Offset k = begin; k < end; ++k) {
            const auto e = static_cast<std::size_t>(k);
            const Index j = A.column[e];
            if (j == i) continue;
            values[at(grid, slot, i)] = static_cast<float>(scale[static_cast<std::size_t>(i)] * A.value[e]
                                                           * scale[static_cast<std::size_t>(j)]);
            columns[at(column_grid, slot++, i)] = j;
        }
        // 0 * x[i]: an infinity elsewhere in x must not turn this row into NaN.
        for (; slot < slots; ++slot) columns[at(column_grid, slot, i)] = i;
    }
    return std::make_unique<TiledMatrix>(
        backend, rows, grid, slots, diagonal.differences,
        ProductPasses{PassId::ell_multiply, PassId::ell_multiply_dot, PassId::ell_residual}, values,
        column_grid.extent(), columns, slots > 0 && slots <= unrolled_slots ? fmt::format("COUNT {}\n", slots) : "");
}

}  // namespace glsolve::inline v0_1
