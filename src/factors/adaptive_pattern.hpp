/// Patterns of FSAI that follow the values (C. Janna and M. Ferronato, SIAM J. Sci. Comput. 33 (2011)).
#pragma once

#include <glsolve/csr.hpp>
#include <limits>

#include "factors/fsai.hpp"

namespace glsolve::inline v0_1 {

/// Is d = l_jj^2, a pivot of a Cholesky factor of so many rows, more than rounding leaves of a_jj?
inline bool is_safe_pivot(double d, double a_jj, Offset rows) {
    return d > static_cast<double>(rows) * std::numeric_limits<double>::epsilon() * a_jj && a_jj > 0;
}

/// `start`, with its rows grown by the adaptive steps. Of fsai_pattern: A is symmetric, and both triangles are stored.
SparsityPattern adaptive_pattern(CsrView A, SparsityPattern start, const FsaiOptions& options);

}  // namespace glsolve::inline v0_1
