/// Systems for the solvers, and the truth about answers.
#pragma once

#include <glsolve/csr.hpp>
#include <string>
#include <vector>

namespace glsolve::test {

struct Problem {
    std::string name;
    CsrMatrix A;
    bool definite = false;  ///< symmetric positive definite
    bool grid = false;      ///< ... 5-point or 7-point, and nothing beside the diagonal is positive
};

/// Symmetric positive definite systems, small enough for a software renderer that is slow.
std::vector<Problem> spd_problems();

/// Systems that are not symmetric, or not definite, but not singular.
std::vector<Problem> other_problems();

/// Both.
std::vector<Problem> all_problems();

/// Blocks (0 a; -a 0) with a = 1, 3, 5, ... : x and A x are orthogonal, whatever x is. For an even n.
CsrMatrix skew_symmetric(Index n);

/// |b - A x| / |b| in plain double precision, whose own rounding is about 1e-16 for answers that are exact; |A x| when
/// b = 0.
double true_residual(CsrView A, const std::vector<double>& x, const std::vector<double>& b);
/// The same, exact but for the last rounding, for answers that are long.
double exact_residual(CsrView A, const std::vector<double>& x, const std::vector<double>& b);

/// b = A x* with the known random x*.
std::vector<double> matching_right_hand_side(CsrView A);

}  // namespace glsolve::test
