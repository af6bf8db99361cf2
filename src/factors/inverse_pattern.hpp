/// Where sparse approximate inverses have entries: places of a power of a matrix, without what is small.
#pragma once

#include <cstdint>
#include <glsolve/csr.hpp>
#include <span>
#include <vector>

namespace glsolve::inline v0_1 {

/// Which places an approximate inverse may fill.
struct InversePattern {
    /// p: the places of A^p, from 0 (the diagonal) to 8. An entry of A is reached by a path of one step, an entry of
    /// A^p by one of p steps.
    int power = 1;
    /// tau: paths take no entry with |a_ij| < tau s_i s_j, where s_i = sqrt(|a_ii|); from 0. Stored zeros are never
    /// taken. (E. Chow, SIAM J. Sci. Comput. 21 (2000): a priori patterns of sparsified matrices.)
    double drop = 0;
    /// Entries of a row (of a column for SPAI), with the diagonal; from 1 to 2000. Where there are more, shorter paths
    /// come first, then stronger ones: those with the larger product of |a_ij| / (s_i s_j).
    Index most_entries = 100;
};

/// Places in a square matrix, row by row. The columns of a row are strictly ascending.
struct SparsityPattern {
    std::vector<Offset> offsets{0};  ///< rows + 1 elements
    std::vector<Index> column;

    Index rows() const { return static_cast<Index>(offsets.size() - 1); }
    std::span<const Index> row(Index i) const {
        const Offset* const first = offsets.data() + i;
        return {column.data() + first[0], column.data() + first[1]};
    }
    Index longest_row() const;
    /// A matrix with these places and zeros.
    CsrMatrix zeros() const;
};

enum class PatternPart : std::uint8_t { all, lower, upper };  ///< the triangles have the diagonal

/// s_i = sqrt(|a_ii|); of rows with a zero there, sqrt(max_j |a_ij|); 1 for rows of zeros.
std::vector<double> entry_scale(CsrView A);

/// The places of `part` of A^p; the diagonal is always among them. `scale` has the s_i. Work: at most
/// most_entries^(p-1) times the entries of A. In parallel. Throws InvalidInput if A is not square or an option is out
/// of its range; `function` is who says so.
SparsityPattern power_pattern(CsrView A, std::span<const double> scale, const InversePattern& options, PatternPart part,
                              const char* function);

/// Throws InvalidInput unless the pattern has the rows of the square matrix A and, in each, the diagonal where `part`
/// has it: last in lower triangles, first in upper ones, anywhere in all.
void require_fitting(CsrView A, const SparsityPattern& pattern, PatternPart part, const char* function);

}  // namespace glsolve::inline v0_1
