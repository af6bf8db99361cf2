/// Which unknowns depend strongly on which: the graph that coarsening works on.
///
/// Source:  J. W. Ruge and K. Stüben, Algebraic multigrid, in: Multigrid Methods, SIAM 1987 (classical);
///          P. Vanek, J. Mandel and M. Brezina, Computing 56 (1996) (symmetric).
#pragma once

#include <glsolve/csr.hpp>
#include <span>
#include <vector>

namespace glsolve::inline v0_1 {

/// Row i holds the columns j != i on which i depends strongly, ascending.
struct Strength {
    std::vector<Offset> offsets{0};
    std::vector<Index> column;

    Index size() const { return static_cast<Index>(offsets.size()) - 1; }
    std::span<const Index> row(Index i) const {
        return {column.data() + offsets[i], column.data() + offsets[i + std::size_t{1}]};
    }
};

/// i depends strongly on j where  -a_ij >= threshold * max_k(-a_ik)  (signs as a_ii >= 0 has them; else turned). A row
/// whose entries beside the diagonal all have the diagonal's sign depends on nothing; nobody depends on a zero.
Strength classical_strength(CsrView A, double threshold);

/// i and j depend strongly on each other where  |a_ij| > threshold * sqrt(|a_ii a_jj|).  For symmetric A symmetric.
Strength symmetric_strength(CsrView A, double threshold);

/// Does j depend on i wherever i depends on j?
bool is_symmetric(const Strength& S);

/// What is strong in one of two graphs of the same unknowns.
Strength united(const Strength& S, const Strength& T);

/// Which unknowns depend strongly on i, for each i.
Strength transpose(const Strength& S);

}  // namespace glsolve::inline v0_1
