#include <fmt/format.h>

#include <atomic>
#include <cmath>
#include <glsolve/csr.hpp>
#include <glsolve/error.hpp>
#include <limits>
#include <utility>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"
#include "matrix/csr_build.hpp"
#include "matrix/csr_entries.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// An entry of the row being sorted; `order` keeps entries at the same place as they came.
struct RowEntry {
    Index column;
    Offset order;
    double value;
};

void sort_row(CsrMatrix& A, Offset begin, Offset end, std::vector<RowEntry>& scratch) {
    if (std::is_sorted(A.column.begin() + begin, A.column.begin() + end)) return;
    scratch.clear();
    for (Offset k = begin; k < end; ++k) scratch.push_back({A.column[k], k, A.value[k]});
    std::sort(scratch.begin(), scratch.end(), [](const RowEntry& a, const RowEntry& b) {
        return a.column != b.column ? a.column < b.column : a.order < b.order;
    });
    for (const RowEntry& entry : scratch) {
        A.column[begin] = entry.column;
        A.value[begin] = entry.value;
        ++begin;
    }
}

/// Moves the sorted entries begin ... end-1 to `kept`, those at the same place added up; returns where the next row
/// goes.
Offset merge_row(CsrMatrix& A, Offset begin, Offset end, Offset kept) {
    const Offset first = kept;
    for (Offset k = begin; k < end; ++k) {
        if (kept > first && A.column[kept - 1] == A.column[k]) {
            A.value[kept - 1] += A.value[k];
        } else {
            A.column[kept] = A.column[k];
            A.value[kept] = A.value[k];
            ++kept;
        }
    }
    return kept;
}

void require(bool holds, const std::string& otherwise) {
    if (!holds) throw InvalidInput(otherwise);
}

void check_size(Index rows, Index columns) {
    if (rows < 0 || columns < 0) {
        throw InvalidInput(
            fmt::format("a matrix cannot have {} rows and {} columns; both have to be 0 or more", rows, columns));
    }
}

void check_offsets(CsrView A) {
    require(A.offsets.size() == static_cast<std::size_t>(A.rows) + 1,
            fmt::format("CSR matrix: {} offsets for {} rows; there has to be one more than rows", A.offsets.size(),
                        A.rows));
    require(A.offsets.front() == 0,
            fmt::format("CSR matrix: the first offset is {}; it has to be 0", A.offsets.front()));
    require(A.column.size() == A.value.size(),
            fmt::format("CSR matrix: {} columns and {} values; there have to be as many of each", A.column.size(),
                        A.value.size()));
    require(A.offsets.back() == A.nonzeros(),
            fmt::format("CSR matrix: the last offset is {}; it has to be the number of nonzeros, {}", A.offsets.back(),
                        A.nonzeros()));
    const auto descent = std::adjacent_find(A.offsets.begin(), A.offsets.end(), std::greater<>());
    if (descent != A.offsets.end()) {
        throw InvalidInput(fmt::format("CSR matrix: row {} ends before it begins ({} to {}); offsets have to ascend",
                                       descent - A.offsets.begin(), *descent, *(descent + 1)));
    }
}

void check_row(CsrView A, Index row) {
    Index previous = -1;
    for (const auto [column, a] : A.row(row)) {
        if (column < 0 || column >= A.columns) {
            throw InvalidInput(
                fmt::format("CSR matrix: row {} has an entry in column {}; columns have to be from 0 to {}", row,
                            column, A.columns - 1));
        }
        if (column <= previous) {
            throw InvalidInput(fmt::format("CSR matrix: in row {} column {} follows column {}; columns have to ascend",
                                           row, column, previous));
        }
        if (!std::isfinite(a)) {
            throw InvalidInput(fmt::format("CSR matrix: the entry at row {}, column {} is {}; values have to be finite",
                                           row, column, a));
        }
        previous = column;
    }
}

}  // namespace

void sort_and_merge_rows(CsrMatrix& A) {
    std::atomic<bool> has_twins = false;
    parallel_for(A.rows, row_grain(A), [&](int, Offset first, Offset last) {
        std::vector<RowEntry> scratch;
        for (Offset row = first; row < last; ++row) {
            const Offset begin = A.offsets[row], end = A.offsets[row + 1];
            sort_row(A, begin, end, scratch);
            const auto columns = A.column.begin();
            if (std::adjacent_find(columns + begin, columns + end) != columns + end) has_twins = true;
        }
    });
    if (!has_twins) return;
    Offset begin = 0;
    Offset kept = 0;
    for (Index row = 0; row < A.rows; ++row) {
        Offset& row_end = A.offsets[row + Offset{1}];
        const Offset end = row_end;
        kept = merge_row(A, begin, end, kept);
        row_end = kept;
        begin = end;
    }
    A.column.resize(kept);
    A.value.resize(kept);
    A.column.shrink_to_fit();
    A.value.shrink_to_fit();
}

CsrMatrix copy_of(CsrView A) {
    CsrMatrix made{.rows = A.rows, .columns = A.columns, .offsets = {}};
    const auto copy = [](const auto& from, auto& to) {
        make_room(to, from.size());
        to.assign(from.begin(), from.end());
    };
    copy(A.offsets, made.offsets);
    copy(A.column, made.column);
    copy(A.value, made.value);
    return made;
}

CsrMatrix csr_from_triplets(Index rows, Index columns, std::span<const Triplet> entries) {
    check_size(rows, columns);
    for (const Triplet& entry : entries) {
        if (entry.row < 0 || entry.row >= rows || entry.column < 0 || entry.column >= columns) {
            throw InvalidInput(
                fmt::format("entry {} is at row {}, column {}, outside the matrix of {} rows and {} "
                            "columns; both are counted from 0",
                            &entry - entries.data(), entry.row, entry.column, rows, columns));
        }
    }
    return assemble_csr(rows, columns, [&](const auto& visit) {
        for (const Triplet& entry : entries) visit(entry.row, entry.column, entry.value);
    });
}

void check(CsrView A) {
    check_shape(A);
    parallel_for(A.rows, row_grain(A), [&](int, Offset begin, Offset end) { check_rows(A, begin, end); });
}

void check_shape(CsrView A) {
    check_size(A.rows, A.columns);
    check_offsets(A);
}

void check_rows(CsrView A, Offset begin, Offset end) {
    for (Offset row = begin; row < end; ++row) check_row(A, static_cast<Index>(row));
}

// A counting sort over the columns. Each range of rows counts its own entries, and is told where those before it end:
// as ranges and rows come in ascending order, so do the columns of each row of the transpose.
CsrMatrix transpose(CsrView A) {
    const auto rows = static_cast<std::size_t>(A.columns);
    // Together the ranges have no more counters than there are entries.
    const Offset grain = std::max(Offset{1} << 13, Offset{A.rows} * A.columns / std::max<Offset>(A.nonzeros(), 1));
    std::vector<std::vector<Offset>> next(static_cast<std::size_t>(parallel_ranges(A.rows, grain)));
    parallel_for(A.rows, grain, [&](int range, Offset begin, Offset end) {
        std::vector<Offset>& count = next[static_cast<std::size_t>(range)];
        count.assign(rows, 0);
        for (Offset k = A.offsets[begin]; k < A.offsets[end]; ++k) ++count[A.column[k]];
    });
    CsrMatrix T;
    T.rows = A.columns;
    T.columns = A.rows;
    T.offsets = filled(rows + 1, Offset{0});
    for (std::size_t row = 0; row < rows; ++row) {
        T.offsets[row + 1] = T.offsets[row];
        for (std::vector<Offset>& each : next) T.offsets[row + 1] += std::exchange(each[row], T.offsets[row + 1]);
    }
    allocate_entries(T);
    parallel_for(A.rows, grain, [&](int range, Offset begin, Offset end) {
        std::vector<Offset>& place = next[static_cast<std::size_t>(range)];
        for (Offset i = begin; i < end; ++i) {
            for (const auto [j, a] : A.row(i)) {
                const Offset at = place[j]++;
                T.column[at] = static_cast<Index>(i);
                T.value[at] = a;
            }
        }
    });
    return T;
}

void multiply(CsrView A, std::span<const double> x, std::span<double> y) {
    if (x.size() != static_cast<std::size_t>(A.columns) || y.size() != static_cast<std::size_t>(A.rows)) {
        throw InvalidInput(
            fmt::format("y = A x with {} elements in x and {} in y; a matrix of {} rows and {} columns "
                        "takes {} in x and gives {} in y",
                        x.size(), y.size(), A.rows, A.columns, A.columns, A.rows));
    }
    parallel_rows(A, [&](std::size_t row) {
        double sum = 0;
        for (const auto [j, a] : A.row(row)) sum += a * x[j];
        y[row] = sum;
    });
}

std::vector<double> diagonal(CsrView A) {
    std::vector<double> result = filled(static_cast<std::size_t>(std::min(A.rows, A.columns)), 0.0);
    constexpr Offset grain = usual_grain / 8;  // each looks at some numbers of its row
    parallel_each(result.size(), grain,
                  [&](std::size_t i) { result[i] = entry(A, static_cast<Index>(i), static_cast<Index>(i)); });
    return result;
}

}  // namespace glsolve::inline v0_1
