#include "formats/ell.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "formats/tiled_matrix.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int unrolled_slots = 16;  // beyond, the shader's loop is not worth unrolling

}  // namespace

std::unique_ptr<Operator> make_ell(Backend& backend, const CsrMatrix& A, std::span<const double> scale) {
    Offset slots = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(A.rows); ++i) {
        slots = std::max(slots, A.offsets[i + 1] - A.offsets[i]);
    }
    const Layout rows = layout_of(A.rows);
    const int max_size = backend.info().max_texture_size > 0 ? backend.info().max_texture_size : 1 << 30;
    const TileGrid grid = tile_grid(rows.extent(), static_cast<int>(slots), max_size);

    const auto components = static_cast<std::size_t>(grid.extent().texels()) * 4;
    std::vector<float> values(components, 0.0f);
    std::vector<std::int32_t> columns(components, 0);
    const auto at = [&](int slot, Index row) {
        return static_cast<std::size_t>(grid.texel(slot, row >> 2)) * 4 + static_cast<std::size_t>(row & 3);
    };
    const auto padded_rows = static_cast<Index>(rows.extent().texels() * 4);
    for (Index i = 0; i < padded_rows; ++i) {
        const Offset begin = i < A.rows ? A.offsets[static_cast<std::size_t>(i)] : 0;
        const Offset end = i < A.rows ? A.offsets[static_cast<std::size_t>(i) + 1] : 0;
        for (int slot = 0; slot < slots; ++slot) {
            const std::size_t to = at(slot, i);
            if (begin + slot >= end) {
                // 0 * x[i]: an infinity elsewhere in x must not turn this row into NaN.
                columns[to] = i;
                continue;
            }
            const auto e = static_cast<std::size_t>(begin + slot);
            const auto j = static_cast<std::size_t>(A.column[e]);
            values[to] = static_cast<float>(scale[static_cast<std::size_t>(i)] * A.value[e] * scale[j]);
            columns[to] = A.column[e];
        }
    }
    return std::make_unique<TiledMatrix>(
        backend, rows, grid, grid.count,
        ProductPasses{PassId::ell_multiply, PassId::ell_multiply_dot, PassId::ell_residual}, values, grid.extent(),
        columns, slots > 0 && slots <= unrolled_slots ? fmt::format("COUNT {}\n", slots) : "");
}

}  // namespace glsolve::inline v0_1
