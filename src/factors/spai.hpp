/// Sparse approximate inverses by least squares (SPAI; M. J. Grote and T. Huckle, SIAM J. Sci. Comput. 18 (1997)), on
/// patterns that are given (E. Chow, SIAM J. Sci. Comput. 21 (2000)) and grow where that helps most.
#pragma once

#include <glsolve/csr.hpp>

#include "factors/inverse_pattern.hpp"

namespace glsolve::inline v0_1 {

struct SpaiOptions {
    InversePattern pattern = {.power = 1, .drop = 0.1};
    /// So many times, each column gets the `entries_a_step` places that lower its residual most (Grote and Huckle,
    /// section 3). From 0 (only `pattern`) to 200,
    /// and at most 2000 places.
    int adaptive_steps = 5;
    int entries_a_step = 5;  ///< from 1 to 100
    /// A column takes no more steps once |A m_k - e_k| is at most this. From 0 to 1.
    double tolerance = 0.3;
};

/// z = M r ~ A^-1 r
struct ApproximateInverse {
    CsrMatrix M;
    Index fallback_columns = 0;  ///< columns that least squares left at zero, and Jacobi's scaling has filled
    double residual = 0;         ///< |A M - I|_F
};

/// The columns of A^p, and what adaptive steps add: row k of this pattern has the places of column k of M.
SparsityPattern spai_pattern(CsrView A, const SpaiOptions& options = {});

/// The M with this pattern that minimises |A M - I|_F: column by column, m_k minimises |A m_k - e_k|. That is the right
/// inverse, for methods that are preconditioned from the right: they iterate with A M, and what is minimised is what
/// they keep of a residual that M was to remove. (The left inverse, min |M A - I|_F, is the transpose of this for A^T.)
/// A need not be symmetric, and M is not in general. Where columns of A depend on each other, a column with fewer
/// entries takes their place. If m_k = 0 is the best, m_kk = 1 / |a_k| with the length of column k, or 1 if that is
/// zero. Throws InvalidInput if A is not square or the pattern does not fit.
ApproximateInverse spai(CsrView A, const SparsityPattern& pattern);
/// The same with spai_pattern(A, options).
ApproximateInverse spai(CsrView A, const SpaiOptions& options = {});

}  // namespace glsolve::inline v0_1
