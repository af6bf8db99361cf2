/// A row under elimination in threshold factorisations: sums at any column, and a list of those that are in use.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <glsolve/csr.hpp>
#include <vector>

namespace glsolve::inline v0_1 {

struct SparseEntry {
    Index column;
    double value;
};

class SparseRow {
  public:
    explicit SparseRow(Index columns)
        : value_(static_cast<std::size_t>(columns), 0.0), used_(static_cast<std::size_t>(columns), 0) {}

    /// w_j <- w_j + a. True if w_j was not in use before.
    bool add(Index j, double a) {
        value_.data()[j] += a;
        if (used_.data()[j] != 0) return false;
        used_.data()[j] = 1;
        return true;
    }
    /// w_j, which is zero and not in use after that.
    double take(Index j) {
        const double w_j = value_.data()[j];
        value_.data()[j] = 0;
        used_.data()[j] = 0;
        return w_j;
    }

  private:
    std::vector<double> value_;
    std::vector<std::uint8_t> used_;
};

/// Leaves the `most` largest entries, in ascending order of their columns, and calls drop(entry) for the others. Of
/// equal sizes the first columns are taken.
template <class Drop>
void keep_largest(std::vector<SparseEntry>& row, std::size_t most, const Drop& drop) {
    if (row.size() > most) {
        const auto end = row.begin() + static_cast<std::ptrdiff_t>(most);
        std::nth_element(row.begin(), end, row.end(), [](const SparseEntry& a, const SparseEntry& b) {
            const double size_a = std::abs(a.value), size_b = std::abs(b.value);
            return size_a != size_b ? size_a > size_b : a.column < b.column;
        });
        std::for_each(end, row.end(), drop);
        row.erase(end, row.end());
    }
    std::sort(row.begin(), row.end(), [](const SparseEntry& a, const SparseEntry& b) { return a.column < b.column; });
}

}  // namespace glsolve::inline v0_1
