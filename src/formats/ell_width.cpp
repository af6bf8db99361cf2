#include "formats/ell_width.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {

std::vector<Index> rows_with(CsrView A) {
    std::vector<Index> rows_of_length;
    const auto count = [](std::vector<Index>& rows, std::size_t length, Index more) {
        if (length >= rows.size()) rows.resize(length + 1, 0);
        rows[length] += more;
    };
    for (const std::vector<Index>&part : parallel_parts(A.rows, row_grain(A), [&](Offset begin, Offset end) {
             std::vector<Index> rows;
             for (Offset i = begin; i < end; ++i) {
                 const std::span<const Index> columns = A.row(i).columns();
                 count(rows, columns.size() - (std::ranges::binary_search(columns, static_cast<Index>(i)) ? 1 : 0), 1);
             }
             return rows;
         })) {
        for (std::size_t length = 0; length < part.size(); ++length) count(rows_of_length, length, part[length]);
    }
    for (std::size_t j = rows_of_length.size(); j > 1; --j) rows_of_length[j - 2] += rows_of_length[j - 1];
    if (!rows_of_length.empty()) rows_of_length.erase(rows_of_length.begin());  // rows with at least none
    return rows_of_length;
}

int paper_ell_width(const std::vector<Index>& rows_with, Index rows) {
    double nonzeros = 0, slots = 0;
    int width = 0;
    for (const Index count : rows_with) {
        nonzeros += count;
        slots += rows;
        if (width > 0 && nonzeros <= slots / 2) break;  // the first column is ELL's in any case
        ++width;
    }
    return width;
}

int cheapest_ell_width(const std::vector<Index>& rows_with, Index rows, double slot, double entry) {
    // The numbers of rows fall: each column that saves more than it costs stands in front of all that do not.
    const auto pays = [&](Index count) { return entry * count > slot * rows; };
    return static_cast<int>(std::ranges::find_if_not(rows_with, pays) - rows_with.begin());
}

}  // namespace glsolve::inline v0_1
