#include "matrix/survey.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "base/parallel.hpp"
#include "matrix/csr_entries.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Offset entries_at_once = 1 << 13;  // they stay in a core's cache from one question to the next

/// How entries on one side of the diagonal differ from what stands opposite.
struct Differences {
    double most = 0;
    Offset met = 0, beyond = 0;  ///< entries that stand opposite; all entries on the other side

    void add(const Differences& other) {
        most = std::max(most, other.most);
        met += other.met;
        beyond += other.beyond;
    }
};

/// Finds a_ji for one a_ij after the other: most often it stands as far into its row as that of the row before did, for
/// the entry in the same place.
class OppositeEntries {
  public:
    explicit OppositeEntries(CsrView A) : A_(A) {}

    const double* find(Index i, Index j, Offset place_in_row) {
        Offset& expected =
            expected_[static_cast<std::size_t>(std::min<Offset>(place_in_row, std::ssize(expected_) - 1))];
        const Offset begin = A_.offsets[j], guess = begin + expected;
        if (guess < A_.offsets[j + std::size_t{1}] && A_.column[guess] == i) return &A_.value[guess];
        const double* const found = find_entry(A_, j, i);
        if (found != nullptr) expected = found - A_.value.data() - begin;
        return found;
    }

  private:
    CsrView A_;
    std::array<Offset, 32> expected_{};
};

/// Of some rows of a square matrix, in one piece after the other.
class SymmetryOfRows {
  public:
    SymmetryOfRows(CsrView A, bool above) : A_(A), opposites_(A), above_(above) {}

    void look_at(Offset begin, Offset end) {
        for (Offset row = begin; row < end; ++row) {
            const auto i = static_cast<Index>(row);
            for (Offset k = A_.offsets[row]; k < A_.offsets[row + 1]; ++k) {
                const Index j = A_.column[k];
                if (j == i) continue;
                if (above_ != (j > i)) {
                    found_.beyond += 1;
                    continue;
                }
                const double* const opposite = opposites_.find(i, j, k - A_.offsets[row]);
                if (opposite != nullptr) found_.met += 1;
                found_.most = std::max(found_.most, std::abs(A_.value[k] - (opposite != nullptr ? *opposite : 0.0)));
            }
        }
    }
    const Differences& found() const { return found_; }

  private:
    CsrView A_;
    OppositeEntries opposites_;
    bool above_;
    Differences found_;
};

Differences differences_below(CsrView A) {
    Differences all;
    for (const Differences& each : parallel_parts(A.rows, row_grain(A), [&](Offset begin, Offset end) {
             SymmetryOfRows rows(A, false);
             rows.look_at(begin, end);
             return rows.found();
         })) {
        all.add(each);
    }
    return all;
}

/// max |a_ij - a_ji| / max |a_ij|
double asymmetry_of(CsrView A, double largest, const Differences& above) {
    if (A.rows != A.columns) return std::numeric_limits<double>::infinity();
    if (largest == 0) return 0;
    double greatest = above.most;
    // Below the diagonal there is nothing that has not been looked at, unless there is more than was met.
    if (above.beyond > above.met) greatest = std::max(greatest, differences_below(A).most);
    // The ratio is at most 2; it can only seem greater where the difference of two huge values overflowed.
    return std::min(greatest / largest, 2.0);
}

/// Of some rows.
struct SizesOfRows {
    double largest = 0, norm = 0, least_diagonal = std::numeric_limits<double>::infinity();
    bool has_diagonal = true;
    PivotRange diagonal, by_largest;

    void look_at(CsrView A, Offset begin, Offset end) {
        for (Offset i = begin; i < end; ++i) {
            double sum = 0, most = 0, own = 0;
            for (const auto [j, a] : A.row(i)) {
                const double size = std::abs(a);
                sum += size;
                most = std::max(most, size);
                if (j == i) own = a;
            }
            least_diagonal = std::min(least_diagonal, own);
            has_diagonal = has_diagonal && own != 0;
            largest = std::max(largest, most);
            norm = std::max(norm, sum);
            diagonal.add(own != 0 ? std::abs(own) : most);
            by_largest.add(most);
        }
    }
    void add(const SizesOfRows& other) {
        largest = std::max(largest, other.largest);
        norm = std::max(norm, other.norm);
        least_diagonal = std::min(least_diagonal, other.least_diagonal);
        has_diagonal = has_diagonal && other.has_diagonal;
        diagonal.add(other.diagonal);
        by_largest.add(other.by_largest);
    }
};

}  // namespace

MatrixSurvey MatrixSurvey::times(int exponent) const {
    MatrixSurvey made = *this;
    for (double* each : {&made.largest, &made.norm, &made.least_diagonal, &made.diagonal.least, &made.diagonal.most,
                         &made.by_largest.least, &made.by_largest.most})
        *each = std::ldexp(*each, exponent);
    return made;
}

MatrixSurvey survey(CsrView A) {
    check_shape(A);
    struct Part {
        SizesOfRows sizes;
        Differences above;
    };
    const bool is_square = A.rows == A.columns;
    const Offset rows_at_once = std::max<Offset>(entries_at_once * A.rows / std::max<Offset>(A.nonzeros(), 1), 1);
    const auto parts = parallel_parts(A.rows, row_grain(A), [&](Offset first, Offset last) {
        SizesOfRows sizes;
        SymmetryOfRows symmetry(A, true);
        for (Offset begin = first; begin < last; begin += rows_at_once) {
            const Offset end = std::min(begin + rows_at_once, last);
            check_rows(A, begin, end);  // first: the others go where columns say
            sizes.look_at(A, begin, end);
            if (is_square) symmetry.look_at(begin, end);
        }
        return Part{sizes, symmetry.found()};
    });
    Part all;
    for (const Part& each : parts) {
        all.sizes.add(each.sizes);
        all.above.add(each.above);
    }
    const SizesOfRows& sizes = all.sizes;
    return {.largest = sizes.largest,
            .norm = sizes.norm,
            .asymmetry = asymmetry_of(A, sizes.largest, all.above),
            .least_diagonal = sizes.least_diagonal,
            .has_diagonal = sizes.has_diagonal && is_square,
            .diagonal = sizes.diagonal,
            .by_largest = sizes.by_largest};
}

double asymmetry(CsrView A) {
    return A.rows == A.columns ? survey(A).asymmetry : std::numeric_limits<double>::infinity();
}

bool may_be_definite(CsrView A) { return survey(A).may_be_definite(); }

}  // namespace glsolve::inline v0_1
