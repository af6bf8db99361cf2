#include "matrix/csr_entries.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {

const double* find_entry(const CsrMatrix& A, Index row, Index column) {
    constexpr std::size_t short_row = 16;  // entries: gone through faster than searched
    const auto entries = A.row(row);
    const std::span<const Index> columns = entries.columns();
    const auto found =
        columns.size() <= short_row ? std::ranges::find(columns, column) : std::ranges::lower_bound(columns, column);
    if (found == columns.end() || *found != column) return nullptr;
    return &entries[static_cast<std::size_t>(found - columns.begin())].value;
}

double entry(const CsrMatrix& A, Index row, Index column) {
    const double* const found = find_entry(A, row, column);
    return found != nullptr ? *found : 0.0;
}

namespace {

/// How entries on one side of the diagonal differ from what stands opposite.
struct Differences {
    double most = 0;
    Offset met = 0, beyond = 0;  ///< entries that stand opposite; all entries on the other side
};

/// Finds a_ji for one a_ij after the other: most often it stands as far into its row as that of the row before did, for
/// the entry in the same place.
class OppositeEntries {
  public:
    explicit OppositeEntries(const CsrMatrix& A) : A_(A) {}

    const double* find(Index i, Index j, Offset place_in_row) {
        Offset& expected =
            expected_[static_cast<std::size_t>(std::min<Offset>(place_in_row, std::ssize(expected_) - 1))];
        const Offset begin = A_.offsets[j], guess = begin + expected;
        if (guess < A_.offsets[j + std::size_t{1}] && A_.column[guess] == i) return &A_.value[guess];
        const double* const found = find_entry(A_, j, i);
        if (found != nullptr) expected = found - A_.value.data() - begin;
        return found;
    }

  private:
    const CsrMatrix& A_;
    std::array<Offset, 32> expected_{};
};

Differences differences(const CsrMatrix& A, bool above) {
    const auto parts = parallel_parts(A.rows, row_grain(A), [&](Offset begin, Offset end) {
        Differences d;
        OppositeEntries opposites(A);
        for (Offset row = begin; row < end; ++row) {
            const auto i = static_cast<Index>(row);
            for (Offset k = A.offsets[row]; k < A.offsets[row + 1]; ++k) {
                const Index j = A.column[k];
                if (j == i) continue;
                if (above != (j > i)) {
                    d.beyond += 1;
                    continue;
                }
                const double* const opposite = opposites.find(i, j, k - A.offsets[row]);
                if (opposite != nullptr) d.met += 1;
                d.most = std::max(d.most, std::abs(A.value[k] - (opposite != nullptr ? *opposite : 0.0)));
            }
        }
        return d;
    });
    Differences all;
    for (const Differences& d : parts) {
        all = {std::max(all.most, d.most), all.met + d.met, all.beyond + d.beyond};
    }
    return all;
}

/// Those of rows begin ... end - 1, in any order; of too many for `most` one more than that.
std::vector<Index> offsets_of_rows(const CsrMatrix& A, Index begin, Index end, std::size_t most, StoredZeros zeros) {
    std::vector<bool> used(static_cast<std::size_t>(A.rows) + static_cast<std::size_t>(A.columns), false);
    std::vector<Index> offsets;
    std::array<Index, 32> seen;  // those of the row before, most often the same
    seen.fill(std::numeric_limits<Index>::min());
    for (Index i = begin; i < end; ++i) {
        const Offset first = A.offsets[i];
        for (Offset k = first; k < A.offsets[i + std::size_t{1}]; ++k) {
            const Index offset = A.column[k] - i;
            Index& before = seen[static_cast<std::size_t>(k - first) % seen.size()];
            if (before == offset) continue;
            auto mark = used[static_cast<std::size_t>(std::int64_t{offset} + A.rows)];  // column - row + rows
            if (!mark && A.value[k] == 0 && zeros == StoredZeros::ignore) continue;
            before = offset;
            if (mark) continue;
            mark = true;
            offsets.push_back(offset);
            if (offsets.size() > most) return offsets;
        }
    }
    return offsets;
}

}  // namespace

double largest_entry(const CsrMatrix& A) {
    return parallel_max(A.value.size(), [&](std::size_t e) { return std::abs(A.value[e]); });
}

double asymmetry(const CsrMatrix& A) {
    return A.rows == A.columns ? asymmetry(A, largest_entry(A)) : std::numeric_limits<double>::infinity();
}

double asymmetry(const CsrMatrix& A, double largest) {
    if (A.rows != A.columns) return std::numeric_limits<double>::infinity();
    if (largest == 0) return 0;
    const Differences above = differences(A, true);
    double greatest = above.most;
    // Below the diagonal there is nothing that has not been looked at, unless there is more than was met.
    if (above.beyond > above.met) greatest = std::max(greatest, differences(A, false).most);
    // The ratio is at most 2; it can only seem greater where the difference of two huge values overflowed.
    return std::min(greatest / largest, 2.0);
}

std::vector<Index> offsets_of_entries(const CsrMatrix& A, std::size_t most, StoredZeros zeros) {
    const auto found = parallel_parts(A.rows, row_grain(A), [&](Offset begin, Offset end) {
        return offsets_of_rows(A, static_cast<Index>(begin), static_cast<Index>(end), most, zeros);
    });
    std::vector<Index> offsets;
    for (const std::vector<Index>& each : found) offsets.insert(offsets.end(), each.begin(), each.end());
    std::sort(offsets.begin(), offsets.end());
    offsets.erase(std::unique(offsets.begin(), offsets.end()), offsets.end());
    return offsets;
}

bool may_be_definite(const CsrMatrix& A) {
    return is_symmetric(A) && std::ranges::all_of(diagonal(A), [](double d) { return d > 0; });
}

}  // namespace glsolve::inline v0_1
