/// Direct solves of small matrices in double precision on the host, where single precision is too little.
#pragma once

#include <glsolve/csr.hpp>
#include <glsolve/options.hpp>
#include <glsolve/report.hpp>

#include "refinement/true_residual.hpp"

namespace glsolve::inline v0_1 {

/// So many rows have dense factors on the host in some ten milliseconds.
inline constexpr Index most_rows_on_host = 512;

/// Corrections of the x in `truth`: by triangular factors of A and, where exact arithmetic or these say that A is
/// singular, by orthogonal ones, which give the shortest of the x with the smallest residual. x stays what it is where
/// none of them is better. The report gets the corrections, their history, the outcome and its reason.
///
/// Rows and columns of A are brought to lengths near 1 by powers of two, but where least squares depend on them.
void solve_on_host(CsrView A, TrueResidual& truth, const Options& options, std::int64_t limit, Report& report);

}  // namespace glsolve::inline v0_1
