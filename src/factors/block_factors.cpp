#include "factors/block_factors.hpp"

#include "factors/triangles.hpp"

namespace glsolve::inline v0_1 {

Offset BlockFactors::nonzeros() const { return L.nonzeros() + inverse_D.nonzeros() + U.nonzeros(); }

std::string BlockFactors::remark() const { return remark_on(shift, attempts, failure); }

void solve(const BlockFactors& M, std::span<const double> r, std::span<double> z) {
    std::vector<double> y(r.size());
    forward_substitution(M.L, r, y);  // y = r - L y
    multiply(M.inverse_D, y, z);      // v = D^-1 y
    backward_substitution(M.U, z);    // z = v - U z
}

double estimate_of_inverse(const BlockFactors& M) {
    std::vector<double> z(static_cast<std::size_t>(M.L.rows), 1.0);
    solve(M, z, z);
    return largest_size(z);
}

BlockFactors negated(BlockFactors M) {
    for (double& d : M.inverse_D.value) d = -d;
    return M;
}

}  // namespace glsolve::inline v0_1
