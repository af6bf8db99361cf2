/// How near a way to apply incomplete factors comes to M^-1, on the host and in double precision.
#pragma once

#include <functional>
#include <vector>

#include "inverses/triangular_factors.hpp"

namespace glsolve::inline v0_1 {

/// z = W r with W ~ M^-1, in the order of the factors.
using ApproximateSolve = std::function<std::vector<double>(const std::vector<double>&)>;

/// How much of a vector is left by v - W M v: 0 where W = M^-1. The largest of some steps of the power method.
double defect(const TriangularFactors& factors, const ApproximateSolve& W);

/// z ~ (I + U)^-1 D^-1 (I + L)^-1 r by so many sweeps  y <- r - L y  on each factor, from y = r.
std::vector<double> solve_by_sweeps(const TriangularFactors& factors, int sweeps, const std::vector<double>& r);

/// A x
std::vector<double> product(CsrView A, const std::vector<double>& x);

}  // namespace glsolve::inline v0_1
