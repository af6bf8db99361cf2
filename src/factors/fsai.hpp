/// Factorised sparse approximate inverses (FSAI; L. Yu. Kolotilina and A. Yu. Yeremin, SIAM J. Matrix Anal. Appl. 14
/// (1993)): triangles with G_U G_L ~ A^-1, whose products are the preconditioner. No triangular solves.
#pragma once

#include <glsolve/csr.hpp>
#include <string>

#include "factors/inverse_pattern.hpp"

namespace glsolve::inline v0_1 {

struct FsaiOptions {
    InversePattern pattern = {.power = 1, .drop = 0.1};
    /// Adaptive patterns (C. Janna and M. Ferronato, SIAM J. Sci. Comput. 33 (2011)): so many times, each row gets the
    /// `entries_a_step` places that lower Kaporin's condition number most. From 0 (only `pattern`) to 200,
    /// and at most 2000 places.
    int adaptive_steps = 20;
    int entries_a_step = 2;  ///< from 1 to 100
    /// A row is done when a step has lowered its g_ii^-2 by less than this part. From 0 to 1.
    double least_gain = 0.01;
};

/// z = upper (lower r) ~ A^-1 r
struct FactorisedInverse {
    CsrMatrix lower;          ///< G_L; its rows end with the diagonal
    CsrMatrix upper;          ///< G_U; its rows begin with the diagonal
    Index fallback_rows = 0;  ///< rows of G_L, and columns of G_U, that are those of Jacobi
    std::string failure;      ///< why there is none; the triangles are empty then. Rows are counted from 1.
};

/// For a symmetric A, of which both triangles are stored: the lower triangle of A^p, and what adaptive steps add.
/// A row takes no more steps once its small matrix is not positive definite to working precision.
SparsityPattern fsai_pattern(CsrView A, const FsaiOptions& options = {});

/// For a symmetric positive definite A: G_L = G and G_U = G^T with (G A)_ij = 0 on the pattern beside the diagonal, and
/// diag(G A G^T) = 1. Of all G with this pattern, up to the lengths of rows, it has the least |I - G L|_F, where
/// A = L L^T. If a_11 < 0, the same for -A, with G_U = -G^T. A failure names the first row whose small matrix is not
/// definite to working precision; then A is not. Reads the lower triangle. Throws InvalidInput if A is not square or
/// the pattern does not fit.
FactorisedInverse fsai(CsrView A, const SparsityPattern& pattern);
/// The same with fsai_pattern(A, options).
FactorisedInverse fsai(CsrView A, const FsaiOptions& options = {});

/// Two steps matter more here than all entries do.
inline constexpr InversePattern usual_nonsymmetric = {.power = 2, .drop = 0.1};

/// For any square A: the lower triangle of (A + A^T)^p; the pattern of G_U is its mirror image.
SparsityPattern nonsymmetric_fsai_pattern(CsrView A, const InversePattern& options = usual_nonsymmetric);

/// For any square A: (G_L A)_ij = 0 on the pattern beside the diagonal, (A G_U)_ij = 0 on its mirror image, and
/// |(G_L)_ii| = |(G_U)_ii|, (G_L A G_U)_ii = 1 where rows did not fall back. For a symmetric positive definite A, this
/// is fsai(A). A row whose small matrix is singular to working precision becomes the one of Jacobi, 1 / sqrt(|a_ii|) on
/// the diagonal (1 for a_ii = 0). There are no other failures. Zeros on
/// the diagonal should be rare: rows are best matched and scaled before.
FactorisedInverse nonsymmetric_fsai(CsrView A, const SparsityPattern& pattern);
/// The same with nonsymmetric_fsai_pattern(A, options).
FactorisedInverse nonsymmetric_fsai(CsrView A, const InversePattern& options = usual_nonsymmetric);

}  // namespace glsolve::inline v0_1
