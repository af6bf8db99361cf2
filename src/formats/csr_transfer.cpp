#include "formats/transfer_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>

#include "base/parallel.hpp"
#include "formats/entry_ranges.hpp"
#include "formats/loop_rounds.hpp"
#include "formats/product_costs.hpp"
#include "formats/rectangle.hpp"
#include "formats/team.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// The rows of P. Nothing stands on a diagonal: a range's row is behind all columns.
std::vector<EntryRange> rows_of(CsrView P) {
    std::vector<EntryRange> ranges(static_cast<std::size_t>(P.rows));
    for (std::size_t i = 0; i < ranges.size(); ++i) ranges[i] = {P.columns, P.offsets[i], P.offsets[i + 1]};
    return ranges;
}

/// A texel's entries lie side by side, so teams read lines of memory.
TeamWork work_of(CsrView P, std::int64_t longest) {
    const std::int64_t texels = layout_of(P.rows).extent().texels();
    const double mean = static_cast<double>(P.nonzeros()) / 4 / static_cast<double>(texels);
    return {.slots = slots_to_share(mean, static_cast<double>(longest)), .texels = texels, .side_by_side = true};
}

/// P with its factors.
CsrMatrix scaled(const TransferInput& in) {
    CsrMatrix P = copy_of(in.P);
    parallel_for(P.rows, usual_grain / 4, [&](int, Offset begin, Offset end) {
        for (Offset i = begin; i < end; ++i) {
            const auto row = static_cast<std::size_t>(i);
            for (Offset k = P.offsets[row]; k < P.offsets[row + 1]; ++k)
                P.value[static_cast<std::size_t>(k)] = in.scaled(static_cast<Index>(i), k);
        }
    });
    return P;
}

}  // namespace

TransferCost cost_of_csr_transfer(const TransferInput& in, const std::optional<ProductCosts>& costs) {
    const std::int64_t longest = most_entry_texels(in.P);
    const TeamWork work = work_of(in.P, longest);
    const auto rows = static_cast<double>(work.texels), entries = static_cast<double>(in.P.nonzeros()) / 4;
    TransferCost cost{.possible = longest <= most_loop_rounds};
    // For four entries a value, columns, four elements of x, and the time of two fetches to find their rows; for four
    // rows two texels of offsets, y, and a texel of entries that belongs to two texels of y.
    cost.fetches = 8 * (entries + rows / 2) + 3 * rows;
    if (costs) {
        cost.seconds = product_seconds(*costs, work.texels, best_team(work), 1.9 * static_cast<double>(longest),
                                       16 * (2 * rows + 1.1 * 2 * entries));
    }
    return cost;
}

Transfer make_csr_transfer(Backend& backend, const TransferInput& in) {
    const CsrMatrix P = scaled(in);
    const std::vector<EntryRange> rows = rows_of(P);
    const std::int64_t longest = most_entry_texels(rows);
    if (longest > most_loop_rounds) {
        throw InvalidInput(
            fmt::format("a transfer between levels has four rows of {} numbers; shaders may go through {}", 4 * longest,
                        4 * most_loop_rounds));
    }
    const std::vector<double> ones(static_cast<std::size_t>(std::max(P.rows, P.columns)) + 1, 1.0);
    FormatInput of_rows{P, ones, {}, backend.info().max_texture_size};
    of_rows.short_columns = !backend.can().by_numbers;
    const EntryTexels entries = lay_out_entries(of_rows, rows, 0);
    const std::vector<float> values(entries.values.begin(), entries.values.end());
    std::vector<Storage> textures;
    textures.emplace_back(backend, entries.value_layout.extent(), in.element(), "transfer values");
    textures.emplace_back(backend, entries.column_layout.extent(), Element::integer, "transfer columns");
    textures.emplace_back(backend, entries.offset_layout.extent(), Element::integer, "transfer rows");
    backend.upload(textures[0].id(), std::span<const float>(values));
    backend.upload(textures[1].id(), std::span<const std::int32_t>(entries.columns));
    backend.upload(textures[2].id(), std::span<const std::int32_t>(entries.offsets));
    return csr_transfer(std::move(textures), {.rows = P.rows,
                                              .columns = P.columns,
                                              .log2_values = entries.value_layout.log2_width,
                                              .log2_columns = entries.column_layout.log2_width,
                                              .log2_offsets = entries.offset_layout.log2_width,
                                              .short_columns = entries.short_columns,
                                              .team = team_for(backend, of_rows, work_of(P, longest))});
}

Transfer csr_transfer(std::vector<Storage> textures, const CsrTextures& of) {
    const int log2_x = layout_of(of.columns).log2_width, log2_y = layout_of(of.rows).log2_width;
    const auto call = [=](Vector& y, const Vector& x, std::span<const Storage> of_P, bool add) -> PassCall {
        PassCall made = pass::csr_transfer{.y = y,
                                           .x = x,
                                           .a = of_P[0],
                                           .columns = of_P[1],
                                           .offsets = of_P[2],
                                           .log2_width = log2_x,
                                           .log2_values = of.log2_values,
                                           .log2_columns = of.log2_columns,
                                           .log2_offsets = of.log2_offsets,
                                           .log2_rest = log2_y,
                                           .first = 0,
                                           .length = of.rows,
                                           .differences = 0,
                                           .add = add};
        made.team = of.team;
        return made;
    };
    return {std::move(textures), call, of.short_columns ? "COLUMNS_16\n" : ""};
}

}  // namespace glsolve::inline v0_1
