// Darcy flow: inertia, permeabilities, finite volumes, exact flows, and the order of the error.
#include <algorithm>
#include <cmath>
#include <glsolve/generate.hpp>
#include <numeric>

#include "support/catch.hpp"
#include "support/dense.hpp"

namespace tests_of_generate_darcy {

using namespace glsolve;
using namespace glsolve::test;

namespace {

constexpr double pi = 3.14159265358979324;

Index x_face(Index N, Index i, Index j) { return i + (N + 1) * j; }
Index y_face(Index N, Index i, Index j) { return N * (N + 1) + i + N * (j - 1); }

/// k of each cell, from the entries 1/(6 k) between the fluxes through its faces.
std::vector<double> permeabilities(Index N, double contrast, std::uint64_t seed = 7) {
    const CsrMatrix S = darcy2d(N, contrast, MassMatrix::consistent, seed);
    std::vector<double> k;
    for (Index j = 0; j < N; ++j) {
        for (Index i = 0; i < N; ++i) {
            const Index row = x_face(N, i, j);
            for (Offset at = S.offsets[row]; at < S.offsets[row + 1]; ++at) {
                if (S.column[at] == row + 1) k.push_back(1 / (6 * S.value[at]));
            }
        }
    }
    return k;
}

struct Errors {
    double flux, pressure;
};

/// Where p = sin(pi x) cos(pi y) and k = 1.
Errors errors(Index N, MassMatrix mass) {
    const double h = 1.0 / N;
    Eigen::VectorXd expected(3 * N * N), b = Eigen::VectorXd::Zero(3 * N * N);
    for (Index j = 0; j < N; ++j) {
        for (Index i = 0; i <= N; ++i) {
            expected[x_face(N, i, j)] = -h * pi * std::cos(pi * i * h) * std::cos(pi * (j + 0.5) * h);
        }
        for (Index i = 0; i < N; ++i) {
            const double x = (i + 0.5) * h, p = std::sin(pi * x) * std::cos(pi * (j + 0.5) * h);
            if (j > 0) expected[y_face(N, i, j)] = h * pi * std::sin(pi * x) * std::sin(pi * j * h);
            expected[2 * N * N + i + N * j] = p;
            b[2 * N * N + i + N * j] = -h * h * 2 * pi * pi * p;  // -f
        }
    }
    const Eigen::VectorXd difference = direct_solution(darcy2d(N, 1, mass), b) - expected;
    return {difference.head(2 * N * N).cwiseAbs().maxCoeff() / h, difference.tail(N * N).cwiseAbs().maxCoeff()};
}

}  // namespace

TEST_CASE("Darcy systems are symmetric with a negative eigenvalue for each cell and none zero", "[generate]") {
    for (const MassMatrix mass : {MassMatrix::consistent, MassMatrix::lumped}) {
        for (const Index N : {1, 2, 7}) {
            CAPTURE(N);
            const CsrMatrix S = darcy2d(N, 1000, mass);
            REQUIRE_NOTHROW(check(S));
            CHECK(asymmetry(S) == 0);
            CHECK(inertia(S) == Inertia{N * N, 0, 2 * N * N});
            const std::vector<double> d = diagonal(S);
            CHECK(std::count(d.begin(), d.end(), 0.0) == N * N);
        }
    }
}

TEST_CASE("Darcy: permeabilities are log-normal and have the contrast", "[generate]") {
    const std::vector<double> k = permeabilities(60, 1e6);
    const auto [least, largest] = std::minmax_element(k.begin(), k.end());
    CHECK(*least == Approx(1e-3));
    CHECK(*largest == Approx(1e3));
    // Shares of a normal distribution: 68.3 % within a standard deviation of the mean.
    std::vector<double> logarithms(k.size());
    std::transform(k.begin(), k.end(), logarithms.begin(), [](double value) { return std::log(value); });
    const auto size = static_cast<double>(k.size());
    const double mean = std::accumulate(logarithms.begin(), logarithms.end(), 0.0) / size;
    double variance = 0;
    for (const double value : logarithms) variance += (value - mean) * (value - mean) / size;
    const auto inside = std::count_if(logarithms.begin(), logarithms.end(),
                                      [&](double value) { return std::abs(value - mean) < std::sqrt(variance); });
    CHECK(static_cast<double>(inside) / size == Approx(0.683).margin(0.03));

    CHECK(permeabilities(9, 1e6) == permeabilities(9, 1e6));
    CHECK(permeabilities(9, 1e6) != permeabilities(9, 1e6, 8));
    for (const double one : permeabilities(9, 1)) CHECK(one == Approx(1));
}

TEST_CASE("Darcy: without the lumped fluxes, finite volumes are left", "[generate]") {
    constexpr Index N = 5, cells = N * N;
    const std::vector<double> k = permeabilities(N, 100);
    const Eigen::MatrixXd S = dense(darcy2d(N, 100, MassMatrix::lumped));
    const Eigen::MatrixXd M = S.topLeftCorner(2 * cells, 2 * cells), B = S.bottomLeftCorner(cells, 2 * cells);
    CHECK(M.isDiagonal(0));
    Eigen::MatrixXd expected = Eigen::MatrixXd::Zero(cells, cells);
    const auto couple = [&](Index a, Index b) {
        const double mean = 2 * k[static_cast<std::size_t>(a)] * k[static_cast<std::size_t>(b)]
                            / (k[static_cast<std::size_t>(a)] + k[static_cast<std::size_t>(b)]);
        expected(a, a) += mean;
        expected(b, b) += mean;
        expected(a, b) = expected(b, a) = -mean;
    };
    for (Index j = 0; j < N; ++j) {
        for (Index i = 0; i < N; ++i) {
            const Index cell = i + N * j;
            if (i + 1 < N) couple(cell, cell + 1);
            if (j + 1 < N) couple(cell, cell + N);
            // Half a cell to the boundary where the pressure is given.
            if (i == 0 || i == N - 1) expected(cell, cell) += 2 * k[static_cast<std::size_t>(cell)];
        }
    }
    CHECK((B * inverse(M) * B.transpose() - expected).cwiseAbs().maxCoeff() < 1e-12);
}

TEST_CASE("Darcy: the uniform flow from pressure 1 to pressure 0 is exact", "[generate]") {
    constexpr Index N = 6;
    for (const MassMatrix mass : {MassMatrix::consistent, MassMatrix::lumped}) {
        Eigen::VectorXd b = Eigen::VectorXd::Zero(3 * N * N);
        for (Index j = 0; j < N; ++j) b[x_face(N, 0, j)] = 1;
        const Eigen::VectorXd s = direct_solution(darcy2d(N, 1, mass), b);
        for (Index j = 0; j < N; ++j) {
            for (Index i = 0; i <= N; ++i) CHECK(s[x_face(N, i, j)] == Approx(1.0 / N));
            for (Index i = 0; i < N; ++i) CHECK(s[2 * N * N + i + N * j] == Approx(1 - (i + 0.5) / N));
        }
        CHECK(s.segment(N * (N + 1), N * (N - 1)).cwiseAbs().maxCoeff() < 1e-13);
    }
}

TEST_CASE("Darcy: half the spacing quarters the errors", "[generate]") {
    for (const MassMatrix mass : {MassMatrix::consistent, MassMatrix::lumped}) {
        const Errors coarse = errors(12, mass), fine = errors(24, mass);
        CHECK(coarse.flux / fine.flux == Approx(4).epsilon(0.1));
        CHECK(coarse.pressure / fine.pressure == Approx(4).epsilon(0.1));
    }
}

}  // namespace tests_of_generate_darcy
