/// Colours for the rows of a matrix, so that rows of one colour do not depend on each other.
#pragma once

#include <glsolve/csr.hpp>
#include <vector>

namespace glsolve::inline v0_1 {

struct Colouring {
    std::vector<Index> colour;  ///< of each row, from 0 on
    Index count = 0;
};

/// Greedy, in the order of the rows: each takes the first colour that none of its neighbours has, in A or in its
/// transpose. At most one colour more than the longest row of both together has entries beside the diagonal; colour 0
/// is a maximal independent set. A must be square.
Colouring colour_rows(CsrView A);

}  // namespace glsolve::inline v0_1
