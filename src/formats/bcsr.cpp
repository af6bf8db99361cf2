#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>
#include <utility>

#include "base/parallel.hpp"
#include "formats/block_plan.hpp"
#include "formats/diagonal_part.hpp"
#include "formats/loop_rounds.hpp"
#include "formats/product_costs.hpp"
#include "formats/rectangle.hpp"
#include "formats/stored_matrix.hpp"
#include "formats/team.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Offset texels_at_once = 1 << 12;  // from so many texels of rows on another core helps

struct Candidate {
    BlockShape block;
    FormatPrediction prediction;
};

FormatPrediction predict_blocks(const FormatInput& in, const BlockEstimate& blocks) {
    const auto texels = static_cast<double>(layout_of(in.A.rows).extent().texels());
    FormatPrediction p;
    p.note =
        fmt::format("blocks of {} x {} are {:.0f} % full", blocks.block.rows, blocks.block.columns, 100 * blocks.full);
    p.bytes = 16 * texels * (blocks.fetches() + 1);
    p.memory = 16 * texels * (1.25 + blocks.slots * (blocks.block.columns + block_rows_of_texel(blocks.block) / 4.0));
    const double a_slot = 0.5 * blocks.block.columns + 0.45;
    predict_seconds(p, in,
                    {.longest = a_slot * blocks.most_slots,
                     .mean = slots_to_share(blocks.slots, blocks.most_slots),
                     .side_by_side = true});
    try {
        rectangle(static_cast<std::int64_t>(texels * (1 + blocks.slots * blocks.block.columns)), in.max_texture_size,
                  "values");
    } catch (const InvalidInput& too_large) {
        p.impossible = too_large.what();
    }
    if (blocks.most_slots > static_cast<double>(most_loop_rounds)) {
        p.impossible = fmt::format("a row has nonzeros in {} blocks; shaders may go through {}", blocks.most_slots,
                                   most_loop_rounds);
    }
    return p;
}

/// The shape that is asked for, or the one that should be the fastest.
Candidate choose_blocks(const FormatInput& in) {
    std::vector<BlockShape> shapes(block_shapes.begin(), block_shapes.end());
    if (in.block.rows > 0) shapes = {in.block};
    std::vector<Candidate> all;
    for (const BlockShape& block : shapes) all.push_back({block, predict_blocks(in, estimate_blocks(in.A, block))});
    return *std::ranges::min_element(all, {}, [](const Candidate& each) {
        const FormatPrediction& p = each.prediction;
        return std::pair{!p.possible(), p.predicted_seconds > 0 ? p.predicted_seconds : p.bytes};
    });
}

FormatPrediction predict_bcsr(const FormatInput& in) { return choose_blocks(in).prediction; }

/// The fewest bytes that a product may fetch: all blocks are full, and share what is beside their values.
double least_bytes_of_blocks(const FormatInput& in) {
    return 16 * (5 * texels_of_rows(in.A) + texels_of_entries(in.A));
}

/// Fills the textures, texel after texel.
class BlockWriter {
  public:
    Layout value_layout, column_layout, offset_layout;
    std::vector<double> values;
    std::vector<std::int32_t> columns, offsets;  ///< of slots
    DiagonalPart diagonal;
    std::int64_t first;  ///< texel of values

    BlockWriter(const FormatInput& in, BlockShape block)
        : diagonal(diagonal_part(in.A, in.scale)),
          first(layout_of(in.A.rows).extent().texels()),
          in_(in),
          block_(block) {
        offset_layout = rectangle((first + 4) / 4, in.max_texture_size, "offsets");
        offsets = zeros<std::int32_t>(offset_layout);
        for_texels([&](BlockPlanner& planner, std::int64_t t) {
            offsets[static_cast<std::size_t>(t) + 1] = static_cast<std::int32_t>(planner.slots(t));
        });
        for (std::size_t t = 1; t < offsets.size(); ++t) offsets[t] += offsets[t - 1];
        const std::int64_t slots = offsets.back();
        value_layout = rectangle(first + slots * block.columns, in.max_texture_size, "values");
        column_layout = rectangle((slots * block_rows_of_texel(block) + 3) / 4, in.max_texture_size, "columns");
        values = zeros<double>(value_layout);
        columns = zeros<std::int32_t>(column_layout);
        std::ranges::copy(diagonal.values, values.begin());
        for_texels([&](BlockPlanner& planner, std::int64_t t) { write(planner.plan(t), t); });
    }

    /// Of a texel: what a team should be made for.
    double shared_slots() const {
        std::int32_t most = 0;
        for (std::size_t t = 1; t < offsets.size(); ++t) most = std::max(most, offsets[t] - offsets[t - 1]);
        return slots_to_share(static_cast<double>(offsets.back()) / static_cast<double>(first), most);
    }

  private:
    template <class Work>
    void for_texels(const Work& work) const {
        parallel_for((Offset{in_.A.rows} + 3) / 4, texels_at_once, [&](int, Offset begin, Offset end) {
            BlockPlanner planner(in_.A, block_);
            for (Offset t = begin; t < end; ++t) work(planner, t);
        });
    }

    void write(const std::array<std::vector<Index>, 2>& blocks, std::int64_t t) {
        const std::int64_t begin = offsets[static_cast<std::size_t>(t)],
                           count = offsets[static_cast<std::size_t>(t) + 1] - begin;
        const auto row = static_cast<Index>(4 * t);
        const int together = block_rows_of_texel(block_);
        for (int k = 0; k < together; ++k) {
            const std::vector<Index>& own = blocks[static_cast<std::size_t>(k)];
            // Slots that stay empty multiply x at the own rows by 0: an infinity elsewhere must not turn these rows
            // into NaN.
            const Index here = (row / block_.rows + k) * block_.rows;
            for (std::int64_t s = 0; s < count; ++s) {
                columns[static_cast<std::size_t>((begin + s) * together + k)] =
                    s < std::ssize(own) ? own[static_cast<std::size_t>(s)] : here - here % block_.columns;
            }
        }
        for (Index lane = 0; lane < 4 && row + lane < in_.A.rows; ++lane) {
            const Index i = row + lane;
            const std::vector<Index>& own = blocks[static_cast<std::size_t>(i / block_.rows - row / block_.rows)];
            for (const auto [j, a] : in_.A.row(i)) {
                if (j == i) continue;
                const Index c = j % block_.columns;
                const std::int64_t slot = std::ranges::lower_bound(own, j - c) - own.begin();
                const std::int64_t texel = first + block_.columns * begin + c * count + slot;
                values[static_cast<std::size_t>(4 * texel + lane)] = in_.scaled(i, j, a);
            }
        }
    }

    const FormatInput& in_;
    BlockShape block_;
};

std::unique_ptr<AssembledMatrix> make_bcsr(Backend& backend, const FormatInput& in) {
    const BlockShape block = choose_blocks(in).block;
    const BlockWriter made(in, block);
    auto matrix = std::make_unique<StoredMatrix>(
        backend,
        StoredFormat{
            .passes = product_of::bcsr,
            .integers = {layout_of(in.A.rows).log2_width, made.value_layout.log2_width, made.column_layout.log2_width,
                         made.offset_layout.log2_width, static_cast<std::int32_t>(made.first), in.A.rows,
                         made.diagonal.differences ? 1 : 0},
            .definitions = fmt::format("BLOCK_ROWS {}\nBLOCK_COLUMNS {}\n", block.rows, block.columns),
            .gathers = true,
            .team = team_for(backend, in, {.slots = made.shared_slots(), .texels = made.first, .side_by_side = true})});
    matrix->add(in, made.value_layout.extent(), made.values);
    matrix->add(made.column_layout.extent(), made.columns);
    matrix->add(made.offset_layout.extent(), made.offsets);
    return matrix;
}

std::vector<StoredNumber> parts_of_bcsr(const FormatInput& in) {
    const BlockShape block = choose_blocks(in).block;
    std::vector<StoredNumber> made;
    BlockPlanner planner(in.A, block);
    for (Index row = 0; row < in.A.rows; row += 4) {
        const auto& blocks = planner.plan(row / 4);
        for (Index i = row; i < std::min(row + 4, in.A.rows); ++i) {
            const std::span<const Index> columns = in.A.row(i).columns();
            for (const Index first : blocks[static_cast<std::size_t>(i / block.rows - row / block.rows)]) {
                for (Index j = first; j < std::min(first + block.columns, in.A.columns); ++j)
                    if (j != i) made.push_back({i, j, std::ranges::binary_search(columns, j) ? "blocks" : "zeros"});
            }
        }
    }
    return made;
}

}  // namespace

/// Block CSR: nonzeros in blocks, as several unknowns at each point of a mesh make them. A block is stored
/// with one column number, that of its first column, and its rows share their numbers of x.
constinit const FormatRow bcsr_format{.kind = FormatKind::bcsr,
                                      .name = "bcsr",
                                      .predict = predict_bcsr,
                                      .make = make_bcsr,
                                      .parts = parts_of_bcsr,
                                      .least = least_bytes_of_blocks,
                                      .weight = {1.55, 5.5}};

}  // namespace glsolve::inline v0_1
