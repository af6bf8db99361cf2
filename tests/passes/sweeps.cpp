// Sweeps from zero: their first one needs no product, and may go into a pass with the second.
#include "smoothers/sweeps.hpp"

#include <cmath>
#include <glsolve/generate.hpp>

#include "smoothers/diagonal.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/formats.hpp"
#include "support/harness.hpp"

namespace tests_of_sweeps {

using namespace glsolve;
using namespace glsolve::test;

TEST_CASE("sweeps from zero are sweeps from a vector of zeros", "[passes][sweeps]") {
    const Method method = GENERATE(Method::richardson, Method::jacobi, Method::gauss_seidel, Method::ssor);
    const Make make = GENERATE(make_dia, make_slices<16, true>, make_dense);
    const CsrMatrix A = poisson2d(7);
    const auto n = static_cast<std::size_t>(A.rows);
    const std::vector<double> ones(n, 1.0);
    Backend& backend = backend_under_test();
    const Session session(backend);
    const std::unique_ptr<AssembledMatrix> matrix = make(backend, {A, ones});
    const AssembledSystem system{System{.backend = backend, .A = *matrix, .size = A.rows, .scale = ones}, *matrix};
    Sweeps sweeps(system, A, method, 0.2);
    Vector b(backend, A.rows, "b"), from_zero(backend, A.rows, "x"), from_zeros(backend, A.rows, "x");
    b.upload(random_numbers(n, 3));
    for (int steps = 1; steps <= 3; ++steps) {
        CAPTURE(method, steps);
        from_zeros.upload(std::vector<float>(n, 0.0f));
        from_zero.upload(std::vector<float>(n, std::nanf("")));
        sweeps.smooth(from_zeros, b, steps);
        sweeps.smooth_from_zero(from_zero, b, steps);
        const Texels found = from_zero.download_texels(), wanted = from_zeros.download_texels();
        for (std::size_t i = 0; i < found.size(); ++i) {
            CHECK(static_cast<double>(found[i]) == Approx(static_cast<double>(wanted[i])).margin(1e-6));
        }
    }
}

}  // namespace tests_of_sweeps
