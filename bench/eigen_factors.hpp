/// Eigen's solvers with incomplete factors, in double precision, with Eigen's own defaults.
#pragma once

#include "solve_rows.hpp"

namespace glsolve::bench {

/// Its version, threads and defaults.
std::string eigen_in_words();

/// BiCGSTAB with IncompleteLUT, which drops what is below 1e-12 of its row and holds 10 times the entries of A.
/// The matrix in Eigen's form is there before the clock starts.
SolveRow eigen_bicgstab(const TestSystem& system, const Aim& aim);
/// ConjugateGradient with IncompleteCholesky: the nonzeros of A, shifted from 1e-3 on.
SolveRow eigen_cg(const TestSystem& system, const Aim& aim);

}  // namespace glsolve::bench
