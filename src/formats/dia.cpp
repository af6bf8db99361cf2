#include "formats/dia.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>

#include "formats/tiled_matrix.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr std::size_t unrolled_diagonals = 16;  // so many offsets become constants of the shader
constexpr std::size_t most_diagonals = 4096;    // the offsets lie in one line of a texture

}  // namespace

std::vector<Index> diagonals(const CsrMatrix& A, std::size_t most) {
    const auto n = static_cast<std::size_t>(A.rows);
    std::vector<bool> used(n + static_cast<std::size_t>(A.columns), false);  // at column - row + rows
    std::vector<Index> offsets;
    for (std::size_t i = 0; i < n; ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            const Index offset = A.column[static_cast<std::size_t>(k)] - static_cast<Index>(i);
            auto mark = used[static_cast<std::size_t>(offset + A.rows)];
            if (mark) continue;
            if (offsets.size() == most) return {};
            mark = true;
            offsets.push_back(offset);
        }
    }
    std::sort(offsets.begin(), offsets.end());
    return offsets;
}

std::unique_ptr<Operator> make_dia(Backend& backend, const CsrMatrix& A, std::span<const double> scale) {
    const int max_size = backend.info().max_texture_size > 0 ? backend.info().max_texture_size : 1 << 30;
    const std::vector<Index> offsets = diagonals(A, std::min(most_diagonals, static_cast<std::size_t>(max_size)));
    if (offsets.empty() && A.nonzeros() > 0) {
        throw InvalidInput("format dia: the matrix has too many diagonals; format ell takes any matrix");
    }
    const Layout rows = layout_of(A.rows);
    const TileGrid grid = tile_grid(rows.extent(), static_cast<int>(offsets.size()), max_size);

    std::vector<float> values(static_cast<std::size_t>(grid.extent().texels()) * 4, 0.0f);
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset k = A.offsets[static_cast<std::size_t>(i)]; k < A.offsets[static_cast<std::size_t>(i) + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            const Index j = A.column[e];
            const auto d = std::lower_bound(offsets.begin(), offsets.end(), j - i) - offsets.begin();
            const std::int64_t texel = grid.texel(static_cast<int>(d), i >> 2);
            values[static_cast<std::size_t>(texel) * 4 + static_cast<std::size_t>(i & 3)] = static_cast<float>(
                scale[static_cast<std::size_t>(i)] * A.value[e] * scale[static_cast<std::size_t>(j)]);
        }
    }
    std::vector<std::int32_t> offset_texels(std::max<std::size_t>(1, offsets.size()) * 4, 0);
    for (std::size_t d = 0; d < offsets.size(); ++d) offset_texels[4 * d] = offsets[d];
    const Extent offset_extent{static_cast<int>(std::max<std::size_t>(1, offsets.size())), 1};

    std::string definitions;
    if (!offsets.empty() && offsets.size() <= unrolled_diagonals) {
        definitions = fmt::format("COUNT {}\nOFFSETS {}\nLOG2_WIDTH {}\n", offsets.size(), fmt::join(offsets, ","),
                                  rows.log2_width);
    }
    return std::make_unique<TiledMatrix>(
        backend, rows, grid, ProductPasses{PassId::dia_multiply, PassId::dia_multiply_dot, PassId::dia_residual},
        values, offset_extent, offset_texels, definitions);
}

}  // namespace glsolve::inline v0_1
