/// The inverse of one small block. One file compiles Eigen's factors, once for all sizes: for each size by itself they
/// take longer to compile than the rest of block ILU.
#pragma once

#include <span>

namespace glsolve::inline v0_1 {

/// D^-1 = (S D)^-1 S  for a b x b block, column by column, and a diagonal S > 0, b up to 4. Returns the size of the
/// smallest pivot of S D, whose rows and columns are pivoted.
double invert_block(std::span<const double> D, std::span<const double> S, std::span<double> inverse);

/// D^-1 = S (S D S)^-1 S  for a symmetric one, with pivots of the diagonal; the smallest one is not positive if D is
/// not positive definite.
double invert_symmetric_block(std::span<const double> D, std::span<const double> S, std::span<double> inverse);

}  // namespace glsolve::inline v0_1
