#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"
#include "formats/dia_plan.hpp"
#include "formats/format_table.hpp"
#include "formats/product_costs.hpp"
#include "formats/stored_matrix.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// They and the main one stand in the lines of a texture.
std::size_t max_diagonals(const FormatInput& in) {
    return std::min<std::size_t>(4095, static_cast<std::size_t>(in.max_texture_size) - 1);
}

/// Plans it where nobody has done so yet. False: the matrix has too many diagonals.
bool planned(const FormatInput& in) {
    if (in.dia) return true;
    std::vector<Index> offsets = diagonal_offsets(in.A, max_diagonals(in));
    if (offsets.empty() && in.A.nonzeros() > 0) return false;
    in.dia = std::make_shared<const DiaPlan>(plan_dia(in, std::move(offsets)));
    return true;
}

FormatPrediction predict_dia(const FormatInput& in) {
    FormatPrediction p;
    if (!planned(in)) {
        p.impossible = fmt::format("more than {} diagonals", max_diagonals(in));
        return p;
    }
    const DiaPlan& made = *in.dia;
    double places = 0;
    for (const Index offset : made.offsets) places += in.A.rows - std::abs(offset);
    p.note = fmt::format("{} diagonals hold all nonzeros and are {:.1f} % full", made.offsets.size(),
                         places > 0 ? 100 * static_cast<double>(in.A.nonzeros()) / places : 100);
    if (made.tiles == 0) p.note += ", each of one number";
    const double fetches = made.fetches() + made.tiles + 1;  // y
    const Extent tile = layout_of(in.A.rows).extent();
    p.bytes = 16.0 * static_cast<double>(tile.texels()) * fetches;
    p.memory = 16.0 * static_cast<double>(tile.texels()) * made.tiles;
    const double a_diagonal = made.unrolled() ? 0.35 : 0.7, of_bytes = 0.9;  // beside a slot of sell
    const double steps = a_diagonal * static_cast<double>(made.beside.size());
    predict_seconds(p, in, {.longest = steps, .mean = steps, .in_teams = false, .of_bytes = of_bytes});
    try {
        tile_grid(tile, made.tiles, in.max_texture_size);
    } catch (const InvalidInput& too_large) {
        p.impossible = too_large.what();
    }
    return p;
}

std::unique_ptr<AssembledMatrix> make_dia(Backend& backend, const FormatInput& in) {
    const CsrView A = in.A;
    if (!planned(in)) {
        throw InvalidInput("format dia: the matrix has too many diagonals; format ell takes any matrix");
    }
    const DiaPlan& made = *in.dia;
    const Layout rows = layout_of(A.rows);
    const TileLayout grid = tile_grid(made.tiles == 0 ? Extent{1, 1} : rows.extent(), made.tiles, in.max_texture_size);

    std::vector<double> values = filled(static_cast<std::size_t>(grid.extent().texels()) * 4, 0.0);
    const auto at = [&](int tile, Index i) -> double& {
        return values[static_cast<std::size_t>(grid.texel(tile, i >> 2)) * 4 + static_cast<std::size_t>(i & 3)];
    };
    parallel_each(static_cast<std::size_t>(made.tiles > 0 ? A.rows : 0), row_grain(A), [&](std::size_t row) {
        const auto i = static_cast<Index>(row);
        for (const auto [j, a] : A.row(row)) {
            const Index offset = j - i;
            if (offset == 0) continue;
            const auto d = std::lower_bound(made.beside.begin(), made.beside.end(), offset,
                                            [](const MatrixDiagonal& each, Index o) { return each.offset < o; })
                           - made.beside.begin();
            const int tile = made.tile[static_cast<std::size_t>(d)];
            if (tile != no_tile) at(tile, i) = in.scaled(i, j, a);
        }
        if (!made.main.constant) at(made.tiles - 1, i) = made.main.values[row];
    });
    const std::vector<std::int32_t> structure = made.structure();
    auto matrix = std::make_unique<StoredMatrix>(
        backend,
        StoredFormat{.passes = product_of::dia,
                     .integers = tile_integers(rows, grid, static_cast<int>(made.beside.size()), made.main.differences),
                     .definitions = made.definitions(rows.log2_width),
                     .table = made.table()});
    matrix->add(in, grid.extent(), values);
    matrix->add({static_cast<int>(structure.size() / 4), 1}, structure);
    return matrix;
}

std::vector<StoredNumber> parts_of_dia(const FormatInput& in) {
    const DiaPlan plan = plan_dia(in, diagonal_offsets(in.A, static_cast<std::size_t>(in.A.rows + in.A.columns)));
    std::vector<StoredNumber> made;
    for (std::size_t d = 0; d < plan.beside.size(); ++d) {
        const Index offset = plan.beside[d].offset;
        const std::string part = plan.tile[d] == no_tile ? "one number for all" : "diagonals";
        for (Index i = std::max<Index>(0, -offset); i < std::min(in.A.rows, in.A.columns - offset); ++i) {
            const bool is_there = std::ranges::binary_search(in.A.row(i).columns(), i + offset);
            made.push_back({i, i + offset, is_there ? part : "zeros"});
        }
    }
    return made;
}

}  // namespace

/// DIA: each tile of the texture holds one diagonal, the entry of row i at row i. Where the diagonals are few, those
/// that hold one number, everywhere or with regular gaps, are constants of the shader instead: of a grid with constant
/// coefficients nothing is left to be fetched but x.
constinit const FormatRow dia_format{.kind = FormatKind::dia,
                                     .name = "dia",
                                     .predict = predict_dia,
                                     .make = make_dia,
                                     .parts = parts_of_dia,
                                     .weight = {0.95, 3.0}};

}  // namespace glsolve::inline v0_1
