#include "matrix/csr_entries.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {

bool has_places_of(CsrView A, CsrView B) {
    return A.columns == B.columns && std::ranges::equal(A.offsets, B.offsets) && std::ranges::equal(A.column, B.column);
}

const double* find_entry(CsrView A, Index row, Index column) {
    constexpr std::size_t short_row = 16;  // entries: gone through faster than searched
    const auto entries = A.row(row);
    const std::span<const Index> columns = entries.columns();
    const auto found =
        columns.size() <= short_row ? std::ranges::find(columns, column) : std::ranges::lower_bound(columns, column);
    if (found == columns.end() || *found != column) return nullptr;
    return &entries[static_cast<std::size_t>(found - columns.begin())].value;
}

double entry(CsrView A, Index row, Index column) {
    const double* const found = find_entry(A, row, column);
    return found != nullptr ? *found : 0.0;
}

Offset end_of_alike_rows(CsrView A, Offset begin, Offset end) {
    const std::span<const Index> columns = A.row(begin).columns();
    const std::span<const double> values = A.row(begin).values();
    const auto is_alike = [&](Offset i) {
        const auto row = A.row(i);
        if (row.size() != columns.size()) return false;
        const auto further = static_cast<Index>(i - begin);
        bool all = true;  // without a branch: short rows are compared at once
        for (std::size_t k = 0; k < columns.size(); ++k) {
            all &= (row.columns()[k] - columns[k] == further) & (row.values()[k] == values[k]);
        }
        return all;
    };
    Offset i = begin + 1;
    while (i < end && is_alike(i)) ++i;
    return i;
}

namespace {

/// Those of rows begin ... end - 1, in any order; of too many for `most` one more than that.
std::vector<Index> offsets_of_rows(CsrView A, Index begin, Index end, std::size_t most, StoredZeros zeros) {
    constexpr std::size_t few = 64;  // are searched; of more each has a mark, and these take long to be made
    std::vector<bool> used;
    std::vector<Index> offsets;
    const auto mark = [&](Index offset) -> std::vector<bool>::reference {
        return used[static_cast<std::size_t>(std::int64_t{offset} + A.rows)];
    };
    const auto is_known = [&](Index offset) {
        return used.empty() ? std::ranges::find(offsets, offset) != offsets.end() : bool{mark(offset)};
    };
    const auto add = [&](Index offset) {
        offsets.push_back(offset);
        if (offsets.size() <= few) return;
        if (used.empty()) {
            used.resize(static_cast<std::size_t>(A.rows) + static_cast<std::size_t>(A.columns), false);
            for (const Index each : offsets) mark(each) = true;
        }
        mark(offset) = true;
    };
    std::array<Index, 32> seen;  // those of the row before, most often the same
    seen.fill(std::numeric_limits<Index>::min());
    for (Index i = begin; i < end; ++i) {
        const Offset first = A.offsets[i];
        for (Offset k = first; k < A.offsets[i + std::size_t{1}]; ++k) {
            const Index offset = A.column[k] - i;
            Index& before = seen[static_cast<std::size_t>(k - first) % seen.size()];
            if (before == offset) continue;
            if (is_known(offset)) {
                before = offset;
                continue;
            }
            if (A.value[k] == 0 && zeros == StoredZeros::ignore) continue;
            before = offset;
            add(offset);
            if (offsets.size() > most) return offsets;
        }
    }
    return offsets;
}

}  // namespace

std::vector<Index> offsets_of_entries(CsrView A, std::size_t most, StoredZeros zeros) {
    const auto found = parallel_parts(A.rows, row_grain(A), [&](Offset begin, Offset end) {
        return offsets_of_rows(A, static_cast<Index>(begin), static_cast<Index>(end), most, zeros);
    });
    std::vector<Index> offsets;
    for (const std::vector<Index>& each : found) {
        if (each.size() > most) return each;
    }
    for (const std::vector<Index>& each : found) offsets.insert(offsets.end(), each.begin(), each.end());
    std::sort(offsets.begin(), offsets.end());
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
    return offsets;
}

}  // namespace glsolve::inline v0_1
