#include "formats/block_plan.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr std::int64_t sampled_texels = 512;  // enough for a mean, and soon looked at
constexpr Offset sampled_at_once = 256;

/// The texel of rows with the longest row.
std::int64_t busiest_texel(CsrView A) {
    const auto longest_of = [&](Offset begin, Offset end) {
        Offset longest = begin;
        for (Offset i = begin; i < end; ++i) {
            if (A.row(i).size() > A.row(longest).size()) longest = i;
        }
        return longest;
    };
    const std::vector<Offset> found = parallel_parts(A.rows, usual_grain, longest_of);
    return *std::ranges::max_element(found, {}, [&](Offset i) { return A.row(i).size(); }) / 4;
}

}  // namespace

BlockEstimate estimate_blocks(CsrView A, BlockShape block) {
    const std::int64_t texels = (std::int64_t{A.rows} + 3) / 4, sampled = std::min(texels, sampled_texels);
    struct Found {
        double slots = 0, most = 0, entries = 0;
    };
    const auto parts = parallel_parts(sampled, sampled_at_once, [&](Offset begin, Offset end) {
        BlockPlanner planner(A, block);
        Found found;
        for (Offset k = begin; k < end; ++k) {
            const std::int64_t t = k * texels / sampled;
            const auto slots = static_cast<double>(planner.slots(t));
            const Index first = static_cast<Index>(4 * t), last = std::min<Index>(first + 4, A.rows);
            found.slots += slots;
            found.most = std::max(found.most, slots);
            found.entries += static_cast<double>(A.offsets[static_cast<std::size_t>(last)]
                                                 - A.offsets[static_cast<std::size_t>(first)] - (last - first));
        }
        return found;
    });
    BlockEstimate made{.block = block};
    double entries = 0;
    for (const Found& found : parts) {
        made.slots += found.slots;
        made.most_slots = std::max(made.most_slots, found.most);
        entries += found.entries;
    }
    const double busiest = A.rows > 0 ? static_cast<double>(BlockPlanner(A, block).slots(busiest_texel(A))) : 0;
    made.most_slots = std::max(made.most_slots, busiest);
    made.full = std::clamp(entries / std::max(4 * block.columns * made.slots, 1.0), 0.0, 1.0);
    made.slots /= static_cast<double>(std::max<std::int64_t>(sampled, 1));
    return made;
}

const std::array<std::vector<Index>, 2>& BlockPlanner::plan(std::int64_t texel) {
    const auto begin = static_cast<Index>(4 * texel), end = std::min<Index>(begin + 4, A_.rows);
    for (int k = 0; k < block_rows_of_texel(block_); ++k) {
        std::vector<Index>& columns = columns_[static_cast<std::size_t>(k)];
        columns.clear();
        const Index first = (begin / block_.rows + k) * block_.rows;
        for (Index i = std::max(first, begin); i < std::min<Index>(first + block_.rows, end); ++i) {
            const std::ptrdiff_t others = std::ssize(columns);
            for (const Index j : A_.row(i).columns()) {
                const Index column = j - j % block_.columns;
                if (j != i && (columns.empty() || columns.back() != column)) columns.push_back(column);
            }
            std::inplace_merge(columns.begin(), columns.begin() + others, columns.end());  // rows are sorted
        }
        columns.erase(std::ranges::unique(columns).begin(), columns.end());
    }
    return columns_;
}

std::int64_t BlockPlanner::slots(std::int64_t texel) {
    const auto& columns = plan(texel);
    return std::ssize(columns[0].size() > columns[1].size() ? columns[0] : columns[1]);
}

double BlockEstimate::fetches() const {
    // The diagonal, x there, two offsets; for each slot its values, columns, and x: four texels where blocks of three
    // lie as they like.
    const int block_rows = block_rows_of_texel(block);
    const double x = block.columns == 3 ? 4 : block_rows;
    return 4 + slots * (block.columns + block_rows / 4.0 + x);
}

}  // namespace glsolve::inline v0_1
