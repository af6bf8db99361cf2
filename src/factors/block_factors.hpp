/// Incomplete factors whose entries are square blocks of b rows:  A ~ M = (I + L) D (I + U)  with block-diagonal D.
#pragma once

#include <glsolve/csr.hpp>
#include <span>
#include <string>
#include <vector>

namespace glsolve::inline v0_1 {

/// Block I holds the rows b I ... b I + b - 1; the last one may be smaller. `failure` as in Factors.
struct BlockFactors {
    Index block = 0;      ///< b
    CsrMatrix L;          ///< strictly lower by blocks; each block is full, zeros included
    CsrMatrix inverse_D;  ///< D^-1, whose blocks on the diagonal are full
    CsrMatrix U;          ///< strictly upper by blocks, full; L^T where the factors are symmetric
    bool symmetric = false;
    double shift = 0;  ///< what was factored is  A + shift diag(e_i |a_i|),  as in Factors
    int attempts = 0;
    std::string failure;

    Offset nonzeros() const;     ///< of L, D^-1 and U
    std::string remark() const;  ///< as that of Factors
};

/// z = M^-1 r. Both have L.rows elements; they may be the same.
void solve(const BlockFactors& M, std::span<const double> r, std::span<double> z);

/// As that of Factors.
double estimate_of_inverse(const BlockFactors& M);

BlockFactors negated(BlockFactors M);  ///< those of -A

}  // namespace glsolve::inline v0_1
