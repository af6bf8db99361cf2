#include "factors/triangles.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace glsolve::inline v0_1 {

double largest_size(std::span<const double> z) {
    double most = 0;
    for (const double each : z) {
        if (!std::isfinite(each)) return std::numeric_limits<double>::infinity();
        most = std::max(most, std::abs(each));
    }
    return most;
}

std::string remark_on(double shift, int attempts, const std::string& failure) {
    if (!failure.empty()) return failure;
    if (shift == 0) return {};
    return fmt::format("the diagonal was shifted by {:.3g} of each row's largest entry (attempt {})", shift, attempts);
}

}  // namespace glsolve::inline v0_1
