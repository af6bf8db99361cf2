#include "matrix/empty_lines.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"
#include "matrix/csr_entries.hpp"

namespace glsolve::inline v0_1 {
namespace {

std::vector<Index> where_zero(std::span<const char> marks) {
    std::vector<Index> found;
    for (std::size_t i = 0; i < marks.size(); ++i) {
        if (marks[i] == 0) found.push_back(static_cast<Index>(i));
    }
    return found;
}

}  // namespace

EmptyLines empty_lines(CsrView A) {
    std::vector<char> in_row(static_cast<std::size_t>(A.rows), 0), in_column(static_cast<std::size_t>(A.columns), 0);
    each_entry(A, [&](std::size_t i, std::size_t j, double value) {
        if (value != 0) in_row[i] = in_column[j] = 1;
    });
    return {.rows = where_zero(in_row), .columns = where_zero(in_column)};
}

bool is_empty_row(CsrView A, Index row) {
    return std::ranges::all_of(A.row(row).values(), [](double a) { return a == 0; });
}

std::vector<Position> positions_for(const EmptyLines& lines) {
    std::vector<Index> rows, columns;  // empty without their namesakes
    std::ranges::set_difference(lines.rows, lines.columns, std::back_inserter(rows));
    std::ranges::set_difference(lines.columns, lines.rows, std::back_inserter(columns));
    std::vector<Position> positions;
    for (const Index i : lines.rows) {
        if (std::ranges::binary_search(lines.columns, i)) positions.push_back({i, i});
    }
    for (std::size_t k = 0; k < rows.size(); ++k) {
        positions.push_back({rows[k], k < columns.size() ? columns[k] : rows[k]});
    }
    return positions;
}

double divisor(CsrView A, std::span<const double> scale, std::size_t i) {
    const auto row = static_cast<Index>(i);
    const double a = entry(A, row, row);
    return a == 0 && is_empty_row(A, row) ? 1 : scale[i] * a * scale[i];
}

std::vector<double> divisors(CsrView A, std::span<const double> scale) {
    std::vector<double> d = filled(static_cast<std::size_t>(A.rows), 0.0);
    parallel_rows(A, [&](std::size_t i) { d[i] = divisor(A, scale, i); });
    return d;
}

std::optional<Index> row_without_divisor(CsrView A) {
    if (A.rows != A.columns) return std::nullopt;
    const std::vector<double> d = diagonal(A);
    for (std::size_t i = 0; i < d.size(); ++i) {
        if (d[i] == 0 && !is_empty_row(A, static_cast<Index>(i))) return static_cast<Index>(i);
    }
    return std::nullopt;
}

bool has_divisors(CsrView A) {
    const std::vector<double> d = diagonal(A);
    return !parallel_any(d.size(), [&](std::size_t i) { return d[i] == 0 && !is_empty_row(A, static_cast<Index>(i)); });
}

}  // namespace glsolve::inline v0_1
