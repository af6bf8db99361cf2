#include "formats/texel_plan.hpp"

#include <algorithm>

namespace glsolve::inline v0_1 {

const TexelPlan& TexelPlanner::plan(std::int64_t texel, std::size_t fewest) {
    collect(texel);
    plan_.runs.clear();
    for (auto& lane : plan_.singles) lane.clear();
    for (std::size_t begin = 0, end = 0; begin < found_.size(); begin = end) {
        end = end_of_group(begin);
        if (end - begin < fewest) {
            for (std::size_t k = begin; k < end; ++k) plan_.singles[found_[k].lane].push_back(found_[k].entry);
            continue;
        }
        Run run{.first = found_[begin].first};
        for (std::size_t k = begin; k < end; ++k) run.entry[found_[k].lane] = found_[k].entry;
        plan_.runs.push_back(run);
    }
    return plan_;
}

std::array<Slots, TexelPlanner::no_runs + 1> TexelPlanner::slots(std::int64_t texel) {
    collect(texel);
    std::array<int, no_runs> groups{};                // with so many entries
    std::array<std::array<int, no_runs>, 4> lanes{};  // entries of a lane, in groups with so many
    for (std::size_t begin = 0, end = 0; begin < found_.size(); begin = end) {
        end = end_of_group(begin);
        ++groups[end - begin];
        for (std::size_t k = begin; k < end; ++k) ++lanes[found_[k].lane][end - begin];
    }
    std::array<Slots, no_runs + 1> result{};
    for (std::size_t fewest = 1; fewest <= no_runs; ++fewest) {
        Slots& slots = result[fewest];
        for (std::size_t count = fewest; count < no_runs; ++count) slots.runs += groups[count];
        for (const auto& lane : lanes) {
            int entries = 0;
            for (std::size_t count = 1; count < fewest; ++count) entries += lane[count];
            slots.singles = std::max(slots.singles, entries + entries % 2);
        }
    }
    return result;
}

void TexelPlanner::collect(std::int64_t texel) {
    found_.clear();
    const auto before = [](const Found& a, const Found& b) { return a.first < b.first; };
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
        const std::int64_t i = 4 * texel + lane;
        if (i >= A_.rows) break;
        const auto others = static_cast<std::ptrdiff_t>(found_.size());
        const auto row = static_cast<std::size_t>(i);
        for (Offset k = A_.offsets[row]; k < A_.offsets[row + 1]; ++k) {
            const Index j = A_.column[static_cast<std::size_t>(k)];
            if (j != i) found_.push_back({j - static_cast<Index>(lane), lane, k});
        }
        // Rows are sorted, and of equal ones those of earlier lanes stay in front.
        std::inplace_merge(found_.begin(), found_.begin() + others, found_.end(), before);
    }
}

Slots TexelPlanner::slots_of_singles(std::int64_t texel) const {
    Offset most = 0;
    for (std::int64_t i = 4 * texel; i < std::min<std::int64_t>(4 * texel + 4, A_.rows); ++i) {
        const std::span<const Index> columns = A_.row(i).columns();
        const bool has_diagonal = std::ranges::binary_search(columns, static_cast<Index>(i));
        most = std::max<Offset>(most, std::ssize(columns) - (has_diagonal ? 1 : 0));
    }
    return {.runs = 0, .singles = static_cast<int>(most + most % 2)};
}

std::size_t TexelPlanner::end_of_group(std::size_t begin) const {
    std::size_t end = begin + 1;
    while (end < found_.size() && found_[end].first == found_[begin].first) ++end;
    return end;
}

}  // namespace glsolve::inline v0_1
