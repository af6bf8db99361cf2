/// How many nonzeros of each row a hybrid format keeps in ELL.
#pragma once

#include <glsolve/csr.hpp>
#include <vector>

namespace glsolve::inline v0_1 {

/// For each j from 1 on the rows with at least j nonzeros beside the diagonal: entry j - 1.
std::vector<Index> rows_with(CsrView A);

/// The rule of Cheng (2018), section 1.4: column j joins ELL while the first j columns hold more nonzeros than half of
/// their slots.
int paper_ell_width(const std::vector<Index>& rows_with, Index rows);

/// The width that has the fewest bytes to fetch: a slot costs `slot` for each row, a nonzero elsewhere `entry`. As they
/// are: texels of predict_ell, and of csr.cpp.
int cheapest_ell_width(const std::vector<Index>& rows_with, Index rows, double slot = 6 / 4.0, double entry = 12 / 4.0);

}  // namespace glsolve::inline v0_1
