/// What the sweeps that make incomplete factors on a device need to know of the places of a matrix.
///
/// Source:  E. Chow and A. Patel, Fine-grained parallel incomplete LU factorization, SIAM J. Sci. Comput. 37 (2015),
///          C169-C193, algorithm 2, for the form  C ~ (D + L) D^-1 (D + U)  of the factors:
///              v_ij = c_ij - sum over k < min(i, j) of v_ik v_kj / v_kk     for all places of C
///          with the diagonal D and the triangles L and U of V. A symmetric C has a symmetric V.
#pragma once

#include <cstdint>
#include <glsolve/csr.hpp>
#include <string>
#include <vector>

#include "factors/factors.hpp"

namespace glsolve::inline v0_1 {

/// The places of C, row after row, numbered from 0: ILU(0) has entries there and nowhere else.
struct FixedPointPattern {
    std::vector<Offset> offsets;
    std::vector<Index> column;
    std::vector<std::int32_t> diagonal{};    ///< the place of (i, i) for each row i
    std::vector<std::int32_t> first_term{};  ///< of each place; then how many terms there are
    std::vector<std::int32_t> terms{};       ///< pairs: the places of v_ik and v_kj, by ascending k
    std::string failure{};                   ///< why there is none, or empty

    Index rows() const { return static_cast<Index>(diagonal.size()); }
    std::int32_t places() const { return static_cast<std::int32_t>(column.size()); }
    /// Has C these places?
    bool is_of(CsrView C) const {
        return std::ranges::equal(C.offsets, offsets) && std::ranges::equal(C.column, column);
    }
};

/// Of a square matrix whose rows are sorted. Fails where a row has no place on the diagonal, or where there are more
/// than `most_terms`.
FixedPointPattern fixed_point_pattern(CsrView C, std::int64_t most_terms = std::int64_t{1} << 26);

/// The factors  M = (I + L D^-1) D (I + D^-1 U)  that V stands for.
Factors factors_of(const FixedPointPattern& pattern, const std::vector<double>& v);

}  // namespace glsolve::inline v0_1
