#include "formats/dia.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <glsolve/error.hpp>
#include <set>

#include "formats/diagonals.hpp"
#include "formats/stored_matrix.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr ProductPasses dia_passes{PassId::dia_multiply, PassId::dia_multiply_dot, PassId::dia_residual,
                                   PassId::dia_multiply_two_float, PassId::dia_residual_two_float};
constexpr std::size_t unrolled_diagonals = 16;  // so many offsets become constants of the shader

/// They and the main one stand in the lines of a texture.
std::size_t max_diagonals(const FormatInput& in) {
    return std::min<std::size_t>(4095, static_cast<std::size_t>(in.max_texture_size) - 1);
}

constexpr int no_tile = -1;

/// What goes to the device, and in which form.
struct DiaPlan {
    std::vector<Diagonal> beside;  ///< the main diagonal
    std::vector<int> tile;         ///< of each of them, or no_tile
    MainDiagonal main;             ///< in the last tile, or nowhere
    int tiles = 0;

    /// Few enough to be constants of the shader: then numbers may be, too.
    bool unrolled() const { return !beside.empty() && beside.size() <= unrolled_diagonals; }
};

DiaPlan plan(const FormatInput& in, std::vector<Index> offsets) {
    std::erase(offsets, 0);  // the main diagonal goes its own way
    DiaPlan plan;
    plan.beside = describe_diagonals(in, offsets);
    for (Diagonal& d : plan.beside) {
        d.constant = d.constant && plan.unrolled();
        plan.tile.push_back(d.constant ? no_tile : plan.tiles++);
    }
    plan.main = describe_main_diagonal(in, plan.beside);
    if (!plan.unrolled()) plan.main.constant.reset();
    if (!plan.main.constant) ++plan.tiles;
    return plan;
}

/// Distances, in texels, between a texel of y and those of x that it needs.
std::set<Index> texels_of_x(const std::vector<Diagonal>& diagonals) {
    std::set<Index> texels{0};
    for (const Diagonal& d : diagonals) texels.insert({d.offset >> 2, (d.offset + 3) >> 2});
    return texels;
}

/// A number as a constant of the shader: in two floats.
std::string two_floats(double value) {
    const auto hi = static_cast<float>(value);
    return fmt::format("vec2({:.9e},{:.9e})", hi, static_cast<float>(value - static_cast<double>(hi)));
}

/// What makes the diagonals constants of the shader; empty where they are too many.
std::string shader_constants(const DiaPlan& plan, int log2_width) {
    if (!plan.unrolled()) return "";
    std::string offsets, tiles, values, gaps;
    for (std::size_t k = 0; k < plan.beside.size(); ++k) {
        const Diagonal& d = plan.beside[k];
        const std::string_view comma = k == 0 ? "" : ",";
        offsets += fmt::format("{}{}", comma, d.offset);
        tiles += fmt::format("{}{}", comma, plan.tile[k]);
        values += fmt::format("{}{}", comma, two_floats(d.constant ? d.value : 0.0));
        gaps += fmt::format("{}ivec3({},{},{})", comma, d.gap.period, d.gap.begin, d.constant ? d.gap.length : 0);
    }
    std::string text = fmt::format("COUNT {}\nOFFSETS {}\nTILES {}\nVALUES {}\nGAPS {}\nLOG2_WIDTH {}\n",
                                   plan.beside.size(), offsets, tiles, values, gaps, log2_width);
    if (plan.main.constant) text += fmt::format("MAIN {}\n", two_floats(*plan.main.constant));
    return text;
}

/// Two texels for each diagonal, the main one last:  offset, tile, bits of its value in two floats;  its gap.
std::vector<std::int32_t> structure_of(const DiaPlan& plan) {
    const std::size_t width = plan.beside.size() + 1;
    std::vector<std::int32_t> texels(8 * width, 0);
    const auto put = [&](std::size_t k, Index offset, int tile, double value, const Gap& gap) {
        const auto hi = static_cast<float>(value), lo = static_cast<float>(value - static_cast<double>(hi));
        const std::array<std::int32_t, 4> first{offset, tile, std::bit_cast<std::int32_t>(hi),
                                                std::bit_cast<std::int32_t>(lo)},
            second{gap.period, gap.begin, gap.length, 0};
        std::copy(first.begin(), first.end(), texels.begin() + static_cast<std::ptrdiff_t>(4 * k));
        std::copy(second.begin(), second.end(), texels.begin() + static_cast<std::ptrdiff_t>(4 * (width + k)));
    };
    for (std::size_t k = 0; k < plan.beside.size(); ++k) {
        const Diagonal& d = plan.beside[k];
        put(k, d.offset, plan.tile[k], d.value, d.constant ? d.gap : Gap{});
    }
    put(width - 1, 0, plan.main.constant ? no_tile : plan.tiles - 1, plan.main.constant.value_or(0.0), {});
    return texels;
}

}  // namespace

FormatPrediction predict_dia(const FormatInput& in) {
    FormatPrediction p;
    const std::vector<Index> offsets = diagonal_offsets(in.A, max_diagonals(in));
    if (offsets.empty() && in.A.nonzeros() > 0) {
        p.impossible = fmt::format("more than {} diagonals", max_diagonals(in));
        return p;
    }
    double places = 0;
    for (const Index offset : offsets) places += in.A.rows - std::abs(offset);
    const DiaPlan made = plan(in, offsets);
    p.note = fmt::format("{} diagonals hold all nonzeros and are {:.1f} % full", offsets.size(),
                         places > 0 ? 100 * static_cast<double>(in.A.nonzeros()) / places : 100);
    if (made.tiles == 0) p.note += ", each of one number";
    // For each texel of y: the texels of x, y, and the tiles.
    const double fetches = static_cast<double>(texels_of_x(made.beside).size()) + 1 + made.tiles;
    const Extent tile = layout_of(in.A.rows).extent();
    p.bytes = 16.0 * static_cast<double>(tile.texels()) * fetches;
    p.memory = 16.0 * static_cast<double>(tile.texels()) * made.tiles;
    try {
        tile_grid(tile, made.tiles, in.max_texture_size);
    } catch (const InvalidInput& too_large) {
        p.impossible = too_large.what();
    }
    return p;
}

std::unique_ptr<Operator> make_dia(Backend& backend, const FormatInput& in) {
    const CsrMatrix& A = in.A;
    const std::vector<Index> offsets = diagonal_offsets(A, max_diagonals(in));
    if (offsets.empty() && A.nonzeros() > 0) {
        throw InvalidInput("format dia: the matrix has too many diagonals; format ell takes any matrix");
    }
    const DiaPlan made = plan(in, offsets);
    const Layout rows = layout_of(A.rows);
    const TileGrid grid = tile_grid(made.tiles == 0 ? Extent{1, 1} : rows.extent(), made.tiles, in.max_texture_size);

    std::vector<double> values(static_cast<std::size_t>(grid.extent().texels()) * 4, 0.0);
    const auto at = [&](int tile, Index i) -> double& {
        return values[static_cast<std::size_t>(grid.texel(tile, i >> 2)) * 4 + static_cast<std::size_t>(i & 3)];
    };
    for (Index i = 0; made.tiles > 0 && i < A.rows; ++i) {
        for (Offset k = A.offsets[static_cast<std::size_t>(i)]; k < A.offsets[static_cast<std::size_t>(i) + 1]; ++k) {
            const Index offset = A.column[static_cast<std::size_t>(k)] - i;
            if (offset == 0) continue;
            const auto d = std::lower_bound(made.beside.begin(), made.beside.end(), offset,
                                            [](const Diagonal& each, Index o) { return each.offset < o; })
                           - made.beside.begin();
            const int tile = made.tile[static_cast<std::size_t>(d)];
            if (tile != no_tile) at(tile, i) = in.scaled(i, k);
        }
        if (!made.main.constant) {
            at(made.tiles - 1, i) = made.main.values[static_cast<std::size_t>(i)];
        }
    }
    const std::vector<std::int32_t> structure = structure_of(made);
    auto matrix = std::make_unique<StoredMatrix>(
        backend, dia_passes, tile_integers(rows, grid, static_cast<int>(made.beside.size()), made.main.differences),
        shader_constants(made, rows.log2_width));
    matrix->add(grid.extent(), values, in.low_parts);
    matrix->add({static_cast<int>(structure.size() / 8), 2}, structure);
    return matrix;
}

}  // namespace glsolve::inline v0_1
