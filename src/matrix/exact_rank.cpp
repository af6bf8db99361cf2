#include "matrix/exact_rank.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <queue>
#include <utility>
#include <vector>

#include "matrix/csr_entries.hpp"
#include "matrix/minimum_degree.hpp"

namespace glsolve::inline v0_1 {
namespace {

using Residue = std::uint64_t;  // of a division by prime; below prime
constexpr int bits = 61;
constexpr Residue prime = (Residue{1} << bits) - 1;

/// 2^61 = 1 modulo prime: what is above the lowest 61 bits is added to them.
constexpr Residue folded(std::uint64_t a) {
    const Residue sum = (a >> bits) + (a & prime);
    return sum >= prime ? sum - prime : sum;
}

constexpr Residue product(Residue a, Residue b) {
    constexpr std::uint64_t low_half = 0xffffffff;
    const std::uint64_t a1 = a >> 32, a0 = a & low_half, b1 = b >> 32, b0 = b & low_half;
    const std::uint64_t middle = a1 * b0 + a0 * b1, low = a0 * b0;
    // 2^64 = 2^3,  and  2^32 middle = 2^61 (middle >> 29) + 2^32 (the rest of it)
    return folded(((a1 * b1) << 3) + (middle >> 29) + ((middle & ((1u << 29) - 1)) << 32) + (low >> bits)
                  + (low & prime));
}

constexpr Residue difference(Residue a, Residue b) { return a >= b ? a - b : a + (prime - b); }

/// a^(prime - 2) (Fermat)
constexpr Residue inverse(Residue a) {
    Residue result = 1;
    for (Residue exponent = prime - 2; exponent > 0; exponent >>= 1, a = product(a, a)) {
        if ((exponent & 1) != 0) result = product(result, a);
    }
    return result;
}

Residue residue_of(double value) {
    constexpr int digits = 53;
    int exponent = 0;
    const double fraction = std::frexp(std::abs(value), &exponent);
    const auto integer = static_cast<Residue>(std::ldexp(fraction, digits));  // value = integer 2^(exponent - digits)
    const int shift = ((exponent - digits) % bits + bits) % bits;
    const Residue size = product(integer, Residue{1} << shift);
    return value < 0 ? difference(0, size) : size;
}

class Elimination {
  public:
    Elimination(CsrView A, std::span<const double> b, std::int64_t most)
        : A_(A),
          b_(b),
          most_(most),
          pivot_of_column_(b.size() + 1, no_pivot),
          entries_of_column_(b.size(), 0),
          value_(b.size() + 1, 0),
          is_listed_(b.size() + 1, 0) {
        each_entry(A, [&](std::size_t /*i*/, std::size_t j, double /*a*/) { ++entries_of_column_[j]; });
    }

    std::optional<ExactRank> run() {
        bool in_range = true;
        for (const Index row : minimum_degree(A_)) {
            const auto i = static_cast<std::size_t>(row);
            load(i);
            if (!reduce()) return {};
            in_range = keep(i) && in_range;
        }
        return ExactRank{static_cast<Index>(pivots_.size()), in_range};
    }

  private:
    struct Entry {
        std::size_t column;
        Residue value;
    };
    static constexpr std::size_t no_pivot = static_cast<std::size_t>(-1);

    std::size_t b_column() const { return b_.size(); }

    void add(std::size_t column, Residue value) {
        if (is_listed_[column] == 0) {
            is_listed_[column] = 1;
            listed_.push_back(column);
            if (pivot_of_column_[column] != no_pivot) waiting_.push(pivot_of_column_[column]);
        }
        value_[column] = folded(value_[column] + value);
    }

    void load(std::size_t i) {
        for (const auto [j, a] : A_.row(i)) add(static_cast<std::size_t>(j), residue_of(a));
        add(b_column(), residue_of(b_[i]));
    }

    /// The row loses its entry in each column that has a pivot. The row of a pivot has none in the columns of earlier
    /// ones, so they are taken in their order. False: that takes too long.
    bool reduce() {
        while (!waiting_.empty()) {
            const std::vector<Entry>& pivot = pivots_[waiting_.top()];
            waiting_.pop();
            const Residue factor = value_[pivot.front().column];  // the pivot itself is 1
            if (factor == 0) continue;
            work_ += static_cast<std::int64_t>(pivot.size());
            if (work_ > most_) return false;
            for (const Entry& entry : pivot) add(entry.column, difference(0, product(factor, entry.value)));
        }
        return true;
    }

    /// What is left of row i becomes a pivot's row. False: nothing is left of it but of b.
    bool keep(std::size_t i) {
        std::size_t pivot = b_column();
        for (const std::size_t j : listed_) {
            if (value_[j] == 0 || j == b_column()) continue;
            const auto rank = [&](std::size_t column) {  // the diagonal first: the order is made for it
                return std::pair(column != i, entries_of_column_[column]);
            };
            if (pivot == b_column() || rank(j) < rank(pivot)) pivot = j;
        }
        const bool is_solvable = pivot != b_column() || value_[pivot] == 0;
        if (pivot != b_column()) {
            const Residue unit = inverse(value_[pivot]);
            std::vector<Entry> row{{pivot, 1}};
            for (const std::size_t j : listed_) {
                if (value_[j] != 0 && j != pivot) row.push_back({j, product(unit, value_[j])});
            }
            pivot_of_column_[pivot] = pivots_.size();
            pivots_.push_back(std::move(row));
        }
        for (const std::size_t j : listed_) value_[j] = is_listed_[j] = 0;
        listed_.clear();
        return is_solvable;
    }

    CsrView A_;
    std::span<const double> b_;
    std::int64_t most_, work_ = 0;
    std::vector<std::vector<Entry>> pivots_;  // rows, each from its pivot on
    std::vector<std::size_t> pivot_of_column_;
    std::vector<Offset> entries_of_column_;
    // The row that is being reduced, spread out, and its columns.
    std::vector<Residue> value_;
    std::vector<std::uint8_t> is_listed_;
    std::vector<std::size_t> listed_;
    std::priority_queue<std::size_t, std::vector<std::size_t>, std::greater<>> waiting_;  // pivots
};

}  // namespace

std::optional<ExactRank> exact_rank(CsrView A, std::span<const double> b, std::int64_t most) {
    const auto is_finite = [](double value) { return std::isfinite(value); };
    if (!std::ranges::all_of(A.value, is_finite) || !std::ranges::all_of(b, is_finite)) return {};
    return Elimination(A, b, most).run();
}

}  // namespace glsolve::inline v0_1
