#include "factors/incomplete.hpp"

#include <cmath>

#include "factors/check_input.hpp"
#include "factors/rows_by_levels.hpp"

namespace glsolve::inline v0_1 {
namespace {

using PlaceOfColumn = std::vector<double*>;

class Ic {
  public:
    Ic(CsrView A, const FactorPattern& pattern, const FactorOptions& options, Factors& made)
        : A_(A),
          pattern_(pattern),
          size_(row_sizes_of_symmetric(A)),
          options_(options),
          L_(made.L),
          U_(made.U),
          D_(made.D) {
        for (auto [T, places] : {std::pair{&L_, &pattern.lower}, std::pair{&U_, &pattern.upper}}) {
            T->rows = T->columns = A.rows;
            T->offsets = places->offsets;
            T->column = places->column;
            T->value.resize(places->column.size());
        }
        D_.resize(static_cast<std::size_t>(A.rows));
    }

    /// D <- the diagonal of A with its shift, U <- its upper triangle, which is the lower one transposed.
    void load(double shift) {
        parallel_for(A_.rows, row_grain(A_), [&](int, Offset begin, Offset end) {
            for (Offset i = begin; i < end; ++i) load_row(static_cast<Index>(i), shift);
        });
    }

    /// One row of U by the elimination of IKJ form, to the right of the diagonal only: what is left of it is known,
    /// u_ki being l_ik. w stands for the row at hand, whose entries are in D and U already.
    std::optional<UnsafePivot> make_row(PlaceOfColumn& place, Index i) {
        const Offset* const l = L_.offsets.data();
        const Offset* const u = U_.offsets.data();
        double& d_i = D_.data()[i];
        mark(place, i);
        double dropped = 0;
        for (Offset e = l[i]; e < l[i + 1]; ++e) {
            const Index k = L_.column.data()[e];
            const Offset ki = pattern_.mirrored.data()[e];
            const double l_ik = U_.value.data()[ki];
            const double w_k = l_ik * D_.data()[k];
            // What is dropped at (i, j) is dropped at (j, i) as well: j < i matters for the diagonal.
            for (Offset f = options_.modified > 0 ? u[k] : ki; f < u[k + 1]; ++f) {
                const double fill = -w_k * U_.value.data()[f];  // w_j <- w_j - l_ik d_k u_kj
                double* const w_j = place.data()[U_.column.data()[f]];
                if (w_j == nullptr) {
                    dropped += fill;
                } else if (f >= ki) {
                    *w_j += fill;
                }
            }
            L_.value.data()[e] = l_ik;
        }
        d_i += options_.modified * dropped;
        if (size_.data()[i] == 0) d_i = 1;  // a row of zeros
        double sum = d_i;
        for (Offset f = u[i]; f < u[i + 1]; ++f) sum += std::abs(U_.value.data()[f] /= d_i);  // u_ij = w_j / d_i
        clear(place, i);
        const bool safe = std::isfinite(sum) && d_i > options_.least_pivot * size_.data()[i];
        return safe ? std::nullopt : std::optional(UnsafePivot{i, d_i});
    }

    const std::vector<double>& sizes() const { return size_; }

  private:
    void load_row(Index i, double shift) {
        D_.data()[i] = shift * size_.data()[i];
        Offset e = L_.offsets.data()[i];
        const Offset end = L_.offsets.data()[i + 1];
        for (const auto [j, a] : A_.row(i)) {
            if (j > i) break;
            if (j == i) {
                D_.data()[i] += a;
                break;
            }
            for (; e < end && L_.column.data()[e] < j; ++e) upper(e) = 0;
            if (e == end || L_.column.data()[e] != j) throw entry_without_place("IC", i, j);
            upper(e++) = a;
        }
        for (; e < end; ++e) upper(e) = 0;
    }
    double& upper(Offset e) { return U_.value.data()[pattern_.mirrored.data()[e]]; }

    /// The places left of the diagonal are marked to tell them from none.
    void mark(PlaceOfColumn& place, Index i) {
        place.data()[i] = &D_.data()[i];
        for (CsrMatrix* const T : {&L_, &U_}) {
            for (const auto [j, t] : T->row(i)) place.data()[j] = &t;
        }
    }
    void clear(PlaceOfColumn& place, Index i) const {
        place.data()[i] = nullptr;
        for (const CsrMatrix* const T : {&L_, &U_}) {
            for (const Index j : T->row(i).columns()) place.data()[j] = nullptr;
        }
    }

    CsrView A_;
    const FactorPattern& pattern_;
    const std::vector<double> size_;
    const FactorOptions& options_;
    CsrMatrix &L_, &U_;
    std::vector<double>& D_;
};

}  // namespace

Factors factor_ic(CsrView A, const FactorPattern& pattern, const FactorOptions& options) {
    check(options, "IC");
    require_square(A, "IC");
    require_fitting(pattern, A.rows, true, "IC");
    if (is_negative(A)) return negated(factor_ic(negated(copy_of(A)), pattern, options));
    Factors made;
    made.symmetric = true;
    Ic ic(A, pattern, options, made);
    const PlaceOfColumn nowhere(static_cast<std::size_t>(A.rows), nullptr);
    with_growing_shifts(made, options, "IC", ic.sizes(), [&](double shift) {
        ic.load(shift);
        return rows_by_levels(pattern, nowhere, [&](PlaceOfColumn& place, Index i) { return ic.make_row(place, i); });
    });
    return made;
}

Factors factor_ic(CsrView A, const FactorOptions& options) {
    check(options, "IC");
    const FactorPattern pattern = ic_pattern(A, options.level, most_entries(options, A.nonzeros()));
    if (pattern.failure.empty()) return factor_ic(A, pattern, options);
    Factors none;
    none.failure = "IC: " + pattern.failure;
    return none;
}

}  // namespace glsolve::inline v0_1
