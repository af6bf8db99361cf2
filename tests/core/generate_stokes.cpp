// Stokes flow: inertia, what has no divergence and what is balanced exactly, and the order of the error.
#include <algorithm>
#include <cmath>
#include <glsolve/generate.hpp>
#include <vector>

#include "support/catch.hpp"
#include "support/dense.hpp"

namespace tests_of_generate_stokes {

using namespace glsolve;
using namespace glsolve::test;

namespace {

constexpr double pi = 3.14159265358979324;

/// u(x, y), v(x, y) on the faces and h p(x, y) - h p(last cell) in the cells.
template <typename U, typename V, typename P>
Eigen::VectorXd sample(Index N, const U& u, const V& v, const P& p) {
    const double h = 1.0 / N, last = p(1 - h / 2, 1 - h / 2);
    std::vector<double> values;
    for (Index j = 0; j < N; ++j) {
        for (Index i = 1; i < N; ++i) values.push_back(u(i * h, (j + 0.5) * h));
    }
    for (Index j = 1; j < N; ++j) {
        for (Index i = 0; i < N; ++i) values.push_back(v((i + 0.5) * h, j * h));
    }
    for (Index j = 0; j < N; ++j) {
        for (Index i = 0; i < N; ++i) values.push_back(h * (p((i + 0.5) * h, (j + 0.5) * h) - last));
    }
    values.pop_back();
    return Eigen::Map<Eigen::VectorXd>(values.data(), static_cast<Index>(values.size()));
}

constexpr auto zero = [](double, double) { return 0.0; };

/// The largest error of the velocities where they are the curl of sin^2(pi x) sin^2(pi y), p = sin(pi x) cos(2 pi y).
double error(Index N) {
    const auto square = [](double x) { return std::sin(pi * x) * std::sin(pi * x); };
    const auto twice = [](double x) { return std::sin(2 * pi * x); };
    const auto u = [&](double x, double y) { return pi * square(x) * twice(y); };
    const auto v = [&](double x, double y) { return -pi * twice(x) * square(y); };
    const auto f = [&](double x, double y) {  // -Laplace(u) + p_x
        return -pi * twice(y) * (2 * pi * pi * std::cos(2 * pi * x) - 4 * pi * pi * square(x))
               + pi * std::cos(pi * x) * std::cos(2 * pi * y);
    };
    const auto g = [&](double x, double y) {
        return pi * twice(x) * (2 * pi * pi * std::cos(2 * pi * y) - 4 * pi * pi * square(y))
               - 2 * pi * std::sin(pi * x) * twice(y);
    };
    const Eigen::VectorXd b = sample(N, f, g, zero) / (1.0 * N * N);
    const Eigen::VectorXd difference = direct_solution(stokes2d(N), b) - sample(N, u, v, zero);
    return difference.head(Eigen::Index{2} * N * (N - 1)).cwiseAbs().maxCoeff();
}

}  // namespace

TEST_CASE("Stokes systems are symmetric with a negative eigenvalue for each pressure and none zero", "[generate]") {
    for (const Index N : {2, 3, 8}) {
        CAPTURE(N);
        const CsrMatrix S = stokes2d(N);
        REQUIRE_NOTHROW(check(S));
        CHECK(asymmetry(S) == 0);
        CHECK(inertia(S) == Inertia{N * N - 1, 0, 2 * N * (N - 1)});
        const std::vector<double> d = diagonal(S);
        CHECK(std::count(d.begin(), d.end(), 0.0) == N * N - 1);
        CHECK(*std::max_element(d.begin(), d.end()) == 5);
    }
}

TEST_CASE("Stokes: the curl of a stream function has no divergence, a gradient is balanced by pressure", "[generate]") {
    constexpr Index N = 6;
    const Eigen::MatrixXd S = dense(stokes2d(N));
    constexpr Index velocities = 2 * N * (N - 1), pressures = N * N - 1;
    // psi = x y (1 - x) (1 - y) at the vertices; velocities are its differences.
    const auto psi = [](double x, double y) { return x * y * (1 - x) * (1 - y); };
    constexpr double half = 0.5 / N;
    const auto u = [&](double x, double y) { return psi(x, y + half) - psi(x, y - half); };
    const auto v = [&](double x, double y) { return psi(x - half, y) - psi(x + half, y); };
    const Eigen::VectorXd flow = sample(N, u, v, zero);
    CHECK(flow.norm() > 0.1);
    CHECK((S * flow).tail(pressures).cwiseAbs().maxCoeff() < 1e-15);
    CHECK(flow.dot(S * flow) > 0);

    // p = 3 x - 2 y: h^2 grad p on all faces.
    const auto p = [](double x, double y) { return 3 * x - 2 * y; };
    const auto constant = [](double value) { return [=](double, double) { return value; }; };
    const Eigen::VectorXd still = S * sample(N, zero, zero, p);
    CHECK((still - sample(N, constant(3), constant(-2), zero) / (1.0 * N * N)).cwiseAbs().maxCoeff() < 1e-15);

    // u = y (1 - y), what is parabolic: 2 h^2 away from the walls x = 0, x = 1, and as near those along the flow as
    // mirrored values allow.
    const Eigen::VectorXd channel = S.topLeftCorner(velocities, velocities)
                                    * sample(
                                          N, [](double, double y) { return y * (1 - y); }, zero, zero)
                                          .head(velocities);
    for (Index j = 1; j < N - 1; ++j) CHECK(channel[2 + (N - 1) * j] == Approx(2.0 / (N * N)));
    // Behind the wall is -u: -(-u(h/2) - 2 u(h/2) + u(3h/2)) = 3 u(h/2) - u(3h/2)
    const double first = half * (1 - half), second = 3 * half * (1 - 3 * half);
    CHECK(channel[2] == Approx(3 * first - second));
    CHECK(channel[2 + (N - 1) * (N - 1)] == Approx(3 * first - second));
}

TEST_CASE("Stokes: half the spacing quarters the velocities' error", "[generate]") {
    const double coarse = error(16), fine = error(32);
    CHECK(fine < 0.02);
    CHECK(coarse / fine == Approx(4).epsilon(0.15));
}

}  // namespace tests_of_generate_stokes
