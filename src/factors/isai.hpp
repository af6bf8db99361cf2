/// Incomplete sparse approximate inverses of unit triangles (ISAI; H. Anzt, T. K. Huckle, J. Braeckle and J. Dongarra,
/// Parallel Comput. 71 (2018)): products in place of triangular solves.
#pragma once

#include <glsolve/csr.hpp>

#include "factors/inverse_pattern.hpp"

namespace glsolve::inline v0_1 {

/// The places of (I + T)^p for a strictly lower or strictly upper T. Entries are small if |t_ij| < drop. The same
/// places serve for other values.
SparsityPattern isai_pattern(CsrView T, const InversePattern& options = {});

/// W ~ (I + L)^-1 for a strictly lower L: (W (I + L))_ij = (I)_ij on the pattern. Its rows end with the 1 of the
/// diagonal. Throws InvalidInput if L is not square and strictly lower, or the pattern is not lower or lacks a
/// diagonal. Overflow leaves values that are not finite. In parallel; no memory is taken for single rows.
CsrMatrix isai_lower(CsrView L, const SparsityPattern& pattern);
CsrMatrix isai_lower(CsrView L, const InversePattern& options = {});

/// The same for I + U with a strictly upper U. Rows begin with the 1 of the diagonal.
CsrMatrix isai_upper(CsrView U, const SparsityPattern& pattern);
CsrMatrix isai_upper(CsrView U, const InversePattern& options = {});

}  // namespace glsolve::inline v0_1
