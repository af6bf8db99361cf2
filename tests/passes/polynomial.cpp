// Smoothing by polynomials: steps of Richardson whose weights make a Chebyshev iteration of them.
#include "smoothers/polynomial.hpp"

#include <cmath>
#include <glsolve/generate.hpp>

#include "smoothers/diagonal.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/formats.hpp"
#include "support/harness.hpp"

namespace tests_of_polynomial {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// So many steps of the Chebyshev iteration with two terms, from x, in double precision (Y. Saad, Iterative Methods for
/// Sparse Linear Systems, algorithm 12.1).
std::vector<double> chebyshev(const CsrMatrix& A, std::span<const double> d, std::span<const float> b,
                              std::vector<double> x, double smallest, double largest, int steps) {
    const double theta = (largest + smallest) / 2, delta = (largest - smallest) / 2;
    double rho = delta / theta;
    std::vector<double> Ax(x.size()), direction(x.size());
    for (int k = 0; k < steps; ++k) {
        multiply(A, x, Ax);
        const double next = k == 0 ? rho : 1 / (2 * theta / delta - rho);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double z = d[i] * (static_cast<double>(b[i]) - Ax[i]);
            direction[i] = k == 0 ? z / theta : next * rho * direction[i] + 2 * next / delta * z;
        }
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += direction[i];
        rho = next;
    }
    return x;
}

double worst_share(const Texels& found, const std::vector<double>& exact) {
    double most = 0, error = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
        most = std::max(most, std::abs(exact[i]));
        error = std::max(error, std::abs(static_cast<double>(found[i]) - exact[i]));
    }
    return error / most;
}

}  // namespace

TEST_CASE("steps of a polynomial make a Chebyshev iteration, however many there were before", "[passes][polynomial]") {
    Backend& backend = backend_under_test();
    const Session session(backend);
    const bool with_d = GENERATE(false, true);
    const CsrMatrix matrix = with_d ? random_spd(61, 400) : poisson2d(7);
    const auto n = static_cast<std::size_t>(matrix.rows);
    const std::vector<double> ones(n, 1.0);
    std::vector<double> d = ones;
    if (with_d) {
        d = diagonal(matrix);
        for (double& each : d) each = 1 / each;
    }
    const auto A = make_ell(backend, {matrix, ones});
    Diagonal reciprocal(backend, d);
    const double smallest = with_d ? 0.3 : 1, largest = with_d ? 2.2 : 8;
    Polynomial polynomial(
        {System{.backend = backend, .A = *A, .M = with_d ? &reciprocal : nullptr, .size = matrix.rows}, *A}, smallest,
        largest);
    const std::vector<float> b = random_numbers(n, 1), from = random_numbers(n, 2);
    Vector on_device(backend, matrix.rows, "b"), x(backend, matrix.rows, "x");
    on_device.upload(b);
    for (const int steps : {1, 2, 3, 16, 2, 4, 1}) {
        CAPTURE(with_d, steps);
        x.upload(std::vector<float>(n, NAN));  // whatever it holds
        polynomial.smooth_from_zero(x, on_device, steps);
        CHECK(
            worst_share(x.download_texels(), chebyshev(matrix, d, b, std::vector<double>(n), smallest, largest, steps))
            < 3e-6);
        x.upload(from);
        polynomial.smooth(x, on_device, steps);
        CHECK(worst_share(x.download_texels(),
                          chebyshev(matrix, d, b, {from.begin(), from.end()}, smallest, largest, steps))
              < 3e-6);
    }
}

}  // namespace tests_of_polynomial
