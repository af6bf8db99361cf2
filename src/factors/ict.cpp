#include "factors/incomplete.hpp"

#include <cmath>
#include <numeric>

#include "factors/check_input.hpp"
#include "factors/shifts.hpp"
#include "factors/sparse_row.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// The upper triangle with the diagonal of the symmetric matrix whose lower triangle is that of A.
CsrMatrix upper_triangle(CsrView A) {
    std::vector<Triplet> entries;
    for (Index i = 0; i < A.rows; ++i) {
        for (const auto [j, a] : A.row(i)) {
            if (j <= i) entries.push_back({j, i, a});
        }
    }
    return csr_from_triplets(A.rows, A.rows, entries);
}

/// For each column the rows of U that go on there: those made so far, each in the list of its first column that has not
/// been eliminated yet.
class RowsOfColumn {
  public:
    explicit RowsOfColumn(Index n) : first_(static_cast<std::size_t>(n), none), next_(first_) {}

    void insert(Index column, Index row) {
        next_.data()[row] = first_.data()[column];
        first_.data()[column] = row;
    }
    /// visit(row), which may insert that row elsewhere.
    template <class Visit>
    void each(Index column, const Visit& visit) const {
        for (Index row = first_.data()[column]; row != none;) {
            const Index then = next_.data()[row];
            visit(row);
            row = then;
        }
    }

  private:
    static constexpr Index none = -1;
    std::vector<Index> first_, next_;
};

class Ict {
  public:
    Ict(CsrView upper, std::span<const double> size, const FactorOptions& options, double shift, Factors& made)
        : A_(upper),
          size_(size),
          options_(options),
          shift_(shift),
          U_(made.U),
          D_(made.D),
          w_(upper.rows),
          rows_(upper.rows),
          at_(size.size()),
          lost_(size.size(), 0.0) {
        // All of A has the entries of its upper triangle twice, but for the diagonal.
        const double n = std::max(upper.rows, 1);
        const double p = 1 + options.fill * (2 * static_cast<double>(upper.nonzeros()) - n) / (2 * n);
        most_ = static_cast<std::size_t>(std::min(std::max(p, 1.0), n));
        U_ = CsrMatrix{};
        U_.rows = U_.columns = upper.rows;
        D_.clear();
    }

    std::optional<UnsafePivot> make_row(Index i) {
        columns_.clear();
        w_.add(i, shift_ * size_.data()[i]);
        for (const auto [j, a] : A_.row(i)) add(i, j, a);
        rows_.each(i, [&](Index k) {
            const Offset end = U_.offsets.data()[k + 1];
            const double w_k = D_.data()[k] * U_.value.data()[at_.data()[k]];  // l_ik d_k
            for (Offset f = at_.data()[k]; f < end; ++f) {
                add(i, U_.column.data()[f], -w_k * U_.value.data()[f]);  // w_j <- w_j - l_ik d_k u_kj
            }
            go_on(k);
        });
        double d_i = w_.take(i) + lost_.data()[i];
        const auto drop = [&](const SparseEntry& w) {
            d_i += options_.modified * w.value;
            lost_.data()[w.column] += options_.modified * w.value;
        };
        right_.clear();
        for (const Index j : columns_) {
            const SparseEntry w{j, w_.take(j)};
            if (std::abs(w.value) <= options_.drop_tolerance * std::sqrt(size_.data()[i] * size_.data()[j])) {
                drop(w);
            } else {
                right_.push_back(w);
            }
        }
        keep_largest(right_, most_, drop);
        if (size_.data()[i] == 0) d_i = 1;  // a row of zeros
        const double sum = append_row(i, d_i);
        const bool safe = std::isfinite(sum) && d_i > options_.least_pivot * size_.data()[i];
        return safe ? std::nullopt : std::optional(UnsafePivot{i, d_i});
    }

  private:
    void add(Index i, Index j, double a) {
        if (w_.add(j, a) && j != i) columns_.push_back(j);
    }
    /// Row k of U waits for its next column.
    void go_on(Index k) {
        const Offset f = ++at_.data()[k];
        if (f < U_.offsets.data()[k + 1]) rows_.insert(U_.column.data()[f], k);
    }
    double append_row(Index i, double d_i) {
        double sum = d_i;
        for (const SparseEntry& w : right_) {
            U_.column.push_back(w.column);
            U_.value.push_back(w.value / d_i);  // u_ij
            sum += std::abs(U_.value.back());
        }
        at_.data()[i] = U_.offsets.back() - 1;
        U_.offsets.push_back(U_.nonzeros());
        D_.push_back(d_i);
        go_on(i);
        return sum;
    }

    CsrView A_;
    std::span<const double> size_;
    const FactorOptions& options_;
    const double shift_;
    std::size_t most_;
    CsrMatrix& U_;
    std::vector<double>& D_;
    SparseRow w_;
    RowsOfColumn rows_;
    std::vector<Offset> at_;    // of each row of U, its first entry whose column has not been eliminated
    std::vector<double> lost_;  // what was dropped in this column of the rows above, for the diagonal
    std::vector<Index> columns_;
    std::vector<SparseEntry> right_;
};

}  // namespace

Factors factor_ict(CsrView A, const FactorOptions& options) {
    check(options, "ICT");
    require_square(A, "ICT");
    if (is_negative(A)) return negated(factor_ict(negated(copy_of(A)), options));
    const CsrMatrix upper = upper_triangle(A);
    const std::vector<double> size = row_sizes_of_symmetric(A);
    Factors made;
    made.symmetric = true;
    const auto attempt = [&](double shift) -> std::optional<UnsafePivot> {
        Ict ict(upper, size, options, shift, made);
        for (Index i = 0; i < A.rows; ++i) {
            if (const auto unsafe = ict.make_row(i)) return unsafe;
        }
        made.L = transpose(made.U);
        return std::nullopt;
    };
    with_growing_shifts(made, options, "ICT", size, attempt);
    return made;
}

}  // namespace glsolve::inline v0_1
