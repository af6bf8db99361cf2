/// Where the numbers of a matrix stand, as a key of what is kept for such matrices.
#pragma once

#include <glsolve/csr.hpp>
#include <string>

namespace glsolve::inline v0_1 {

/// "matrix 5 rows, 13 nonzeros" and two hashes: of where rows begin, and of columns.
std::string structure_key(CsrView A);

}  // namespace glsolve::inline v0_1
