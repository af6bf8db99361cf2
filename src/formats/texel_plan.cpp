#include "formats/texel_plan.hpp"

#include <algorithm>
#include <limits>
#include <tuple>

namespace glsolve::inline v0_1 {

Slots TexelPlan::slots() const {
    std::size_t most = 0;
    for (const auto& lane : singles) most = std::max(most, lane.size());
    return {static_cast<int>(runs.size()), static_cast<int>(most)};
}

const TexelPlan& TexelPlanner::plan(std::int64_t texel) {
    collect(texel);
    plan_.runs.clear();
    for (auto& lane : plan_.singles) lane.clear();
    const int fewest = fewest_entries();
    for (std::size_t begin = 0, end = 0; begin < found_.size(); begin = end) {
        end = end_of_group(begin);
        if (static_cast<int>(end - begin) < fewest) {
            for (std::size_t k = begin; k < end; ++k) plan_.singles[found_[k].lane].push_back(found_[k].entry);
            continue;
        }
        Run run{.first = found_[begin].first};
        for (std::size_t k = begin; k < end; ++k) run.entry[found_[k].lane] = found_[k].entry;
        plan_.runs.push_back(run);
    }
    return plan_;
}

void TexelPlanner::collect(std::int64_t texel) {
    found_.clear();
    for (std::uint32_t lane = 0; lane < 4; ++lane) {
        const std::int64_t i = 4 * texel + lane;
        if (i >= A_.rows) break;
        const auto row = static_cast<std::size_t>(i);
        for (Offset k = A_.offsets[row]; k < A_.offsets[row + 1]; ++k) {
            const Index j = A_.column[static_cast<std::size_t>(k)];
            if (j != i) found_.push_back({j - static_cast<Index>(lane), lane, k});
        }
    }
    if (!runs_) return;
    std::sort(found_.begin(), found_.end(),
              [](const Found& a, const Found& b) { return std::tie(a.first, a.lane) < std::tie(b.first, b.lane); });
}

/// Entries on one diagonal stand together; where runs are not looked for, each stands alone.
std::size_t TexelPlanner::end_of_group(std::size_t begin) const {
    std::size_t end = begin + 1;
    while (runs_ && end < found_.size() && found_[end].first == found_[begin].first) ++end;
    return end;
}

/// How many entries a group on one diagonal must have to become a run: the number that costs fewest fetches.
int TexelPlanner::fewest_entries() const {
    constexpr int never = 5;
    if (!runs_) return never;
    std::array<int, never> groups{};                // with so many entries
    std::array<std::array<int, never>, 4> lanes{};  // entries of a lane, in groups with so many
    for (std::size_t begin = 0, end = 0; begin < found_.size(); begin = end) {
        end = end_of_group(begin);
        ++groups[end - begin];
        for (std::size_t k = begin; k < end; ++k) ++lanes[found_[k].lane][end - begin];
    }
    int best = never;
    double best_fetches = std::numeric_limits<double>::infinity();
    Slots slots;
    for (std::size_t fewest = never; fewest >= 1; --fewest) {
        if (fewest < never) slots.runs += groups[fewest];
        slots.singles = 0;
        for (const auto& lane : lanes) {
            int entries = 0;
            for (std::size_t count = 1; count < fewest; ++count) entries += lane[count];
            slots.singles = std::max(slots.singles, entries);
        }
        if (slots.fetches() < best_fetches) {
            best_fetches = slots.fetches();
            best = static_cast<int>(fewest);
        }
    }
    return best;
}

}  // namespace glsolve::inline v0_1
