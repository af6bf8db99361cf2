#include "factors/incomplete.hpp"

#include <cmath>
#include <queue>

#include "factors/check_input.hpp"
#include "factors/shifts.hpp"
#include "factors/sparse_row.hpp"

namespace glsolve::inline v0_1 {
namespace {

double norm_of_row(CsrView A, Index i) {
    double sum = 0;
    for (const double a : A.row(i).values()) sum += a * a;
    return std::sqrt(sum);
}

class Ilut {
  public:
    Ilut(CsrView A, const FactorOptions& options, double shift, Factors& made)
        : A_(A),
          options_(options),
          shift_(shift),
          most_(most_in_row(A, options.fill)),
          L_(made.L),
          U_(made.U),
          D_(made.D),
          w_(A.rows),
          row_sum_(static_cast<std::size_t>(A.rows)) {
        for (CsrMatrix* const T : {&L_, &U_}) {
            *T = CsrMatrix{};
            T->rows = T->columns = A.rows;
        }
        D_.clear();
    }

    /// `size` is the largest |a_ij|.
    std::optional<UnsafePivot> make_row(Index i, double size) {
        const double tau_i = options_.drop_tolerance * norm_of_row(A_, i);
        load_row(i, size);
        double dropped = 0;  // what M e lacks of A e in this row
        left_.clear();
        while (!next_.empty()) {
            const Index k = next_.top();  // the smallest column
            next_.pop();
            const double w_k = w_.take(k);
            if (std::abs(w_k) <= tau_i) {
                dropped += w_k;
                continue;
            }
            left_.push_back({k, w_k});
            for (const auto [j, u] : U_.row(k)) add(i, j, -w_k * u);  // w_j <- w_j - l_ik d_k u_kj
        }
        double d_i = w_.take(i);
        right_.clear();
        for (const Index j : columns_right_) {
            const double w_j = w_.take(j);
            if (std::abs(w_j) <= tau_i) {
                dropped += w_j;
            } else {
                right_.push_back({j, w_j});
            }
        }
        // What has been eliminated with w_k goes with it: w_k times row k of I + U.
        keep_largest(left_, most_, [&](const SparseEntry& w) { dropped += w.value * row_sum_.data()[w.column]; });
        keep_largest(right_, most_, [&](const SparseEntry& w) { dropped += w.value; });
        d_i += options_.modified * dropped;
        if (size == 0) d_i = 1;  // a row of zeros
        const double sum = append_row(i, d_i);
        const bool safe = std::isfinite(sum) && std::abs(d_i) > options_.least_pivot * size;
        return safe ? std::nullopt : std::optional(UnsafePivot{i, d_i});
    }

  private:
    static std::size_t most_in_row(CsrView A, double fill) {
        const double p = 1 + fill * static_cast<double>(A.nonzeros()) / (2.0 * std::max(A.rows, 1));
        return static_cast<std::size_t>(std::min<double>(p, A.rows));
    }
    void add(Index i, Index j, double a) {
        if (!w_.add(j, a)) return;
        if (j < i) next_.push(j);
        if (j > i) columns_right_.push_back(j);
    }
    void load_row(Index i, double size) {
        double a_ii = 0;
        columns_right_.clear();
        for (const auto [j, a] : A_.row(i)) {
            if (j == i) a_ii = a;
            add(i, j, a);
        }
        add(i, i, shift_ * shift_direction(a_ii, size));
    }
    /// Returns the sum of the sizes of what is appended.
    double append_row(Index i, double d_i) {
        double sum = std::abs(d_i);
        for (const SparseEntry& w : left_) {
            L_.column.push_back(w.column);
            L_.value.push_back(w.value / D_.data()[w.column]);  // l_ik
            sum += std::abs(L_.value.back());
        }
        double& row_sum = row_sum_.data()[i] = 1;
        for (const SparseEntry& w : right_) {
            U_.column.push_back(w.column);
            U_.value.push_back(w.value / d_i);  // u_ij
            sum += std::abs(U_.value.back());
            row_sum += U_.value.back();
        }
        L_.offsets.push_back(L_.nonzeros());
        U_.offsets.push_back(U_.nonzeros());
        D_.push_back(d_i);
        return sum;
    }

    CsrView A_;
    const FactorOptions& options_;
    const double shift_;
    const std::size_t most_;
    CsrMatrix &L_, &U_;
    std::vector<double>& D_;
    SparseRow w_;
    std::priority_queue<Index, std::vector<Index>, std::greater<>> next_;  // columns left of the diagonal, to eliminate
    std::vector<Index> columns_right_;
    std::vector<SparseEntry> left_, right_;
    std::vector<double> row_sum_;  // of I + U
};

}  // namespace

Factors factor_ilut(CsrView A, const FactorOptions& options) {
    check(options, "ILUT");
    require_square(A, "ILUT");
    const std::vector<double> size = row_sizes(A);
    Factors made;
    const auto attempt = [&](double shift) -> std::optional<UnsafePivot> {
        Ilut ilut(A, options, shift, made);
        for (Index i = 0; i < A.rows; ++i) {
            if (const auto unsafe = ilut.make_row(i, size.data()[i])) return unsafe;
        }
        return std::nullopt;
    };
    with_growing_shifts(made, options, "ILUT", size, attempt);
    return made;
}

}  // namespace glsolve::inline v0_1
