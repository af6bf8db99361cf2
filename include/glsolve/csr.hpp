/// Sparse matrices on the host, in double precision. Files are read into them, and residuals are tested with them.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <glsolve/export.hpp>
#include <iterator>
#include <span>
#include <vector>

namespace glsolve::inline v0_1 {

/// A row or column index, counted from 0.
using Index = std::int32_t;
/// A position among the nonzeros. There may be more nonzeros than an Index can count.
using Offset = std::int64_t;

/// One entry of a matrix.
struct Triplet {
    Index row = 0;
    Index column = 0;
    double value = 0;
};

/// An entry of a row, with its number in the matrix.
template <class Value>
struct CsrEntry {
    Index column = 0;
    Value& value;
};

/// The entries of a row of a CsrMatrix, by ascending columns:
///
///     for (const auto [j, a] : A.row(i)) sum += a * x[j];
///
/// `Value` is double, and `a` may be written to, or const double. Valid until entries are added or removed.
template <class Value>
class CsrRow {
  public:
    class Iterator {
      public:
        using iterator_concept = std::forward_iterator_tag;
        using iterator_category = std::input_iterator_tag;  // entries are made on the way
        using value_type = CsrEntry<Value>;
        using difference_type = std::ptrdiff_t;

        Iterator() = default;
        Iterator(const Index* column, Value* value) noexcept : column_(column), value_(value) {}
        CsrEntry<Value> operator*() const noexcept { return {*column_, *value_}; }
        Iterator& operator++() noexcept {
            ++column_, ++value_;
            return *this;
        }
        Iterator operator++(int) noexcept {
            const Iterator before = *this;
            ++*this;
            return before;
        }
        friend bool operator==(const Iterator& a, const Iterator& b) noexcept { return a.column_ == b.column_; }

      private:
        const Index* column_ = nullptr;
        Value* value_ = nullptr;
    };

    /// The entries from `first` on, before `end`, of arrays that begin at `column` and `value`.
    CsrRow(const Index* column, Value* value, Offset first, Offset end) noexcept
        : column_(column + first), value_(value + first), size_(static_cast<std::size_t>(end - first)) {}

    Iterator begin() const noexcept { return {column_, value_}; }
    Iterator end() const noexcept { return {column_ + size_, value_ + size_}; }
    std::size_t size() const noexcept { return size_; }
    bool empty() const noexcept { return size_ == 0; }
    /// The k-th entry of the row, counted from 0.
    CsrEntry<Value> operator[](std::size_t k) const noexcept { return {column_[k], value_[k]}; }
    std::span<const Index> columns() const noexcept { return {column_, size_}; }
    std::span<Value> values() const noexcept { return {value_, size_}; }

  private:
    const Index* column_;
    Value* value_;
    std::size_t size_;
};

/// A matrix in compressed sparse rows whose arrays belong to someone else. Row i holds the entries
/// offsets[i] ... offsets[i+1]-1 of `column` and `value`. The columns of a row are strictly ascending. Explicit zeros
/// are allowed and kept.
///
/// Functions that take a CsrView read the arrays during the call only. A Solver that is made with one reads them in
/// place as long as it lives: see its constructor.
struct CsrView {
    Index rows = 0;
    Index columns = 0;
    std::span<const Offset> offsets{};  ///< rows + 1 elements
    std::span<const Index> column{};    ///< one for each nonzero
    std::span<const double> value{};    ///< one for each nonzero

    Offset nonzeros() const { return static_cast<Offset>(value.size()); }

    /// The entries of row i, 0 <= i < rows.
    CsrRow<const double> row(std::integral auto i) const noexcept {
        const Offset* const offset = offsets.data() + i;
        return {column.data(), value.data(), offset[0], offset[1]};
    }
};

/// The same with arrays of its own.
struct CsrMatrix {
    Index rows = 0;
    Index columns = 0;
    std::vector<Offset> offsets{0};  ///< rows + 1 elements
    std::vector<Index> column{};     ///< one for each nonzero
    std::vector<double> value{};     ///< one for each nonzero

    operator CsrView() const noexcept { return {rows, columns, offsets, column, value}; }

    Offset nonzeros() const { return static_cast<Offset>(value.size()); }

    /// The entries of row i, 0 <= i < rows.
    CsrRow<const double> row(std::integral auto i) const noexcept {
        const Offset* const offset = offsets.data() + i;
        return {column.data(), value.data(), offset[0], offset[1]};
    }
    CsrRow<double> row(std::integral auto i) noexcept {
        const Offset* const offset = offsets.data() + i;
        return {column.data(), value.data(), offset[0], offset[1]};
    }
};

/// Copies the arrays.
GLSOLVE_API CsrMatrix copy_of(CsrView A);

/// Builds a matrix from entries in any order. Entries at the same position are added.
/// Throws InvalidInput for a negative size or an entry outside the matrix.
GLSOLVE_API CsrMatrix csr_from_triplets(Index rows, Index columns, std::span<const Triplet> entries);

/// Throws InvalidInput if `A` violates a rule of CsrMatrix or has a value that is not finite. The message names the
/// first violated rule.
GLSOLVE_API void check(CsrView A);

GLSOLVE_API CsrMatrix transpose(CsrView A);

/// y = A x in double precision. x has A.columns elements, y has A.rows elements.
GLSOLVE_API void multiply(CsrView A, std::span<const double> x, std::span<double> y);

/// The diagonal, with min(rows, columns) elements; 0 where no entry is stored.
GLSOLVE_API std::vector<double> diagonal(CsrView A);

/// max |a_ij - a_ji| / max |a_ij|. 0 for a symmetric matrix; infinity for a matrix that is not square. Throws
/// InvalidInput as `check` does.
GLSOLVE_API double asymmetry(CsrView A);

}  // namespace glsolve::inline v0_1
