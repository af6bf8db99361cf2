#include "formats/ell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"
#include "formats/product_costs.hpp"
#include "formats/short_columns.hpp"
#include "formats/team.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int unrolled_slots = 16;  // beyond, the shader's loop is not worth unrolling

// For each texel of y: the diagonal, x there, y; for each slot a value, columns, and four single elements of x.
constexpr double fetches_a_texel = 3, fetches_a_slot = 6;

}  // namespace

double least_bytes_of_ell(const FormatInput& in) {
    return 16 * (fetches_a_texel * texels_of_rows(in.A) + fetches_a_slot * texels_of_entries(in.A));
}

FormatPrediction predict_ell(const FormatInput& in, int slots) {
    const Extent tile = layout_of(in.A.rows).extent();
    FormatPrediction p;
    p.bytes = 16.0 * static_cast<double>(tile.texels()) * (fetches_a_texel + fetches_a_slot * slots);
    p.memory = 16.0 * static_cast<double>(tile.texels()) * (1 + (fits_short_columns(in) ? 1.5 : 2) * slots);
    predict_seconds(p, in, {.longest = static_cast<double>(slots), .mean = static_cast<double>(slots)});
    try {
        tile_grid(tile, slots + 1, in.max_texture_size);
    } catch (const InvalidInput& too_large) {
        p.impossible = too_large.what();
    }
    return p;
}

std::unique_ptr<StoredMatrix> make_ell(Backend& backend, const FormatInput& in, int slots,
                                       const DiagonalPart& diagonal) {
    const CsrView A = in.A;
    const Layout rows = layout_of(A.rows);
    const TileLayout grid = tile_grid(rows.extent(), slots + 1, in.max_texture_size);
    const bool are_short = fits_short_columns(in);
    const int column_tiles = are_short ? (slots + 1) / 2 : slots;
    const TileLayout column_grid{grid.tile, column_tiles, grid.log2_columns};  // the diagonal needs no columns

    std::vector<double> values = filled(static_cast<std::size_t>(grid.extent().texels()) * 4, 0.0);
    std::vector<std::int32_t> columns =
        filled(static_cast<std::size_t>(column_grid.extent().texels()) * 4, std::int32_t{0});
    const auto at = [](const TileLayout& tiles, int tile, Index row) {
        return static_cast<std::size_t>(tiles.texel(tile, row >> 2)) * 4 + static_cast<std::size_t>(row & 3);
    };
    const auto set_column = [&](int slot, Index row, Index column) {
        if (are_short) {
            set_short_column(columns[at(column_grid, slot / 2, row)], slot, column, row - row % 4);
        } else {
            columns[at(column_grid, slot, row)] = column;
        }
    };
    const auto padded_rows = static_cast<std::size_t>(rows.extent().texels() * 4);
    parallel_each(padded_rows, row_grain(A), [&](std::size_t row) {
        const auto i = static_cast<Index>(row);
        if (i < A.rows) values[at(grid, slots, i)] = diagonal.values[row];
        int slot = 0;
        const std::size_t entries = i < A.rows ? A.row(i).size() : 0;
        for (std::size_t k = 0; k < entries && slot < slots; ++k) {
            const auto [j, a] = A.row(i)[k];
            if (j == i) continue;
            values[at(grid, slot, i)] = in.scaled(i, j, a);
            set_column(slot++, i, j);
        }
        // 0 * x[i]: an infinity elsewhere in x must not turn this row into NaN.
        for (; slot < slots; ++slot) set_column(slot, i, i);
    });
    std::vector<std::int32_t> integers = tile_integers(rows, grid, slots, diagonal.differences);
    integers.insert(integers.end() - 1, {0, 0});  // of a rest
    auto matrix = std::make_unique<StoredMatrix>(
        backend,
        StoredFormat{
            .passes = product_of::ell,
            .integers = integers,
            .definitions = (slots > 0 && slots <= unrolled_slots ? fmt::format("COUNT {}\n", slots) : "")
                           + std::string(are_short ? "COLUMNS_16\n" : ""),
            .rest_integers = 6,
            .gathers = true,
            .team = team_for(backend, in, {.slots = static_cast<double>(slots), .texels = rows.extent().texels()})});
    matrix->add(in, grid.extent(), values);
    matrix->add(column_grid.extent(), columns);
    return matrix;
}

std::vector<StoredNumber> ell_parts(const FormatInput& in, int slots, std::string_view rest) {
    std::vector<StoredNumber> parts;
    for (Index i = 0; i < in.A.rows; ++i) {
        int slot = 0;
        for (const Index j : in.A.row(i).columns()) {
            if (j != i) parts.push_back({i, j, slot++ < slots ? "ell" : std::string(rest)});
        }
    }
    return parts;
}

namespace {

/// The nonzeros beside the diagonal of the row that has most of them.
int most_beside_diagonal(CsrView A) {
    return static_cast<int>(parallel_max(static_cast<std::size_t>(A.rows), [&](std::size_t i) {
        const std::span<const Index> columns = A.row(i).columns();
        const bool diagonal = std::ranges::binary_search(columns, static_cast<Index>(i));
        return static_cast<double>(columns.size() - (diagonal ? 1 : 0));
    }));
}

FormatPrediction predict_ell(const FormatInput& in) {
    const int slots = most_beside_diagonal(in.A);
    FormatPrediction p = predict_ell(in, slots);
    p.note = fmt::format("the longest row has {} nonzeros off the diagonal, the average row {:.1f}", slots,
                         std::max(0.0, static_cast<double>(in.A.nonzeros()) / std::max(in.A.rows, 1) - 1));
    return p;
}

std::unique_ptr<AssembledMatrix> make_ell(Backend& backend, const FormatInput& in) {
    return make_ell(backend, in, most_beside_diagonal(in.A), diagonal_part(in.A, in.scale));
}

std::vector<StoredNumber> parts_of_ell(const FormatInput& in) { return ell_parts(in, most_beside_diagonal(in.A), ""); }

}  // namespace

/// ELL: as many slots for each row as the longest row has nonzeros; tile k of the textures holds slot k of all rows,
/// its values and its columns.
constinit const FormatRow ell_format{FormatKind::ell,    "ell",     predict_ell, make_ell, parts_of_ell,
                                     least_bytes_of_ell, {1.0, 1.4}};

}  // namespace glsolve::inline v0_1
