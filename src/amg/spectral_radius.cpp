#include "amg/interpolation.hpp"

#include <cmath>

#include "base/large_pages.hpp"
#include "base/norm.hpp"
#include "base/random.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// max over the rows of sum |a_ij| / |a_ii|
double gershgorin(CsrView A, const std::vector<double>& d) {
    return parallel_max(d.size(), [&](std::size_t i) {
        double sum = 0;
        for (const double a : A.row(i).values()) sum += std::abs(a);
        return d[i] != 0 ? sum / std::abs(d[i]) : 0.0;
    });
}

/// Growth of a random vector in the last of some steps with D^-1 A.
double power_method(CsrView A, const std::vector<double>& d) {
    Random random(PowerMethod::seed);
    std::vector<double> x = filled(d.size(), 0.0), y = filled(d.size(), 0.0);
    for (double& v : x) v = random.uniform() - 0.5;
    double growth = 0;
    for (int step = 0; step < PowerMethod::steps; ++step) {
        multiply(A, x, y);
        parallel_each(y.size(), [&](std::size_t i) { y[i] = d[i] != 0 ? y[i] / d[i] : 0; });
        growth = norm_of(y.size(), [&](std::size_t i) { return y[i]; });
        if (growth == 0) return 0;
        parallel_each(y.size(), [&](std::size_t i) { x[i] = y[i] / growth; });
    }
    return growth;
}

}  // namespace

double spectral_radius(CsrView A) {
    const std::vector<double> d = diagonal(A);
    const double bound = gershgorin(A, d);
    // Of an M-matrix whose rows sum to nearly zero it is 2, and close.
    if (bound <= 2 + 1e-6) return bound;
    return std::min(bound, PowerMethod::margin * power_method(A, d));
}

}  // namespace glsolve::inline v0_1
