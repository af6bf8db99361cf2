#include "inverses/defect.hpp"

#include <cmath>
#include <glsolve/csr.hpp>
#include <limits>

#include "base/random.hpp"

namespace glsolve::inline v0_1 {
namespace {

using Numbers = std::vector<double>;

/// M x = (I + L) D (I + U) x
Numbers multiply(const TriangularFactors& factors, const Numbers& x) {
    Numbers y = product(factors.U, x);
    for (std::size_t i = 0; i < y.size(); ++i) y[i] += x[i];
    y = product(factors.D, y);
    Numbers z = product(factors.L, y);
    for (std::size_t i = 0; i < y.size(); ++i) z[i] += y[i];
    return z;
}

double norm(const Numbers& x) {
    double sum = 0;
    for (const double number : x) sum += number * number;
    return std::sqrt(sum);
}

/// y ~ (I + T)^-1 b
Numbers solve_by_sweeps(CsrView T, int sweeps, const Numbers& b) {
    Numbers y = b;
    for (int k = 0; k < sweeps; ++k) {
        y = product(T, y);
        for (std::size_t i = 0; i < y.size(); ++i) y[i] = b[i] - y[i];
    }
    return y;
}

}  // namespace

Numbers product(CsrView A, const Numbers& x) {
    Numbers y(static_cast<std::size_t>(A.rows));
    multiply(A, x, y);
    return y;
}

Numbers solve_by_sweeps(const TriangularFactors& factors, int sweeps, const Numbers& r) {
    const Numbers y = solve_by_sweeps(factors.L, sweeps, r);
    return solve_by_sweeps(factors.U, sweeps, product(factors.inverse_D, y));
}

double defect(const TriangularFactors& factors, const ApproximateSolve& W) {
    constexpr int steps = 4;
    Random random(11);
    Numbers v(static_cast<std::size_t>(factors.L.rows));
    for (double& number : v) number = random.normal();
    double largest = 0;
    for (int step = 0; step < steps; ++step) {
        const double before = norm(v);
        const Numbers z = W(multiply(factors, v));
        for (std::size_t i = 0; i < v.size(); ++i) v[i] = (v[i] - z[i]) / before;
        const double after = norm(v);
        if (!std::isfinite(after)) return std::numeric_limits<double>::infinity();
        largest = std::max(largest, after);
        if (after < 1e-12) break;
    }
    return largest;
}

}  // namespace glsolve::inline v0_1
