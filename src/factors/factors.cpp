#include "factors/factors.hpp"

#include "factors/triangles.hpp"

namespace glsolve::inline v0_1 {

Offset Factors::nonzeros() const { return L.nonzeros() + static_cast<Offset>(D.size()) + U.nonzeros(); }

std::string Factors::remark() const { return remark_on(shift, attempts, failure); }

void solve(const Factors& M, std::span<const double> r, std::span<double> z) {
    forward_substitution(M.L, r, z);                              // y = r - L y
    for (std::size_t i = 0; i < M.D.size(); ++i) z[i] /= M.D[i];  // D v = y
    backward_substitution(M.U, z);                                // z = v - U z
}

double estimate_of_inverse(const Factors& M) {
    std::vector<double> z(M.D.size(), 1.0);
    solve(M, z, z);
    return largest_size(z);
}

Factors negated(Factors M) {
    for (double& d : M.D) d = -d;
    return M;
}

}  // namespace glsolve::inline v0_1
