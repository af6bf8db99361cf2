#include "amg/truncation.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace glsolve::inline v0_1 {
namespace {

double sum(const Row& row) {
    return std::accumulate(row.begin(), row.end(), 0.0,
                           [](double s, const RowEntry& entry) { return s + entry.value; });
}

bool larger(const RowEntry& a, const RowEntry& b) {
    const double size_a = std::abs(a.value), size_b = std::abs(b.value);
    return size_a != size_b ? size_a > size_b : a.column < b.column;
}

void drop_smallest(Row& row, Truncation truncation) {
    if (row.empty()) return;
    const double least = truncation.factor * std::abs(std::min_element(row.begin(), row.end(), larger)->value);
    std::erase_if(row, [least](const RowEntry& entry) { return std::abs(entry.value) < least; });
    const auto most = static_cast<std::size_t>(truncation.most);
    if (most == 0 || row.size() <= most) return;
    std::nth_element(row.begin(), row.begin() + truncation.most, row.end(), larger);
    row.resize(most);
}

}  // namespace

void truncate(Row& row, Truncation truncation) {
    const std::size_t size = row.size();
    const double whole = sum(row);
    drop_smallest(row, truncation);
    std::sort(row.begin(), row.end(), [](const RowEntry& a, const RowEntry& b) { return a.column < b.column; });
    if (row.size() == size) return;
    const double rest = sum(row);
    if (rest == 0) return;  // no factor would help
    for (RowEntry& entry : row) entry.value *= whole / rest;
}

}  // namespace glsolve::inline v0_1
