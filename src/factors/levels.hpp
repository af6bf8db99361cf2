/// Which rows of a triangular system can be solved at the same time.
#pragma once

#include <cstdint>
#include <glsolve/csr.hpp>
#include <span>
#include <vector>

namespace glsolve::inline v0_1 {

enum class Triangle : std::uint8_t { lower, upper };

/// Level scheduling (Saad, Iterative Methods for Sparse Linear Systems, 2nd edition, 2003, section 11.6.3). The rows of
/// a level depend on rows of earlier levels only:
/// level(i) = 0 for a row without entries beside the diagonal, else 1 + the largest level(j) of its entries (i, j).
struct Levels {
    std::vector<Index> level_of_row;
    Index count = 0;                 ///< levels
    std::vector<Index> order;        ///< the rows, level after level, ascending within each
    std::vector<Index> begin = {0};  ///< where each level starts in `order`; count + 1 elements

    Index widest() const;  ///< rows of the largest level
};

/// Of a square triangular matrix. Entries on the diagonal do not count, stored zeros do. Throws InvalidInput for an
/// entry on the other side of the diagonal.
Levels level_sets(CsrView T, Triangle triangle);
/// The same from the places of the entries: row i has the columns column[offsets[i]] ... column[offsets[i+1] - 1].
Levels level_sets(std::span<const Offset> offsets, std::span<const Index> column, Triangle triangle);

}  // namespace glsolve::inline v0_1
