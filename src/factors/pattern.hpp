/// The symbolic phase: where incomplete factors have entries, which depends on the places of a matrix only.
#pragma once

#include <glsolve/csr.hpp>
#include <limits>
#include <string>
#include <vector>

#include "factors/levels.hpp"

namespace glsolve::inline v0_1 {

/// Places of entries in compressed rows: those of a CsrMatrix without the values.
struct Places {
    std::vector<Offset> offsets{0};  ///< rows + 1 elements
    std::vector<Index> column;       ///< strictly ascending in each row

    Index rows() const { return static_cast<Index>(offsets.size() - 1); }
    std::span<const Index> row(Index i) const {
        return {column.data() + offsets.data()[i], column.data() + offsets.data()[i + 1]};
    }
};

Places places_of(CsrView A);
/// Of the strictly lower triangle of a square matrix and its transpose: those of a symmetric matrix without diagonal.
Places places_of_symmetric(CsrView A);
/// The columns become the rows. `from`, where it is asked for, tells for each place which one it was.
Places transposed(const Places& places, std::vector<Offset>* from = nullptr);

inline constexpr Offset any_number = std::numeric_limits<Offset>::max();

/// Of level k: (i, j) is a place if its level of fill is at most k, where that of an entry of A is 0, and the
/// elimination makes  level(i, j) = min over m of level(i, m) + level(m, j) + 1  (Saad 2003, section 10.3.3).
struct FactorPattern {
    Places lower, upper;  ///< without the diagonal, which has all its places
    /// For symmetric factors: place e = (i, k) of `lower` mirrors place mirrored[e] = (k, i) of `upper`. Else empty.
    std::vector<Offset> mirrored;
    Levels levels;        ///< of `lower`: rows that can be eliminated at the same time
    std::string failure;  ///< why it has no places (too many), or empty

    Index rows() const { return lower.rows(); }
};

/// For ILU(k) of a square matrix. In parallel. Ends in a failure where L, or U, has more than `most` entries.
FactorPattern ilu_pattern(const Places& A, int level, Offset most = any_number);
FactorPattern ilu_pattern(CsrView A, int level, Offset most = any_number);
/// For IC(k) of a symmetric matrix, of which the second looks at the lower triangle only. In parallel.
FactorPattern ic_pattern(const Places& symmetric, int level, Offset most = any_number);
FactorPattern ic_pattern(CsrView A, int level, Offset most = any_number);

}  // namespace glsolve::inline v0_1
