#include "factors/factors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "factors/triangles.hpp"

namespace glsolve::inline v0_1 {

Offset Factors::nonzeros() const { return L.nonzeros() + static_cast<Offset>(D.size()) + U.nonzeros(); }

std::string Factors::remark() const {
    if (!failure.empty()) return failure;
    if (shift == 0) return {};
    return fmt::format("the diagonal was shifted by {:.3g} of each row's largest entry (attempt {})", shift, attempts);
}

void solve(const Factors& M, std::span<const double> r, std::span<double> z) {
    forward_substitution(M.L, r, z);                              // y = r - L y
    for (std::size_t i = 0; i < M.D.size(); ++i) z[i] /= M.D[i];  // D v = y
    backward_substitution(M.U, z);                                // z = v - U z
}

double estimate_of_inverse(const Factors& M) {
    std::vector<double> z(M.D.size(), 1.0);
    solve(M, z, z);
    double most = 0;
    for (const double each : z) {
        if (!std::isfinite(each)) return std::numeric_limits<double>::infinity();
        most = std::max(most, std::abs(each));
    }
    return most;
}

}  // namespace glsolve::inline v0_1
