// Convection-diffusion: central differences, cell Peclet numbers, three dimensions, and the order of the error.
#include <Eigen/Core>
#include <array>
#include <cmath>
#include <glsolve/generate.hpp>

#include "support/catch.hpp"
#include "support/dense.hpp"

namespace tests_of_generate_convection {

using namespace glsolve;
using test::dense;
using test::direct_solution;

namespace {

constexpr double pi = 3.14159265358979324;

/// The largest error where u = sin(pi x) sin(pi y) is the solution.
double error2d(Index N, const Convection& c) {
    const double h = 1.0 / (N + 1);
    Eigen::VectorXd u(N * N), b(N * N);
    for (Index i = 0; i < N * N; ++i) {
        const double x = h * (i % N + 1), y = h * (i / N + 1);
        const double wx = c.recirculating ? 4 * x * (x - 1) * (1 - 2 * y) : c.velocity_x;
        const double wy = c.recirculating ? -4 * y * (y - 1) * (1 - 2 * x) : c.velocity_y;
        u[i] = std::sin(pi * x) * std::sin(pi * y);
        b[i] = h * h
               * (c.diffusion * 2 * pi * pi * u[i] + wx * pi * std::cos(pi * x) * std::sin(pi * y)
                  + wy * pi * std::sin(pi * x) * std::cos(pi * y));
    }
    return (direct_solution(convection_diffusion(N, c), b) - u).cwiseAbs().maxCoeff();
}

/// The same in the cube.
double error3d(Index N, const Convection& c) {
    const double h = 1.0 / (N + 1);
    Eigen::VectorXd u(N * N * N), b(N * N * N);
    for (Index i = 0; i < u.size(); ++i) {
        const std::array<double, 3> at{h * (i % N + 1), h * (i / N % N + 1), h * (i / N / N + 1)};
        const auto [x, y, z] = at;
        std::array<double, 3> w{c.velocity_x, c.velocity_y, c.velocity_z};
        if (c.recirculating) {
            w = {2 * x * (1 - x) * (2 * y - 1) * z, -(2 * x - 1) * y * (1 - y),
                 -(2 * x - 1) * (2 * y - 1) * z * (1 - z)};
        }
        u[i] = std::sin(pi * x) * std::sin(pi * y) * std::sin(pi * z);
        b[i] = h * h * c.diffusion * 3 * pi * pi * u[i];
        for (std::size_t d = 0; d < 3; ++d) {
            double slope = pi * std::cos(pi * at[d]);
            for (std::size_t e = 0; e < 3; ++e) slope *= e == d ? 1 : std::sin(pi * at[e]);
            b[i] += h * h * w[d] * slope;
        }
    }
    return (direct_solution(convection_diffusion3d(N, c), b) - u).cwiseAbs().maxCoeff();
}

}  // namespace

TEST_CASE("half the spacing halves the error of upwind differences and quarters that of central ones", "[generate]") {
    for (const bool recirculating : {false, true}) {
        CAPTURE(recirculating);
        // The error of upwind differences has to outweigh that of the diffusion's, which is smaller by a power of h.
        Convection c{recirculating ? 0.02 : 0.2, 1, -0.5, recirculating};
        c.velocity_z = 0.7;
        CHECK(error2d(31, c) / error2d(63, c) == Approx(2).epsilon(0.15));
        CHECK(error3d(7, c) / error3d(15, c) == Approx(2).epsilon(0.25));
        c.differences = Differences::central;
        CHECK(error2d(15, c) / error2d(31, c) == Approx(4).epsilon(0.05));
        CHECK(error3d(7, c) / error3d(15, c) == Approx(4).epsilon(0.1));
    }
}

TEST_CASE("central differences of a constant flow are skew", "[generate]") {
    Convection c{.diffusion = 1e-3, .differences = Differences::central};
    const Eigen::MatrixXd A = dense(convection_diffusion(7, c));
    CHECK((A + A.transpose() - 2e-3 * dense(poisson2d(7))).cwiseAbs().maxCoeff() < 1e-15);
    // h = 1/8: w h / 2 = (1/16, 1/32)
    CHECK(A(24, 23) == Approx(-1e-3 - 1.0 / 16));
    CHECK(A(24, 25) == Approx(-1e-3 + 1.0 / 16));
    CHECK(A(24, 17) == Approx(-1e-3 - 1.0 / 32));
    CHECK(A(24, 31) == Approx(-1e-3 + 1.0 / 32));
}

TEST_CASE("a cell Peclet number gives the diffusion", "[generate]") {
    // h = 1/8, |w| = 5: 5 / 8 / (2 * 1000)
    const Convection skew{.velocity_x = 3, .velocity_y = -4, .cell_peclet = 1000};
    CHECK(convection_diffusion(7, skew).value == convection_diffusion(7, {5.0 / 16000, 3, -4}).value);
    const Convection circles{.recirculating = true, .cell_peclet = 1e4};  // |w| = 1
    CHECK(convection_diffusion(7, circles).value
          == convection_diffusion(7, {.diffusion = 1.0 / 160000, .recirculating = true}).value);
    const Convection space{.velocity_x = 2, .velocity_y = 3, .cell_peclet = 0.25, .velocity_z = 6};  // |w| = 7
    CHECK(convection_diffusion3d(3, space).value
          == convection_diffusion3d(3, {.diffusion = 3.5, .velocity_x = 2, .velocity_y = 3, .velocity_z = 6}).value);
    const Convection space_circles{.recirculating = true, .cell_peclet = 1};  // |w| = 1/2
    CHECK(convection_diffusion3d(3, space_circles).value
          == convection_diffusion3d(3, {.diffusion = 1.0 / 16, .recirculating = true}).value);
}

TEST_CASE("convection-diffusion in the cube is an M-matrix", "[generate]") {
    for (const bool recirculating : {false, true}) {
        const CsrMatrix A = convection_diffusion3d(5, {.recirculating = recirculating, .cell_peclet = 1e5});
        REQUIRE_NOTHROW(check(A));
        CHECK(A.rows == 125);
        CHECK(A.nonzeros() == 125 + 6 * 100);
        const Eigen::MatrixXd D = dense(A);
        CHECK((D - Eigen::MatrixXd(D.diagonal().asDiagonal())).maxCoeff() <= 0);
        CHECK(std::abs(D.row(62).sum()) < 1e-15);  // the middle
        CHECK(test::inverse(D).minCoeff() >= 0);
    }
    // Without a flow it is a Poisson problem.
    const Convection still{.diffusion = 1, .velocity_x = 0, .velocity_y = 0, .velocity_z = 0};
    CHECK(convection_diffusion3d(4, still).value == poisson3d(4).value);
    CHECK(convection_diffusion3d(4, still).column == poisson3d(4).column);
}

}  // namespace tests_of_generate_convection
