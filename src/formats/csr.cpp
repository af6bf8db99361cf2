#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>

#include "base/large_pages.hpp"
#include "formats/choose_format.hpp"
#include "formats/csr_of_passes.hpp"
#include "formats/diagonal_part.hpp"
#include "formats/loop_rounds.hpp"
#include "formats/product_costs.hpp"
#include "formats/rectangle.hpp"
#include "formats/short_columns.hpp"
#include "formats/stored_matrix.hpp"
#include "formats/team.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Offset short_enough = 32;              // entries: so many one team goes through quickly
constexpr Offset entries_of_an_invocation = 64;  // of a long row, in a large team
constexpr int large_team = 16;
constexpr double steps_of_pieces = 16;  // what four pieces take, and their sums
constexpr double much_longer = 4;       // than the mean row: pieces, unless teams are large

/// Rows that are much longer than a team goes through quickly are added up in pieces (formats/rest.hpp).
struct Plan {
    int team = 1;
    std::vector<EntryRange> rows = {};    ///< all of them; of those in pieces the range is empty
    std::vector<EntryRange> pieces = {};  ///< in the order of their rows
    Index rows_in_pieces = 0;
};

double mean_row(CsrView A) { return static_cast<double>(A.nonzeros()) / std::max<double>(A.rows, 1); }

Offset longest_row(CsrView A) {
    return static_cast<Offset>(parallel_max(static_cast<std::size_t>(A.rows),
                                            [&](std::size_t i) { return static_cast<double>(A.row(i).size()); }));
}

/// `in_teams`: there are invocations to spare.
Plan plan_rows(const FormatInput& in, bool in_teams) {
    const CsrView A = in.A;
    const double mean = mean_row(A);
    Offset limit = std::max(short_enough, static_cast<Offset>(much_longer * mean));
    Plan plan{.rows = filled(static_cast<std::size_t>(A.rows), EntryRange{})};
    if (in_teams || in.team > 0) {
        const auto team_for_slots = [&](double slots) {
            return best_team({.slots = slots, .texels = layout_of(A.rows).extent().texels(), .side_by_side = true});
        };
        // A texel that has one of the long rows is sooner done by a large team than by a second pass.
        const int large = team_for_slots(slots_to_share(mean, static_cast<double>(longest_row(A)) / 4));
        const bool alone = large >= large_team;
        plan.team = in.team > 0 ? in.team : alone ? large : team_for_slots(mean);
        if (alone) limit = std::max(limit, entries_of_an_invocation * plan.team);
    }
    const auto is_long = [&](std::size_t i) { return A.offsets[i + 1] - A.offsets[i] > limit; };
    parallel_each(plan.rows.size(), [&](std::size_t i) {
        const Offset begin = A.offsets[i];
        plan.rows[i] = {static_cast<Index>(i), begin, is_long(i) ? begin : A.offsets[i + 1]};
    });
    if (!parallel_any(plan.rows.size(), is_long)) return plan;
    for (std::size_t i = 0; i < plan.rows.size(); ++i) {
        if (!is_long(i)) continue;
        ++plan.rows_in_pieces;
        add_in_pieces(plan.pieces, {static_cast<Index>(i), A.offsets[i], A.offsets[i + 1]}, usual_piece);
    }
    return plan;
}

/// Without pieces. For each texel of y: offsets, the diagonal, x there, y, and a texel of entries that belongs to two
/// texels of y; for four entries a value, columns, four elements of x, and the time of two fetches to find their rows.
double least(const FormatInput& in) {
    const double rows = texels_of_rows(in.A);
    return 16 * (4 * rows + 8 * (texels_of_entries(in.A) + rows / 2));
}

FormatPrediction predict_csr(const FormatInput& in) {
    const Plan plan = plan_rows(in, in.costs.has_value());
    const double rows = texels_of_rows(in.A), entries = texels_of_entries(in.A);
    const auto pieces = static_cast<double>(plan.pieces.size()) / 4;
    FormatPrediction p;
    p.note = fmt::format("the average row has {:.1f} nonzeros{}", mean_row(in.A),
                         plan.pieces.empty() ? ""
                                             : fmt::format("; {} that are much longer are added up in {} pieces",
                                                           plan.rows_in_pieces, plan.pieces.size()));
    p.passes = plan.pieces.empty() ? 1 : 2;
    p.bytes = least(in) + 16 * ((plan.pieces.empty() ? 0 : rows) + 6 * pieces);
    const double of_columns = fits_short_columns_from_middle(in) ? 0.5 : 1;
    p.memory = 16 * (2 * rows + (1 + of_columns) * entries + (plan.pieces.empty() ? 0 : rows) + 4 * pieces);
    const double longest =
        static_cast<double>(most_entry_texels(plan.rows)) + (plan.pieces.empty() ? 0 : steps_of_pieces);
    predict_seconds(p, in, {.longest = 1.9 * longest, .team = plan.team, .of_bytes = 1.1});
    try {
        rectangle(static_cast<std::int64_t>(rows + entries) + 1, in.max_texture_size, "values");
    } catch (const InvalidInput& too_large) {
        p.impossible = too_large.what();
    }
    if (const std::int64_t most = std::max(most_entry_texels(plan.rows), most_entry_texels(plan.pieces));
        most > most_loop_rounds) {
        p.impossible =
            fmt::format("four rows have {} nonzeros; shaders may go through {}", 4 * most, 4 * most_loop_rounds);
    }
    return p;
}

/// Without values: the diagonal part in the first texels, then the entries.
std::unique_ptr<StoredMatrix> without_values(Backend& backend, Index size, const EntryTexels& entries, bool differences,
                                             int team) {
    const Layout rows = layout_of(size);
    auto matrix = std::make_unique<StoredMatrix>(
        backend,
        StoredFormat{.passes = product_of::csr,
                     .integers = {rows.log2_width, entries.value_layout.log2_width, entries.column_layout.log2_width,
                                  entries.offset_layout.log2_width, 0, 0,
                                  static_cast<std::int32_t>(rows.extent().texels()), size, differences ? 1 : 0},
                     .definitions = entries.short_columns ? "COLUMNS_16\n" : "",
                     .rest_integers = 4,
                     .gathers = true,
                     .team = team});
    matrix->add(entries.column_layout.extent(), entries.columns);
    matrix->add(entries.offset_layout.extent(), entries.offsets);
    return matrix;
}

std::unique_ptr<AssembledMatrix> make_csr(Backend& backend, const FormatInput& in) {
    const Plan plan = plan_rows(in, has_teams(backend));
    const DiagonalPart diagonal = diagonal_part(in.A, in.scale);
    EntryTexels entries = lay_out_entries(in, plan.rows, layout_of(in.A.rows).extent().texels());
    std::copy(diagonal.values.begin(), diagonal.values.end(), entries.values.begin());
    auto matrix = without_values(backend, in.A.rows, entries, diagonal.differences, plan.team);
    matrix->add(in, entries.value_layout.extent(), entries.values);
    if (!plan.pieces.empty()) matrix->take_rest(std::make_unique<Rest>(backend, in, plan.pieces, diagonal.differences));
    return matrix;
}

std::vector<StoredNumber> parts_of_csr(const FormatInput& in) {
    std::vector<StoredNumber> made;
    const Plan plan = plan_rows(in, in.costs.has_value());
    const auto add = [&](const std::vector<EntryRange>& ranges, const std::string& part) {
        for (const EntryRange& range : ranges) {
            for (Offset k = range.begin; k < range.end; ++k) {
                const Index j = in.A.column[static_cast<std::size_t>(k)];
                if (j != range.row) made.push_back({range.row, j, part});
            }
        }
    };
    add(plan.rows, "rows");
    add(plan.pieces, "long rows, in pieces");
    return made;
}

}  // namespace

CsrOfPasses csr_of_passes(Backend& backend, CsrView A) {
    const std::vector<double> ones(static_cast<std::size_t>(A.rows), 1.0);
    CsrMatrix numbered = copy_of(A);
    for (std::size_t e = 0; e < numbered.value.size(); ++e) numbered.value[e] = static_cast<double>(e) + 1;
    FormatInput in = for_device(
        backend,
        {.A = numbered, .scale = ones, .max_texture_size = backend.info().max_texture_size, .low_parts = false});
    std::vector<EntryRange> rows;
    for (Index i = 0; i < A.rows; ++i) {
        rows.push_back({i, A.offsets[static_cast<std::size_t>(i)], A.offsets[static_cast<std::size_t>(i) + 1]});
    }
    if (const std::int64_t most = most_entry_texels(rows); most > most_loop_rounds) {
        throw InvalidInput(fmt::format("four rows of a factor have {} nonzeros; shaders may go through {}", 4 * most,
                                       4 * most_loop_rounds));
    }
    const std::int64_t texels = layout_of(A.rows).extent().texels();
    const EntryTexels entries = lay_out_entries(in, rows, texels);
    const int team = has_teams(backend) ? best_team({.slots = mean_row(A), .texels = texels, .side_by_side = true}) : 1;
    CsrOfPasses made{without_values(backend, A.rows, entries, false, team), {}, entries.value_layout, {}};
    Storage values(backend, entries.value_layout.extent(), Element::real, "matrix values");
    made.values = values.id();
    made.matrix->take_values(std::move(values));
    for (const double number : entries.values) made.entry.push_back(static_cast<std::int32_t>(number) - 1);
    return made;
}

/// CSR: the entries row after row, with a column each. Four rows share their entries: no slot is padding.
constinit const FormatRow csr_format{.kind = FormatKind::csr,
                                     .name = "csr",
                                     .predict = predict_csr,
                                     .make = make_csr,
                                     .parts = parts_of_csr,
                                     .least = least,
                                     .weight = {1.44, 1.0}};

}  // namespace glsolve::inline v0_1
