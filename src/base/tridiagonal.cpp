#include "base/tridiagonal.hpp"

#include <algorithm>
#include <cmath>

namespace glsolve::inline v0_1 {
namespace {

/// How many eigenvalues are smaller than x: as many as pivots of T - x I are negative (Sturm).
int smaller_than(double x, std::span<const double> diagonal, std::span<const double> beside) {
    int count = 0;
    double pivot = 1;
    for (std::size_t k = 0; k < diagonal.size(); ++k) {
        const double b = k > 0 ? beside[k - 1] : 0;
        pivot = diagonal[k] - x - b * b / pivot;
        if (pivot == 0) pivot = 1e-300;
        if (pivot < 0) ++count;
    }
    return count;
}

}  // namespace

std::pair<double, double> extreme_eigenvalues(std::span<const double> diagonal, std::span<const double> beside) {
    double low = diagonal[0], high = diagonal[0];
    for (std::size_t k = 0; k < diagonal.size(); ++k) {
        const double radius = (k > 0 ? std::abs(beside[k - 1]) : 0) + (k < beside.size() ? std::abs(beside[k]) : 0);
        low = std::min(low, diagonal[k] - radius);
        high = std::max(high, diagonal[k] + radius);
    }
    // The value below which there are `count` eigenvalues, and not fewer.
    const auto bisect = [&](int count) {
        double a = low, b = high;
        while (b - a > 1e-14 * std::max(std::abs(a), std::abs(b))) {
            const double middle = 0.5 * (a + b);
            if (middle == a || middle == b) break;
            (smaller_than(middle, diagonal, beside) >= count ? b : a) = middle;
        }
        return 0.5 * (a + b);
    };
    return {bisect(1), bisect(static_cast<int>(diagonal.size()))};
}

}  // namespace glsolve::inline v0_1
