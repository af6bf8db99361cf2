// Heat in a shell: exact temperatures, and fluxes along the fibres, across them and through the thickness.
#include <Eigen/Core>
#include <array>
#include <cmath>
#include <functional>
#include <glsolve/generate.hpp>

#include "support/catch.hpp"
#include "support/dense.hpp"

namespace tests_of_generate_shell {

using namespace glsolve;
using namespace glsolve::test;

namespace {

constexpr double pi = 3.14159265358979324;
constexpr Index NX = 12, NY = 5, layers = 3;

struct Node {
    Index x, y, z;
};

Node node(Index i) { return {i % NX + 1, i / NX % (NY + 1), i / NX / (NY + 1)}; }

/// The heat that leaves each node, A T, with T(node) its temperature.
Eigen::VectorXd heat(const Shell& shell, const std::function<double(const Node&)>& temperature) {
    const CsrMatrix A = thermal_shell(NX, NY, layers, shell);
    Eigen::VectorXd T(A.rows);
    for (Index i = 0; i < A.rows; ++i) T[i] = temperature(node(i));
    return dense(A) * T;
}

}  // namespace

TEST_CASE("thermal shells are symmetric and positive definite, neighbours share an element", "[generate]") {
    for (const Shell& shell : {Shell{}, Shell{1e-8, 1e-8, 45, 1e-6}, Shell{1, 1, 0, 1}, Shell{1e4, 10, -90, 0.3}}) {
        const CsrMatrix A = thermal_shell(4, 3, 2, shell);
        REQUIRE_NOTHROW(check(A));
        CHECK(A.rows == 4 * 4 * 3);
        CHECK(A.nonzeros() == (3 * 4 - 2) * (3 * 3 + 1) * (3 * 2 + 1));
        CHECK(asymmetry(A) == 0);
        CHECK(is_positive_definite(dense(A)));
    }
    CHECK(inertia(thermal_shell(1, 1, 1)) == Inertia{0, 0, 4});
}

TEST_CASE("a shell of constant temperature is at rest, away from the cold edge", "[generate]") {
    const Eigen::VectorXd flow = heat({}, [](const Node&) { return 1.0; });
    double cold = 0;
    for (Index i = 0; i < flow.size(); ++i) {
        if (node(i).x > 1) CHECK(std::abs(flow[i]) < 1e-14);
        if (node(i).x == 1) cold += flow[i];
    }
    CHECK(cold > 1e-3);
}

TEST_CASE("temperatures linear along the axis or the arc are exact, whatever the fibres", "[generate]") {
    const Shell shell{.through_thickness = 0.5, .across_fibres = 0.2, .fibre_angle = 30, .thickness = 0.1};
    const Eigen::VectorXd axial = heat(shell, [](const Node& at) { return 1.0 * at.y; });
    const Eigen::VectorXd round = heat(shell, [](const Node& at) { return 1.0 * at.x; });
    for (Index i = 0; i < axial.size(); ++i) {
        const Node at = node(i);
        if (at.y == 0 || at.y == NY || at.x == NX) continue;
        if (at.x > 1) CHECK(std::abs(axial[i]) < 1e-14);
        CHECK(std::abs(round[i]) < 1e-14);
    }
    CHECK(axial.cwiseAbs().maxCoeff() > 1e-3);
    CHECK(round.cwiseAbs().maxCoeff() > 1e-3);
}

TEST_CASE("heat flows along the fibres, whose angle alternates", "[generate]") {
    const double angle = 30 * pi / 180, across = 0.2, thickness = 0.03;
    const Shell shell{.through_thickness = 0.5, .across_fibres = across, .fibre_angle = 30, .thickness = thickness};
    // T = y: through the end of the arc flows K_12 = (1 - across) sin cos, with the sign of the layer.
    const Eigen::VectorXd axial = heat(shell, [](const Node& at) { return 1.0 * at.y / NY; });
    const double layer = (1 - across) * std::sin(angle) * std::cos(angle) / NY * thickness / layers;
    const std::array<double, 4> expected{layer / 2, 0, 0, layer / 2};
    // T = theta: K_11 = cos^2 + across sin^2, over the radius.
    const Eigen::VectorXd round = heat(shell, [](const Node& at) { return pi / 2 * at.x / NX; });
    double end = 0;
    for (Index i = 0; i < axial.size(); ++i) {
        const Node at = node(i);
        if (at.x != NX) continue;
        end += round[i];
        if (at.y == 0 || at.y == NY) continue;
        CHECK(axial[i] == Approx(expected[static_cast<std::size_t>(at.z)]).margin(0.02 * layer));
    }
    CHECK(end
          == Approx((std::pow(std::cos(angle), 2) + across * std::pow(std::sin(angle), 2)) * thickness).epsilon(0.005));
}

TEST_CASE("heat flows slowly through the thickness", "[generate]") {
    const Shell shell{.through_thickness = 1e-3, .thickness = 0.02};
    const Eigen::VectorXd flow = heat(shell, [](const Node& at) { return 1.0 * at.z / layers; });
    const double expected = 1e-3 / 0.02 * (pi / 2 / NX) * (1.0 / NY);
    for (Index i = 0; i < flow.size(); ++i) {
        const Node at = node(i);
        if (at.x == 1 || at.x == NX || at.y == 0 || at.y == NY) continue;
        const double in = at.z == 0 ? -expected : at.z == layers ? expected : 0;
        CHECK(flow[i] == Approx(in).margin(0.02 * expected));
    }
}

}  // namespace tests_of_generate_shell
