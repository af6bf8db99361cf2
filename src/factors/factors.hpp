/// Incomplete factors of a square matrix: what they are, what they are made by, and what they solve.
///
/// All formulas are those of unit triangles,
///     A ~ M = (I + L) D (I + U),
/// so that z = M^-1 r is  y = r - L y,  D v = y,  z = v - U z:  substitutions, or sweeps of Jacobi's, without a
/// division by a diagonal.
///
/// The matrix is one that others have scaled and ordered. A diagonal entry that is not stored is a zero. A row that
/// holds nothing but zeros has the pivot 1 and no entries beside it.
#pragma once

#include <glsolve/csr.hpp>
#include <span>
#include <string>
#include <vector>

namespace glsolve::inline v0_1 {

struct FactorOptions {
    int level = 0;  ///< k of ILU(k) and IC(k), from 0
    /// Of ILU(k) and IC(k): L, or U, with more than this times the entries of A ends in a failure. A long row or two
    /// are enough for that.
    double most_fill = 10;
    double drop_tolerance = 1e-3;  ///< tau of ILUT and ICT, from 0 (nothing is dropped)
    /// Of ILUT and ICT: what L, and what U, may hold in each row is  p = 1 + fill entries(A) / (2 rows),  rounded down.
    /// L and U have together about `fill` times the entries of A at most, as with Eigen's and SuperLU's fill factor.
    double fill = 10;
    /// How much of what is dropped is added to the diagonal, from 0 to 1. With 1, M has the row sums of A (MILU, MIC).
    double modified = 0;
    double shift = 0;        ///< the first to be tried, from 0
    int most_attempts = 24;  ///< from 1; each doubles the shift
    /// A pivot is too small if it is not larger than this times the largest entry of its row of A.
    double least_pivot = 1e-8;
    /// With a larger |z_i| of z = M^-1 (|a_1|, ..., |a_n|), where |a_i| is the largest size in row i, factors are as
    /// bad as with a pivot that is too small: their triangular solves are unstable.
    double most_growth = 1e12;
};

/// A failure of numbers, as opposed to wrong input, is told in `failure`: L, D and U are then of no use.
struct Factors {
    CsrMatrix L;            ///< strictly lower
    std::vector<double> D;  ///< the pivots, none of them zero
    CsrMatrix U;            ///< strictly upper; L^T where the factors are symmetric
    bool symmetric = false;
    /// What was factored is  A + shift diag(e_i |a_i|)  with the largest size |a_i| in row i; e_i is the sign of a_ii
    /// (1 for a zero). Symmetric factors need pivots of one sign, and e_i is that for all i: negative where the
    /// diagonal has negative entries and no positive ones. 0: A itself.
    double shift = 0;
    int attempts = 0;       ///< factorisations made until the pivots were safe
    std::string failure{};  ///< why there are no factors, or empty

    Offset nonzeros() const;  ///< of L, D and U
    /// What a user should know: the failure, or the shift; empty if A itself was factored.
    std::string remark() const;
};

/// z = M^-1 r. Both have L.rows elements; they may be the same.
void solve(const Factors& M, std::span<const double> r, std::span<double> z);

/// The largest |z_i| of z = M^-1 e with e = (1, ..., 1): where it is huge, the triangular solves are unstable, even if
/// all pivots are safe (E. Chow and Y. Saad, J. Comput. Appl. Math. 86, 1997, section 3). Infinity where it is not
/// finite.
double estimate_of_inverse(const Factors& M);

Factors negated(Factors M);  ///< those of -A

}  // namespace glsolve::inline v0_1
