/// An order of rows and unknowns in which factors of a matrix have few nonzeros.
#pragma once

#include <glsolve/csr.hpp>
#include <vector>

namespace glsolve::inline v0_1 {

/// Approximate minimum degree (P. R. Amestoy, T. A. Davis and I. S. Duff, SIAM J. Matrix Anal. Appl. 17, 1996), by
/// Eigen. Of A + A^T where A is not symmetric; only the places of entries count. Entry k names the row that comes to
/// place k. A must be square. Throws InvalidInput where it has more than 2^30 entries.
std::vector<Index> minimum_degree(CsrView A);

}  // namespace glsolve::inline v0_1
