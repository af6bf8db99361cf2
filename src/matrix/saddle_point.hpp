/// Saddle points: symmetric matrices with a block of zeros on the diagonal.
#pragma once

#include <cstdint>
#include <glsolve/csr.hpp>
#include <string>
#include <vector>

namespace glsolve::inline v0_1 {

/// (A, B^T; B, -C), its unknowns in any order; mostly C = 0.
struct SaddlePoint {
    std::vector<bool> is_second;          ///< is the unknown one of the second block?
    bool first_is_like_diagonal = false;  ///< A is like D = diag(A): beside that its rows have little
    std::string why_not = {};             ///< in words; empty: it is a saddle point
};

/// The second block is the rows with zeros on the diagonal, which must not be coupled with each other; all other rows
/// need a positive diagonal. With `first_rows` above 0 it is all rows but the first ones, and no number on the diagonal
/// may be positive there. Says so of what is no saddle point. K must be square.
SaddlePoint saddle_point(CsrView K, std::int64_t first_rows = 0);

/// What a block-diagonal preconditioner inverts in place of K (M. Benzi, G. H. Golub and J. Liesen, Acta Numerica 14,
/// 2005, section 10.1), with D = diag(A):
///     (A, 0; 0, diag(C + B D^-1 B^T))  where A is like a Laplacian: B A^-1 B^T is then like a diagonal (Stokes),
///     (D, 0; 0, C + B D^-1 B^T)        where A is like D (mass matrices: Darcy, constraints).
/// Symmetric positive definite, for C that is at least semi-definite, and B of full rank where C = 0.
CsrMatrix saddle_substitute(CsrView K, const SaddlePoint& blocks);

}  // namespace glsolve::inline v0_1
