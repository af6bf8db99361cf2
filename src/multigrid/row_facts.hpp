/// What passes find out about the rows of a matrix, and how the largest of all comes back.
#pragma once

#include <array>

#include "device/vectors.hpp"

namespace glsolve::inline v0_1 {

struct RowFacts {
    double bound = 0;  ///< of the spectral radius of D^-1 A: the largest sum of sizes of a row of it
    /// Passes say 1e30 where one is not.
    bool has_positive_diagonal() const { return bound < 1e29; }
};

/// A texel with the largest numbers of x in each of the four components of its texels.
Vector largest_of_texels(Vector x);
/// The same, read; waits.
std::array<float, 4> read_largest(Vector x);

}  // namespace glsolve::inline v0_1
