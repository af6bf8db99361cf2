/// Triangular solves as products: (I + T)^-1 = P_k ... P_2 P_1, one sparse matrix for some levels of rows.
#pragma once

#include <glsolve/csr.hpp>
#include <optional>
#include <vector>

#include "factors/levels.hpp"

namespace glsolve::inline v0_1 {

struct TriangularProductOptions {
    /// Levels join one product while its rows have no more than this times the entries that T has there.
    double most_fill = 2;
    Index most_products = 64;  ///< from 1
};

/// For a strictly triangular T. With the rows of one level, P = I - T there and I elsewhere: that is the solve by
/// levels (Saad 2003, section 11.6.3). Neighbouring levels are multiplied out as long as fill stays small, since many
/// small levels would leave a device idle (partitioned inverses: F. L. Alvarado and R. Schreiber, SIAM J. Sci. Comput.
/// 14, 1993). Exact but for rounding. None where more than `most_products` were needed.
/// Throws InvalidInput for an entry on the other side of the diagonal.
std::optional<std::vector<CsrMatrix>> triangular_products(CsrView T, Triangle triangle,
                                                          const TriangularProductOptions& options = {});

}  // namespace glsolve::inline v0_1
