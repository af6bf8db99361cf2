#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>

#include "formats/diagonal_part.hpp"
#include "formats/product_costs.hpp"
#include "formats/rectangle.hpp"
#include "formats/stored_matrix.hpp"
#include "formats/team.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Offset short_enough = 32;                      // entries: so many one team goes through quickly
constexpr double steps_of_pieces = 16;                   // what four pieces take, and their sums
constexpr double much_longer = 4;                        // than the mean row
constexpr std::int64_t most_entry_texels_read = 65'000;  // Mesa's llvmpipe ends all loops of a shader after 65,535

/// Rows that are much longer than most are added up in pieces (formats/rest.hpp).
struct Plan {
    std::vector<EntryRange> rows;    ///< all of them; of those in pieces the range is empty
    std::vector<EntryRange> pieces;  ///< in the order of their rows
    Index rows_in_pieces = 0;
};

Offset longest_of(const std::vector<EntryRange>& ranges) {
    Offset longest = 0;
    for (const EntryRange& range : ranges) longest = std::max(longest, range.end - range.begin);
    return longest;
}

Plan plan_rows(const CsrMatrix& A) {
    Plan plan;
    plan.rows.resize(static_cast<std::size_t>(A.rows));
    const double mean = static_cast<double>(A.nonzeros()) / std::max<double>(A.rows, 1);
    const Offset limit = std::max(short_enough, static_cast<Offset>(much_longer * mean));
    for (Index i = 0; i < A.rows; ++i) {
        const Offset begin = A.offsets[static_cast<std::size_t>(i)], end = A.offsets[static_cast<std::size_t>(i) + 1];
        if (end - begin <= limit) {
            plan.rows[static_cast<std::size_t>(i)] = {i, begin, end};
            continue;
        }
        plan.rows[static_cast<std::size_t>(i)] = {i, begin, begin};
        ++plan.rows_in_pieces;
        add_in_pieces(plan.pieces, {i, begin, end}, usual_piece);
    }
    return plan;
}

FormatPrediction predict(const FormatInput& in) {
    const Plan plan = plan_rows(in.A);
    const auto rows = static_cast<double>(layout_of(in.A.rows).extent().texels());
    const auto pieces = static_cast<double>(plan.pieces.size()) / 4;
    const double entries = static_cast<double>(std::max<Offset>(in.A.nonzeros() - in.A.rows, 0)) / 4;
    FormatPrediction p;
    p.note = fmt::format("rows have {:.1f} nonzeros in the mean{}",
                         static_cast<double>(in.A.nonzeros()) / std::max<double>(in.A.rows, 1),
                         plan.pieces.empty() ? ""
                                             : fmt::format("; {} that are much longer are added up in {} pieces",
                                                           plan.rows_in_pieces, plan.pieces.size()));
    p.passes = plan.pieces.empty() ? 1 : 2;
    // For each texel of y: offsets, the diagonal, x there, y, and a texel of entries that belongs to two texels of y;
    // for four entries a value, columns, four elements of x, and the time of two fetches to find their rows.
    p.bytes = 16 * (4 * rows + 8 * (entries + rows / 2) + (plan.pieces.empty() ? 0 : rows) + 6 * pieces);
    p.memory = 16 * (2 * rows + 2 * entries + (plan.pieces.empty() ? 0 : rows) + 4 * pieces);
    const double mean = 4 * entries / std::max<double>(in.A.rows, 1);
    const double longest = static_cast<double>(longest_of(plan.rows)) + (plan.pieces.empty() ? 0 : steps_of_pieces);
    predict_seconds(p, in, {.longest = 1.9 * longest, .mean = mean, .side_by_side = true});
    try {
        rectangle(static_cast<std::int64_t>(rows + entries) + 1, in.max_texture_size, "values");
    } catch (const InvalidInput& too_large) {
        p.impossible = too_large.what();
    }
    if (const std::int64_t most = std::max(most_entry_texels(plan.rows), most_entry_texels(plan.pieces));
        most > most_entry_texels_read) {
        p.impossible =
            fmt::format("four rows have {} nonzeros; shaders may go through {}", 4 * most, 4 * most_entry_texels_read);
    }
    return p;
}

std::unique_ptr<AssembledMatrix> make(Backend& backend, const FormatInput& in) {
    const Layout rows = layout_of(in.A.rows);
    const std::int64_t first = rows.extent().texels();
    const Plan plan = plan_rows(in.A);
    const DiagonalPart diagonal = diagonal_part(in.A, in.scale);
    EntryTexels entries = lay_out_entries(in, plan.rows, first);
    std::copy(diagonal.values.begin(), diagonal.values.end(), entries.values.begin());
    auto matrix = std::make_unique<StoredMatrix>(
        backend,
        StoredFormat{.passes = product_of::csr,
                     .integers = {rows.log2_width, entries.value_layout.log2_width, entries.column_layout.log2_width,
                                  entries.offset_layout.log2_width, 0, 0, static_cast<std::int32_t>(first), in.A.rows,
                                  diagonal.differences ? 1 : 0},
                     .rest_integers = 4,
                     .gathers = true,
                     .team = team_for(backend, in,
                                      {.slots = static_cast<double>(entries.entries) / std::max<double>(in.A.rows, 1),
                                       .texels = first,
                                       .side_by_side = true})});
    matrix->add(in, entries.value_layout.extent(), entries.values);
    matrix->add(entries.column_layout.extent(), entries.columns);
    matrix->add(entries.offset_layout.extent(), entries.offsets);
    if (!plan.pieces.empty()) matrix->take_rest(std::make_unique<Rest>(backend, in, plan.pieces, diagonal.differences));
    return matrix;
}

}  // namespace

/// CSR: the entries row after row, with a column each. Four rows share their entries: no slot is padding.
constinit const FormatRow csr_format{FormatKind::csr, "csr", predict, make, nullptr, 1.05};

}  // namespace glsolve::inline v0_1
