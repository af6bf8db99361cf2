#include "factors/incomplete.hpp"

#include <fmt/format.h>

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <glsolve/csr.hpp>
#include <vector>

#include "base/parallel.hpp"
#include "factors/check_input.hpp"
#include "factors/invert_block.hpp"
#include "factors/pattern.hpp"
#include "factors/rows_by_levels.hpp"

namespace glsolve::inline v0_1 {
namespace {

// A matrix cut into square blocks of B rows. What the last block lacks is filled up with the identity.

template <int B>
using Block = Eigen::Matrix<double, B, B>;

/// The blocks of a matrix that hold an entry, stored zeros included.
template <int B>
Places block_places(CsrView A) {
    Places made;
    const Index n = A.rows;
    std::vector<Index> row;
    for (Index first = 0; first < n; first += std::min(B, n - first)) {
        row.clear();
        const Offset end = A.offsets.data()[first + std::min(B, n - first)];
        for (Offset e = A.offsets.data()[first]; e < end; ++e) row.push_back(A.column.data()[e] / B);
        std::sort(row.begin(), row.end());
        made.column.insert(made.column.end(), row.begin(), std::unique(row.begin(), row.end()));
        made.offsets.push_back(static_cast<Offset>(made.column.size()));
    }
    return made;
}

/// The places of a pattern of blocks as a matrix of `rows` rows with full blocks, whose values come from
/// block(e) for each place e.
template <int B, class BlockOfPlace>
CsrMatrix scalar_matrix(const Places& places, Index rows, const BlockOfPlace& block) {
    CsrMatrix made;
    made.rows = made.columns = rows;
    made.offsets.reserve(static_cast<std::size_t>(rows) + 1);
    made.column.reserve(places.column.size() * B * B);
    made.value.reserve(places.column.size() * B * B);
    for (Index i = 0; i < rows; ++i) {
        const Index I = i / B;
        for (Offset e = places.offsets.data()[I]; e < places.offsets.data()[I + 1]; ++e) {
            const Index first = places.column.data()[e] * B;
            const Block<B>& a = block(e);
            for (Index c = 0; c < std::min<Index>(B, rows - first); ++c) {
                made.column.push_back(first + c);
                made.value.push_back(a(i % B, c));
            }
        }
        made.offsets.push_back(made.nonzeros());
    }
    return made;
}

/// Of a symmetric matrix from its lower triangle: all of it.
CsrMatrix mirrored(CsrView A) {
    std::vector<Triplet> entries;
    for (Index i = 0; i < A.rows; ++i) {
        for (const auto [j, a] : A.row(i)) {
            if (j > i) break;
            entries.push_back({i, j, a});
            if (j < i) entries.push_back({j, i, a});
        }
    }
    return csr_from_triplets(A.rows, A.rows, entries);
}

/// As the scalar elimination of ilu.cpp and ic.cpp, with blocks W, L, D, U for the numbers w, l, d, u.
template <int B>
class BlockElimination {
  public:
    using Vector = Eigen::Matrix<double, B, 1>;
    using PlaceOfColumn = std::vector<Block<B>*>;

    BlockElimination(CsrView A, const FactorPattern& pattern, const FactorOptions& options, bool symmetric)
        : A_(A),
          pattern_(pattern),
          options_(options),
          symmetric_(symmetric),
          size_(row_sizes(A)),
          L_(pattern.lower.column.size()),
          U_(pattern.upper.column.size()),
          D_(static_cast<std::size_t>(pattern.rows())),
          inverse_D_(D_.size()) {}

    std::optional<UnsafePivot> make_row(PlaceOfColumn& place, Index I, double shift) {
        const Offset* const l = pattern_.lower.offsets.data();
        const Offset* const u = pattern_.upper.offsets.data();
        load_rows(place, I, shift);  // W <- A_I
        Vector dropped = Vector::Zero();
        for (Offset e = l[I]; e < l[I + 1]; ++e) {
            const Index k = pattern_.lower.column.data()[e];
            Block<B>& L_Ik = L_.data()[e];
            // Where factors are symmetric, what is left of the diagonal is known.
            if (symmetric_) L_Ik = U_.data()[pattern_.mirrored.data()[e]].transpose();
            const Block<B> W_k = symmetric_ ? Block<B>(L_Ik * D_.data()[k]) : L_Ik;
            const bool skips = symmetric_ && options_.modified == 0;
            for (Offset f = skips ? pattern_.mirrored.data()[e] : u[k]; f < u[k + 1]; ++f) {
                const Index j = pattern_.upper.column.data()[f];
                Block<B>* const W_j = place.data()[j];
                if (W_j == nullptr) {
                    dropped -= W_k * U_.data()[f].rowwise().sum();
                } else if (!symmetric_ || j >= I) {
                    W_j->noalias() -= W_k * U_.data()[f];  // W_j <- W_j - L_Ik D_k U_kj  with  L_Ik D_k = W_k
                }
            }
            if (!symmetric_) L_Ik = W_k * inverse_D_.data()[k];
        }
        D_.data()[I].diagonal() += options_.modified * dropped;
        const double pivot = invert(I);
        Block<B> sizes = D_.data()[I].cwiseAbs() + inverse_D_.data()[I].cwiseAbs();
        for (Offset f = u[I]; f < u[I + 1]; ++f) {
            U_.data()[f] = inverse_D_.data()[I] * U_.data()[f];  // U_Ij = D_I^-1 W_j
            sizes += U_.data()[f].cwiseAbs();
        }
        for (Offset e = l[I]; e < l[I + 1]; ++e) sizes += L_.data()[e].cwiseAbs();
        clear(place, I);
        const bool safe = std::isfinite(sizes.sum()) && pivot > options_.least_pivot;
        return safe ? std::nullopt : std::optional(UnsafePivot{I * B, pivot});
    }

    const std::vector<double>& sizes() const { return size_; }

    void move_to(BlockFactors& made) const {
        made.L = scalar_matrix<B>(pattern_.lower, A_.rows, [&](Offset e) -> const Block<B>& { return L_.data()[e]; });
        made.U = scalar_matrix<B>(pattern_.upper, A_.rows, [&](Offset e) -> const Block<B>& { return U_.data()[e]; });
        Places diagonal;
        for (Index I = 0; I < pattern_.rows(); ++I) {
            diagonal.column.push_back(I);
            diagonal.offsets.push_back(I + 1);
        }
        made.inverse_D =
            scalar_matrix<B>(diagonal, A_.rows, [&](Offset I) -> const Block<B>& { return inverse_D_.data()[I]; });
    }

  private:
    /// The largest entry of each row of A in block row I; 1 for a row of zeros and one beyond the last.
    Vector sizes_of(Index I) const {
        Vector sizes = Vector::Ones();
        for (Index r = 0; r < std::min<Index>(B, A_.rows - I * B); ++r) {
            if (size_.data()[I * B + r] > 0) sizes[r] = size_.data()[I * B + r];
        }
        return sizes;
    }
    /// Makes D_I^-1 and returns the smallest pivot of D_I, whose rows are divided by their sizes before:
    /// D_I^-1 = (S D_I)^-1 S,  and  S (S D_I S)^-1 S  in symmetric factors, where the pivot is not positive if D_I is
    /// not positive definite.
    double invert(Index I) {
        Vector S = sizes_of(I).cwiseInverse();
        if (symmetric_) S = S.cwiseSqrt();
        const std::span<const double> D_I(D_.data()[I].data(), B * B), s(S.data(), B);
        const std::span<double> inverse(inverse_D_.data()[I].data(), B * B);
        return symmetric_ ? invert_symmetric_block(D_I, s, inverse) : invert_block(D_I, s, inverse);
    }
    void load_rows(PlaceOfColumn& place, Index I, double shift) {
        mark(place, I, true);
        for (Index r = 0; r < B; ++r) {
            const Index i = I * B + r;
            double& a_ii = D_.data()[I](r, r);
            if (i >= A_.rows || size_.data()[i] == 0) {  // a row beyond the last, or of zeros
                a_ii = 1;
                continue;
            }
            for (const auto [j, a] : A_.row(i)) (*place.data()[j / B])(r, j % B) = a;
            const double size = size_.data()[i];
            a_ii += shift * (symmetric_ ? size : shift_direction(a_ii, size));
        }
    }
    void clear(PlaceOfColumn& place, Index I) { mark(place, I, false); }
    /// Sets all places of row I, to zeros; or forgets them.
    void mark(PlaceOfColumn& place, Index I, bool set) {
        const auto each = [&](Index column, Block<B>& block) {
            place.data()[column] = set ? &block : nullptr;
            if (set) block.setZero();
        };
        each(I, D_.data()[I]);
        for (auto [places, blocks] : {std::pair{&pattern_.lower, &L_}, std::pair{&pattern_.upper, &U_}}) {
            for (Offset e = places->offsets.data()[I]; e < places->offsets.data()[I + 1]; ++e) {
                each(places->column.data()[e], blocks->data()[e]);
            }
        }
    }

    CsrView A_;
    const FactorPattern& pattern_;
    const FactorOptions& options_;
    const bool symmetric_;
    const std::vector<double> size_;
    std::vector<Block<B>> L_, U_, D_, inverse_D_;
};

template <int B>
BlockFactors factor(CsrView A, const FactorOptions& options, bool symmetric, const char* function) {
    const Places places = block_places<B>(A);
    // Blocks with few entries each are no fill.
    const Offset most = std::max(std::ssize(places.column), most_entries(options, A.nonzeros()) / (B * B));
    const FactorPattern pattern =
        symmetric ? ic_pattern(places, options.level, most) : ilu_pattern(places, options.level, most);
    BlockFactors made;
    made.block = B;
    made.symmetric = symmetric;
    if (!pattern.failure.empty()) {
        made.failure = fmt::format("{}: {}, in blocks", function, pattern.failure);
        return made;
    }
    BlockElimination<B> elimination(A, pattern, options, symmetric);
    const typename BlockElimination<B>::PlaceOfColumn nowhere(static_cast<std::size_t>(pattern.rows()), nullptr);
    with_growing_shifts(made, options, function, elimination.sizes(), [&](double shift) {
        const auto unsafe = rows_by_levels(pattern, nowhere,
                                           [&](auto& place, Index I) { return elimination.make_row(place, I, shift); });
        if (!unsafe) elimination.move_to(made);
        return unsafe;
    });
    return made;
}

BlockFactors factor(CsrView A, Index b, const FactorOptions& options, bool symmetric, const char* function) {
    if (b == 2) return factor<2>(A, options, symmetric, function);
    if (b == 3) return factor<3>(A, options, symmetric, function);
    if (b == 4) return factor<4>(A, options, symmetric, function);
    throw InvalidInput(fmt::format("{}: blocks of {} rows; they have to have 2, 3 or 4", function, b));
}

}  // namespace

BlockFactors factor_block_ilu(CsrView A, Index b, const FactorOptions& options) {
    check(options, "block ILU");
    require_square(A, "block ILU");
    return factor(A, b, options, false, "block ILU");
}

BlockFactors factor_block_ic(CsrView A, Index b, const FactorOptions& options) {
    check(options, "block IC");
    require_square(A, "block IC");
    if (is_negative(A)) return negated(factor_block_ic(negated(copy_of(A)), b, options));
    return factor(mirrored(A), b, options, true, "block IC");
}

}  // namespace glsolve::inline v0_1
