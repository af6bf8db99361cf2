#include "factors/incomplete.hpp"

#include <cmath>

#include "factors/check_input.hpp"
#include "factors/rows_by_levels.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// For each column where the row at hand holds it; null where it has no place.
using PlaceOfColumn = std::vector<double*>;

class Ilu {
  public:
    Ilu(CsrView A, const FactorPattern& pattern, const FactorOptions& options, Factors& made)
        : A_(A), size_(row_sizes(A)), options_(options), L_(made.L), U_(made.U), D_(made.D) {
        for (auto [T, places] : {std::pair{&L_, &pattern.lower}, std::pair{&U_, &pattern.upper}}) {
            T->rows = T->columns = A.rows;
            T->offsets = places->offsets;
            T->column = places->column;
            T->value.resize(places->column.size());
        }
        D_.resize(static_cast<std::size_t>(A.rows));
    }

    /// One row of the elimination (IKJ). w stands for the row at hand, whose entries are in L, D and U already.
    std::optional<UnsafePivot> make_row(PlaceOfColumn& place, Index i, double shift) {
        const Offset* const l = L_.offsets.data();
        const Offset* const u = U_.offsets.data();
        double& d_i = D_.data()[i];
        load_row(place, i, shift);  // w <- a_i
        double dropped = 0;
        for (Offset e = l[i]; e < l[i + 1]; ++e) {
            const Index k = L_.column.data()[e];
            const double w_k = L_.value.data()[e];
            for (Offset f = u[k]; f < u[k + 1]; ++f) {
                const double fill = -w_k * U_.value.data()[f];  // w_j <- w_j - l_ik d_k u_kj  with  l_ik d_k = w_k
                double* const w_j = place.data()[U_.column.data()[f]];
                if (w_j != nullptr) {
                    *w_j += fill;
                } else {
                    dropped += fill;
                }
            }
            L_.value.data()[e] = w_k / D_.data()[k];  // l_ik
        }
        d_i += options_.modified * dropped;
        if (size_.data()[i] == 0) d_i = 1;  // a row of zeros
        double sum = std::abs(d_i);
        for (Offset f = u[i]; f < u[i + 1]; ++f) sum += std::abs(U_.value.data()[f] /= d_i);  // u_ij = w_j / d_i
        for (Offset e = l[i]; e < l[i + 1]; ++e) sum += std::abs(L_.value.data()[e]);
        clear(place, i);
        // What is not finite must not reach the rows below.
        const bool safe = std::isfinite(sum) && std::abs(d_i) > options_.least_pivot * size_.data()[i];
        return safe ? std::nullopt : std::optional(UnsafePivot{i, d_i});
    }

    const std::vector<double>& sizes() const { return size_; }

  private:
    void load_row(PlaceOfColumn& place, Index i, double shift) {
        place.data()[i] = &D_.data()[i];
        D_.data()[i] = 0;
        for (CsrMatrix* const T : {&L_, &U_}) {
            for (const auto [j, t] : T->row(i)) {
                place.data()[j] = &t;
                t = 0;
            }
        }
        for (const auto [j, a] : A_.row(i)) {
            double* const w_j = place.data()[j];
            if (w_j == nullptr) throw entry_without_place("ILU", i, j);
            *w_j = a;
        }
        D_.data()[i] += shift * shift_direction(D_.data()[i], size_.data()[i]);
    }
    void clear(PlaceOfColumn& place, Index i) const {
        place.data()[i] = nullptr;
        for (const CsrMatrix* const T : {&L_, &U_}) {
            for (const Index j : T->row(i).columns()) place.data()[j] = nullptr;
        }
    }

    CsrView A_;
    const std::vector<double> size_;
    const FactorOptions& options_;
    CsrMatrix &L_, &U_;
    std::vector<double>& D_;
};

}  // namespace

Factors factor_ilu(CsrView A, const FactorPattern& pattern, const FactorOptions& options) {
    check(options, "ILU");
    require_square(A, "ILU");
    require_fitting(pattern, A.rows, false, "ILU");
    Factors made;
    Ilu ilu(A, pattern, options, made);
    const PlaceOfColumn nowhere(static_cast<std::size_t>(A.rows), nullptr);
    with_growing_shifts(made, options, "ILU", ilu.sizes(), [&](double shift) {
        return rows_by_levels(pattern, nowhere,
                              [&](PlaceOfColumn& place, Index i) { return ilu.make_row(place, i, shift); });
    });
    return made;
}

Factors factor_ilu(CsrView A, const FactorOptions& options) {
    check(options, "ILU");
    const FactorPattern pattern = ilu_pattern(A, options.level, most_entries(options, A.nonzeros()));
    if (pattern.failure.empty()) return factor_ilu(A, pattern, options);
    Factors none;
    none.failure = "ILU: " + pattern.failure;
    return none;
}

}  // namespace glsolve::inline v0_1
