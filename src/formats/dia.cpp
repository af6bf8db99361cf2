#include "formats/dia.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <glsolve/error.hpp>

#include "formats/diagonal_part.hpp"
#include "formats/stored_matrix.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr std::size_t unrolled_diagonals = 16;  // so many offsets become constants of the shader

/// The offsets lie in one line of a texture.
std::size_t max_diagonals(const FormatInput& in) {
    return std::min<std::size_t>(4096, static_cast<std::size_t>(in.max_texture_size));
}

}  // namespace

std::vector<Index> diagonals(const CsrMatrix& A, std::size_t most) {
    const auto n = static_cast<std::size_t>(A.rows);
    std::vector<bool> used(n + static_cast<std::size_t>(A.columns), false);  // at column - row + rows
    std::vector<Index> offsets;
    for (std::size_t i = 0; i < n; ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            const Index offset = A.column[static_cast<std::size_t>(k)] - static_cast<Index>(i);
            auto mark = used[static_cast<std::size_t>(std::int64_t{offset} + A.rows)];
            if (mark) continue;
            if (offsets.size() == most) return {};
            mark = true;
            offsets.push_back(offset);
        }
    }
    std::sort(offsets.begin(), offsets.end());
    return offsets;
}

namespace {

/// A diagonal on its way to the device.
struct Diagonal {
    Index offset = 0;
    Offset entries = 0;    // stored in A
    bool constant = true;  // ... and all the same, so far
    float value = 0;       // the first of them
    int tile = -1;         // none for a constant
};

/// Calls visit(row, entry, index of its diagonal) for all nonzeros beside the main diagonal.
template <class Visit>
void for_each_entry(const CsrMatrix& A, const std::vector<Index>& offsets, const Visit& visit) {
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset k = A.offsets[static_cast<std::size_t>(i)]; k < A.offsets[static_cast<std::size_t>(i) + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            if (A.column[e] == i) continue;
            const auto d = std::lower_bound(offsets.begin(), offsets.end(), A.column[e] - i) - offsets.begin();
            visit(i, e, static_cast<std::size_t>(d));
        }
    }
}

std::vector<Diagonal> describe(const FormatInput& in, const std::vector<Index>& offsets) {
    const CsrMatrix& A = in.A;
    std::vector<Diagonal> diagonals(offsets.size());
    for (std::size_t d = 0; d < offsets.size(); ++d) diagonals[d].offset = offsets[d];
    const bool unrolled = offsets.size() <= unrolled_diagonals;
    for_each_entry(A, offsets, [&](Index i, std::size_t e, std::size_t d) {
        const float value = in.scaled(i, static_cast<Offset>(e));
        if (diagonals[d].entries++ == 0) diagonals[d].value = value;
        diagonals[d].constant = diagonals[d].constant && unrolled && value == diagonals[d].value;
    });
    int tiles = 0;
    for (Diagonal& d : diagonals) {
        d.constant = d.constant && d.entries == A.rows - std::abs(d.offset);  // no gap
        if (!d.constant) d.tile = tiles++;
    }
    return diagonals;
}

/// Where a constant diagonal leaves the matrix, the shader finds x_j = 0 there and adds  value (0 - x_i): the row's sum
/// makes up for it.
void add_what_constants_miss(DiagonalPart& diagonal, const std::vector<Diagonal>& diagonals, Index rows) {
    for (const Diagonal& d : diagonals) {
        if (d.tile >= 0) continue;
        const Index begin = d.offset < 0 ? 0 : rows - d.offset, end = d.offset < 0 ? -d.offset : rows;
        for (Index i = begin; i < end; ++i) diagonal.values[static_cast<std::size_t>(i)] += d.value;
    }
}

/// What makes the diagonals constants of the shader; empty where they are too many.
std::string shader_constants(const std::vector<Diagonal>& diagonals, int log2_width) {
    if (diagonals.empty() || diagonals.size() > unrolled_diagonals) return "";
    std::string offsets, tiles, values;
    for (const Diagonal& d : diagonals) {
        const std::string_view comma = offsets.empty() ? "" : ",";
        offsets += fmt::format("{}{}", comma, d.offset);
        tiles += fmt::format("{}{}", comma, d.tile);
        values += fmt::format("{}{:.9e}", comma, d.constant ? d.value : 0.0f);
    }
    return fmt::format("COUNT {}\nOFFSETS {}\nTILES {}\nVALUES {}\nLOG2_WIDTH {}\n", diagonals.size(), offsets, tiles,
                       values, log2_width);
}

}  // namespace

FormatPrediction predict_dia(const FormatInput& in) {
    FormatPrediction p;
    std::vector<Index> offsets = diagonals(in.A, max_diagonals(in));
    if (offsets.empty() && in.A.nonzeros() > 0) {
        p.impossible = fmt::format("more than {} diagonals", max_diagonals(in));
        return p;
    }
    double places = 0;
    for (const Index offset : offsets) places += in.A.rows - std::abs(offset);
    p.note = fmt::format("{} diagonals hold all nonzeros and are {:.1f} % full", offsets.size(),
                         places > 0 ? 100 * static_cast<double>(in.A.nonzeros()) / places : 100);
    std::erase(offsets, 0);
    // For each texel of y: the diagonal, x there, y; for each diagonal a value unless it is constant, and one texel of
    // x, or two where its offset is no multiple of four.
    int fetches = 3, tiles = 1;
    for (const Diagonal& d : describe(in, offsets)) {
        fetches += (d.tile >= 0 ? 1 : 0) + (d.offset % 4 == 0 ? 1 : 2);
        tiles += d.tile >= 0 ? 1 : 0;
    }
    const Extent tile = layout_of(in.A.rows).extent();
    p.bytes = 16.0 * static_cast<double>(tile.texels()) * fetches;
    p.memory = 16.0 * static_cast<double>(tile.texels()) * tiles;
    try {
        tile_grid(tile, tiles, in.max_texture_size);
    } catch (const InvalidInput& too_large) {
        p.impossible = too_large.what();
    }
    return p;
}

std::unique_ptr<Operator> make_dia(Backend& backend, const FormatInput& in) {
    const auto& [A, scale, slicing, max_texture_size] = in;
    std::vector<Index> offsets = diagonals(A, max_diagonals(in));
    if (offsets.empty() && A.nonzeros() > 0) {
        throw InvalidInput("format dia: the matrix has too many diagonals; format ell takes any matrix");
    }
    std::erase(offsets, 0);  // the main diagonal goes its own way
    const std::vector<Diagonal> all = describe(in, offsets);
    const auto tiles = std::count_if(all.begin(), all.end(), [](const Diagonal& d) { return d.tile >= 0; });
    const Layout rows = layout_of(A.rows);
    const TileGrid grid = tile_grid(rows.extent(), static_cast<int>(tiles) + 1, max_texture_size);

    std::vector<float> values(static_cast<std::size_t>(grid.extent().texels()) * 4, 0.0f);
    const auto at = [&](int tile, Index i) {
        return static_cast<std::size_t>(grid.texel(tile, i >> 2)) * 4 + static_cast<std::size_t>(i & 3);
    };
    for_each_entry(A, offsets, [&](Index i, std::size_t e, std::size_t d) {
        if (all[d].tile >= 0) values[at(all[d].tile, i)] = in.scaled(i, static_cast<Offset>(e));
    });
    DiagonalPart diagonal = diagonal_part(A, scale);
    if (diagonal.differences) add_what_constants_miss(diagonal, all, A.rows);
    for (Index i = 0; i < A.rows; ++i) {
        values[at(static_cast<int>(tiles), i)] = diagonal.values[static_cast<std::size_t>(i)];
    }
    // One texel for each diagonal: offset, tile, the bits of its value.
    std::vector<std::int32_t> structure(std::max<std::size_t>(1, all.size()) * 4, 0);
    for (std::size_t d = 0; d < all.size(); ++d) {
        structure[4 * d] = all[d].offset;
        structure[4 * d + 1] = all[d].tile;
        structure[4 * d + 2] = std::bit_cast<std::int32_t>(all[d].value);
    }
    auto matrix = std::make_unique<StoredMatrix>(
        backend, ProductPasses{PassId::dia_multiply, PassId::dia_multiply_dot, PassId::dia_residual},
        tile_integers(rows, grid, static_cast<int>(all.size()), diagonal.differences),
        shader_constants(all, rows.log2_width));
    matrix->add(grid.extent(), values);
    matrix->add({static_cast<int>(structure.size() / 4), 1}, structure);
    return matrix;
}

}  // namespace glsolve::inline v0_1
