// Helmholtz equations: eigenvalues, complex numbers in real blocks, and the order of the error.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <complex>
#include <glsolve/generate.hpp>

#include "support/catch.hpp"
#include "support/dense.hpp"

namespace tests_of_generate_helmholtz {

using namespace glsolve;
using namespace glsolve::test;

namespace {

constexpr double pi = 3.14159265358979324;
using Complex = std::complex<double>;

/// The complex matrix, from its real blocks.
Eigen::MatrixXcd complex(const Eigen::MatrixXd& A) {
    Eigen::MatrixXcd result(A.rows() / 2, A.cols() / 2);
    for (Eigen::Index i = 0; i < result.rows(); ++i) {
        for (Eigen::Index j = 0; j < result.cols(); ++j) result(i, j) = {A(2 * i, 2 * j), A(2 * i + 1, 2 * j)};
    }
    return result;
}

/// The largest error for u = sin(2 pi x) sin(pi y), k = 5.
double dirichlet_error(Index N) {
    constexpr double k = 5;
    const double h = 1.0 / (N + 1);
    Eigen::VectorXd u(N * N);
    for (Index i = 0; i < N * N; ++i) u[i] = std::sin(2 * pi * h * (i % N + 1)) * std::sin(pi * h * (i / N + 1));
    const CsrMatrix A = helmholtz2d(N, 2 * pi / (k * h));
    return (direct_solution(A, h * h * (5 * pi * pi - k * k) * u) - u).cwiseAbs().maxCoeff();
}

/// The same for the plane wave u = exp(i k (x cos(angle) + y sin(angle))), k = 7.
double absorbing_error(Index N) {
    constexpr double k = 7, angle = 0.4;
    const double h = 1.0 / (N - 1), across = std::cos(angle), up = std::sin(angle);
    Eigen::VectorXd expected(2 * N * N), b(2 * N * N);
    for (Index point = 0; point < N * N; ++point) {
        const Index i = point % N, j = point / N;
        const Complex u = std::exp(Complex(0, k * h * (across * i + up * j)));
        // The boundary lets in g = du/dn - i k u, over the length of the box's side.
        const auto side = [&](bool there, double along_normal, Index along) {
            const double length = along == 0 || along == N - 1 ? h / 2 : h;
            return there ? length * Complex(0, k) * (along_normal - 1) * u : 0;
        };
        const Complex g =
            side(i == 0, -across, j) + side(i == N - 1, across, j) + side(j == 0, -up, i) + side(j == N - 1, up, i);
        expected.segment<2>(Eigen::Index{2} * point) << u.real(), u.imag();
        b.segment<2>(Eigen::Index{2} * point) << g.real(), g.imag();
    }
    const CsrMatrix A = helmholtz2d_absorbing(N, 2 * pi / (k * h));
    return (direct_solution(A, b) - expected).cwiseAbs().maxCoeff();
}

}  // namespace

TEST_CASE("Helmholtz: the eigenvalues are the Laplacian's, shifted", "[generate]") {
    constexpr Index N = 9;
    for (const double points : {3.0, 6.0, 10.0, 1e6}) {
        CAPTURE(points);
        const CsrMatrix A = helmholtz2d(N, points);
        REQUIRE_NOTHROW(check(A));
        CHECK(asymmetry(A) == 0);
        const double shift = std::pow(2 * pi / points, 2);
        const auto along = [](Index j) { return 4 * std::pow(std::sin(j * pi / (2 * (N + 1))), 2); };
        std::vector<double> expected;
        for (Index j = 1; j <= N; ++j) {
            for (Index l = 1; l <= N; ++l) expected.push_back(along(j) + along(l) - shift);
        }
        std::sort(expected.begin(), expected.end());
        const Eigen::VectorXd actual = eigenvalues_of_symmetric(dense(A));
        for (Index i = 0; i < N * N; ++i)
            CHECK(actual[i] == Approx(expected[static_cast<std::size_t>(i)]).margin(1e-12));
        const Inertia signs = inertia(A);
        CHECK(signs.negative == std::count_if(expected.begin(), expected.end(), [](double e) { return e < 0; }));
        CHECK(signs.zero == 0);
        CHECK((signs.negative > 0) == (points < 1e6));
        CHECK(signs.positive > 0);
    }
}

TEST_CASE("Helmholtz: absorbing boundaries take energy out", "[generate]") {
    constexpr Index N = 8;
    const double kh = 2 * pi / 12;
    const CsrMatrix blocks = helmholtz2d_absorbing(N, 12);
    REQUIRE_NOTHROW(check(blocks));
    CHECK(blocks.rows == 2 * N * N);
    CHECK(blocks.nonzeros() == 2 * (N * N + 4 * N * (N - 1)) + 2 * 4 * (N - 1));
    CHECK(std::find(blocks.value.begin(), blocks.value.end(), 0.0) == blocks.value.end());
    const Eigen::MatrixXd D = dense(blocks);
    const Eigen::MatrixXcd A = complex(D);
    for (Index i = 0; i < N * N; ++i) {  // [re -im; im re]
        for (Index j = 0; j < N * N; ++j) {
            CHECK(D(2 * i + 1, 2 * j + 1) == A(i, j).real());
            CHECK(D(2 * i, 2 * j + 1) == -A(i, j).imag());
        }
    }
    CHECK(A == A.transpose());
    const Eigen::MatrixXd real = A.real(), imaginary = A.imag();
    // Constants: the square has the area (N-1)^2 h^2 and the circumference 4 (N-1) h.
    CHECK(real.sum() == Approx(-kh * kh * (N - 1) * (N - 1)));
    CHECK(imaginary.isDiagonal(0));
    CHECK(imaginary.diagonal().maxCoeff() == 0);
    CHECK(imaginary.sum() == Approx(-kh * 4 * (N - 1)));
    CHECK(singular_values(D).minCoeff() > 1e-3);
}

TEST_CASE("Helmholtz: half the spacing quarters the error", "[generate]") {
    CHECK(dirichlet_error(15) / dirichlet_error(31) == Approx(4).epsilon(0.1));
    CHECK(absorbing_error(21) / absorbing_error(41) == Approx(4).epsilon(0.1));
    CHECK(absorbing_error(41) < 0.05);
}

}  // namespace tests_of_generate_helmholtz
