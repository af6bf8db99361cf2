/// Orders of rows and unknowns in which nonzeros stand near the diagonal.
#pragma once

#include <glsolve/csr.hpp>
#include <vector>

namespace glsolve::inline v0_1 {

/// Reverse Cuthill-McKee, each part of the graph from a node far out (E. Cuthill and J. McKee, Proc. 24th ACM National
/// Conference, 1969; A. George and J. Liu, ACM Trans. Math. Software 5, 1979). Of A + A^T where A is not symmetric.
/// Entry k names the row that comes to place k. A must be square.
std::vector<Index> reverse_cuthill_mckee(CsrView A);

/// The largest |i - j| of a nonzero.
Index bandwidth(CsrView A);

}  // namespace glsolve::inline v0_1
