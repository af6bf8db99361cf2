// Generated systems: their structure, their definiteness, and what physics says of them.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <functional>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <limits>
#include <string>

#include "support/catch.hpp"
#include "support/dense.hpp"

namespace tests_of_generate {

using namespace glsolve;
using test::dense;

namespace {

struct Case {
    std::string name;
    CsrMatrix A;
};

std::vector<Case> spd_cases() {
    return {
        {"poisson2d 12", poisson2d(12)},
        {"poisson3d 6", poisson3d(6)},
        {"anisotropic 12 1e-3", anisotropic(12, 1e-3)},
        {"jumping-coefficients 1 1000", jumping_coefficients(1, 1000)},
        {"jumping-coefficients 19 1e12", jumping_coefficients(19, 1e12)},
        {"jumping-coefficients 19 1e-6, inclusions", jumping_coefficients(19, 1e-6, Coefficients::inclusions)},
        {"elasticity 1 1 1", elasticity(1, 1, 1).A},
        {"elasticity 4 2 3, almost incompressible", elasticity(4, 2, 3, 210, 0.499999).A},
        {"elasticity 3 3 2, auxetic", elasticity(3, 3, 2, 1e-9, -0.999999).A},
        {"thermal-shell 5 4 3", thermal_shell(5, 4, 3)},
        {"graph-laplacian 3 2", graph_laplacian(3, 2)},
        {"graph-laplacian 300 5", graph_laplacian(300, 5)},
        {"graph-laplacian 300 5, power law", graph_laplacian(300, 5, Degrees::power_law)},
        {"random-spd 200 2000", random_spd(200, 2000)},
    };
}

std::vector<double> row_sums(const CsrMatrix& A) {
    std::vector<double> sums(static_cast<std::size_t>(A.rows));
    multiply(A, std::vector<double>(sums.size(), 1.0), sums);
    return sums;
}

/// Positive diagonal, nothing positive beside it, no row sum below zero, some above.
void check_m_matrix(const CsrMatrix& A) {
    for (Index row = 0; row < A.rows; ++row) {
        for (Offset k = A.offsets[row]; k < A.offsets[row + 1]; ++k) CHECK((A.value[k] > 0) == (A.column[k] == row));
    }
    const std::vector<double> sums = row_sums(A);
    CHECK(*std::min_element(sums.begin(), sums.end()) > -1e-12);
    CHECK(*std::max_element(sums.begin(), sums.end()) > 1e-3);
}

std::string complaint(const std::function<void()>& make) {
    try {
        make();
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "";
}

Index longest_row(const CsrMatrix& A) {
    Offset longest = 0;
    for (Index row = 0; row < A.rows; ++row) longest = std::max(longest, A.offsets[row + 1] - A.offsets[row]);
    return static_cast<Index>(longest);
}

}  // namespace

TEST_CASE("generated systems are symmetric and positive definite, rounding included", "[generate]") {
    for (const auto& [name, A] : spd_cases()) {
        INFO(name);
        REQUIRE_NOTHROW(check(A));
        CHECK(asymmetry(A) == 0);
        CHECK(test::is_positive_definite(dense(A)));
    }
}

TEST_CASE("the same call generates the same system", "[generate]") {
    const auto first = spd_cases(), second = spd_cases();
    for (std::size_t i = 0; i < first.size(); ++i) {
        INFO(first[i].name);
        CHECK(first[i].A.column == second[i].A.column);
        CHECK(first[i].A.value == second[i].A.value);
    }
    const auto inclusions = Coefficients::inclusions;
    CHECK(jumping_coefficients(19, 9, inclusions, 1).value != jumping_coefficients(19, 9, inclusions, 2).value);
    CHECK(graph_laplacian(300, 5, Degrees::even, 1).value != graph_laplacian(300, 5, Degrees::even, 2).value);
}

TEST_CASE("Poisson problems have the eigenvalues known in closed form", "[generate]") {
    constexpr Index N = 7;
    // 4 sin^2(j pi / (2 (N + 1))) along each axis
    const auto eigenvalue = [](Index j) { return 4 * std::pow(std::sin(j * 3.14159265358979324 / (2 * (N + 1))), 2); };
    std::vector<double> two, three, stretched;
    for (Index j = 1; j <= N; ++j) {
        for (Index k = 1; k <= N; ++k) {
            two.push_back(eigenvalue(j) + eigenvalue(k));
            stretched.push_back(eigenvalue(j) + 0.1 * eigenvalue(k));
            for (Index l = 1; l <= N; ++l) three.push_back(eigenvalue(j) + eigenvalue(k) + eigenvalue(l));
        }
    }
    const auto check_eigenvalues = [](const CsrMatrix& A, std::vector<double> expected) {
        std::sort(expected.begin(), expected.end());
        const Eigen::VectorXd actual = test::eigenvalues_of_symmetric(dense(A));
        REQUIRE(actual.size() == static_cast<Index>(expected.size()));
        for (Index i = 0; i < actual.size(); ++i) CHECK(actual[i] == Approx(expected[i]).margin(1e-12));
    };
    check_eigenvalues(poisson2d(N), two);
    check_eigenvalues(poisson3d(N), three);
    check_eigenvalues(anisotropic(N, 0.1), stretched);
}

TEST_CASE("jumping coefficients: harmonic means between tiles, Poisson without contrast", "[generate]") {
    CHECK(jumping_coefficients(13, 1).value == poisson2d(13).value);
    CHECK(jumping_coefficients(13, 1).column == poisson2d(13).column);
    // Tiles of 2 x 2 unknowns: k = 1, 1, 3, 3, 1, ... along the first row.
    const Eigen::MatrixXd A = dense(jumping_coefficients(16, 3));
    CHECK(A(0, 1) == -1);
    CHECK(A(1, 2) == -1.5);  // 2 * 1 * 3 / (1 + 3)
    CHECK(A(2, 3) == -3);
    CHECK(A(2, 18) == -3);
    CHECK(A(18, 34) == -1.5);
    CHECK(A(0, 0) == 4);
    CHECK(A(2, 2) == 1.5 + 3 + 3 + 3);
    check_m_matrix(jumping_coefficients(16, 3));
    check_m_matrix(jumping_coefficients(50, 7, Coefficients::inclusions));
    check_m_matrix(jumping_coefficients(50, 7, Coefficients::cells));

    // One tile in four is an inclusion: those unknowns that lie inside have 4 * 7 on the diagonal.
    const std::vector<double> d = diagonal(jumping_coefficients(400, 7, Coefficients::inclusions));
    const auto at = [&](Index tile) {
        const Index row = 4 * (tile % 100) + 1 + 400 * (4 * (tile / 100) + 1);
        return d[static_cast<std::size_t>(row)];
    };
    int inside = 0;
    for (Index tile = 0; tile < 10000; ++tile) {
        CHECK((at(tile) == 4 || at(tile) == 28));
        inside += at(tile) == 28;
    }
    CHECK(inside > 2300);
    CHECK(inside < 2700);
}

TEST_CASE("convection-diffusion is an M-matrix that follows the flow", "[generate]") {
    for (const Convection& c : {Convection{}, Convection{1e-8, -3, 2}, Convection{.recirculating = true}}) {
        const CsrMatrix A = convection_diffusion(17, c);
        REQUIRE_NOTHROW(check(A));
        check_m_matrix(A);
        CHECK(asymmetry(A) > 1e-3);
        // A^-1 >= 0
        CHECK(test::inverse(dense(A)).minCoeff() >= 0);
        const std::vector<double> sums = row_sums(A);
        for (Index y = 1; y < 16; ++y) {
            for (Index x = 1; x < 16; ++x) CHECK(std::abs(sums[x + 17 * y]) < 1e-15);
        }
    }
    // Without a flow it is a Poisson problem.
    const CsrMatrix still = convection_diffusion(9, {.diffusion = 1, .velocity_x = 0, .velocity_y = 0});
    CHECK(still.column == poisson2d(9).column);
    CHECK(still.value == poisson2d(9).value);
    // h = 1/4: h w = (1/2, -1/4) is taken from the west and from the north.
    const Eigen::MatrixXd A = dense(convection_diffusion(3, {.diffusion = 1, .velocity_x = 2, .velocity_y = -1}));
    CHECK(A(4, 3) == -1.5);
    CHECK(A(4, 5) == -1);
    CHECK(A(4, 1) == -1);
    CHECK(A(4, 7) == -1.25);
    CHECK(A(4, 4) == 4.75);
}

TEST_CASE("the recirculating flow turns about the centre", "[generate]") {
    constexpr Index N = 3;  // x and y are 1/4, 1/2, 3/4
    const Eigen::MatrixXd A = dense(convection_diffusion(N, {.diffusion = 1, .recirculating = true}));
    const auto w_x = [&](Index i) { return -4 * (A(i, i - 1) - A(i, i + 1)); };  // h w = behind - before
    const auto w_y = [&](Index i) { return -4 * (A(i, i - N) - A(i, i + N)); };
    CHECK(w_x(4) == 0);  // the centre
    CHECK(w_y(4) == 0);
    CHECK(w_x(1) == -0.5);  // below it: 4 * 1/2 * -1/2 * (1 - 2/4)
    CHECK(w_x(7) == 0.5);
    CHECK(w_y(3) == 0.5);  // left of it: -4 * 1/2 * -1/2 * (1 - 2/4)
    CHECK(w_y(5) == -0.5);
}

TEST_CASE("graph Laplacians are those of connected graphs with one vertex grounded", "[generate]") {
    for (const Degrees degrees : {Degrees::even, Degrees::power_law}) {
        const CsrMatrix A = graph_laplacian(3000, 6, degrees);
        check_m_matrix(A);
        const std::vector<double> sums = row_sums(A);
        CHECK(sums[0] == Approx(1));
        for (Index i = 1; i < A.rows; ++i) CHECK(std::abs(sums[i]) < 1e-11);
        const double degree = static_cast<double>(A.nonzeros() - A.rows) / A.rows;
        CHECK(degree > 5.5);
        CHECK(degree <= 6);
        // Everything is reached from vertex 0.
        std::vector<Index> reached{0};
        std::vector<bool> seen(3000, false);
        seen[0] = true;
        for (std::size_t next = 0; next < reached.size(); ++next) {
            for (Offset k = A.offsets[reached[next]]; k < A.offsets[reached[next] + 1]; ++k) {
                if (seen[A.column[k]]) continue;
                seen[A.column[k]] = true;
                reached.push_back(A.column[k]);
            }
        }
        CHECK(reached.size() == 3000);
    }
    CHECK(longest_row(graph_laplacian(3000, 6)) < 40);
    CHECK(longest_row(graph_laplacian(3000, 6, Degrees::power_law)) > 400);  // 7/2 3000^(2/3) = 728
}

TEST_CASE("arguments out of range are refused by name, value and range", "[generate]") {
    const double nan = std::nan(""), infinity = std::numeric_limits<double>::infinity();
    const Index most = std::numeric_limits<Index>::max();
    struct Refusal {
        std::function<void()> make;
        std::string says;
    };
    const std::vector<Refusal> refusals{
        {[] { poisson2d(0); }, "poisson2d: N is 0; it has to be from 1 to 46340"},
        {[] { poisson2d(46341); }, "N is 46341"},
        {[] { poisson3d(1291); }, "poisson3d: N is 1291; it has to be from 1 to 1290"},
        {[=] { poisson3d(most); }, "N is 2147483647"},
        {[] { anisotropic(3, 0); }, "anisotropic: epsilon is 0; it has to be from 1e-100 to 1e+100"},
        {[=] { anisotropic(3, nan); }, "epsilon is nan"},
        {[=] { anisotropic(3, infinity); }, "epsilon is inf"},
        {[] { jumping_coefficients(-1, 2); }, "jumping-coefficients: N is -1"},
        {[=] { jumping_coefficients(most, 2); }, "from 1 to 46340"},
        {[] { jumping_coefficients(4, 0); }, "contrast is 0; it has to be from 1e-12 to 1000000000000"},
        {[] { jumping_coefficients(4, 1e13); }, "contrast is 10000000000000;"},
        {[=] { jumping_coefficients(4, nan); }, "contrast is nan"},
        {[] { convection_diffusion(0); }, "convection-diffusion: N is 0"},
        {[] { convection_diffusion(4, {.diffusion = 0}); }, "diffusion is 0; it has to be from 1e-100 to 1e+100"},
        {[=] { convection_diffusion(4, {.velocity_x = nan}); }, "velocity_x is nan"},
        {[=] { convection_diffusion(4, {.velocity_y = -infinity}); }, "velocity_y is -inf"},
        {[] { convection_diffusion(4, {.cell_peclet = -1}); }, "cell_peclet is -1; it has to be from 1e-100"},
        {[] { convection_diffusion(4, {.velocity_x = 0, .velocity_y = 0, .cell_peclet = 9}); },
         "cell_peclet is 9, but the velocity is 0"},
        {[] { convection_diffusion(4, {.velocity_x = 1e100, .cell_peclet = 1e-9}); }, "diffusion is"},
        {[] { convection_diffusion3d(1291); }, "convection-diffusion3d: N is 1291; it has to be from 1 to 1290"},
        {[=] { convection_diffusion3d(4, {.velocity_z = nan}); }, "velocity_z is nan"},
        {[] { stokes2d(1); }, "stokes2d: N is 1; it has to be from 2 to 26755"},
        {[] { stokes2d(26756); }, "N is 26756"},
        {[] { darcy2d(0, 2); }, "darcy2d: N is 0; it has to be from 1 to 26754"},
        {[=] { darcy2d(most, 2); }, "N is 2147483647"},
        {[] { darcy2d(4, 0.5); }, "contrast is 0.5; it has to be from 1 to"},
        {[=] { darcy2d(4, nan); }, "contrast is nan"},
        {[] { helmholtz2d(0); }, "helmholtz2d: N is 0"},
        {[] { helmholtz2d(4, 2.9); }, "points_per_wavelength is 2.9; it has to be from 3 to 1000000"},
        {[] { helmholtz2d_absorbing(1); }, "N is 1; it has to be from 2 to 32767"},
        {[=] { helmholtz2d_absorbing(4, nan); }, "points_per_wavelength is nan"},
        {[] { circuit(1); }, "circuit: nodes is 1; it has to be from 2 to 1000000000"},
        {[] { circuit(9, {.degree = 10}); }, "degree is 10; it has to be from 2 to 9"},
        {[] { circuit(9, {.voltage_sources = 0.3}); }, "voltage_sources is 0.3; it has to be from 0 to 0.25"},
        {[=] { circuit(9, {.controlled_sources = nan}); }, "controlled_sources is nan"},
        {[] { thermal_shell(0, 1, 1); }, "thermal-shell: NX is 0"},
        {[] { thermal_shell(1, 0, 1); }, "NY is 0"},
        {[] { thermal_shell(1, 1, 0); }, "layers is 0"},
        {[=] { thermal_shell(most, most, most); }, "NX (NY + 1) (layers + 1) has to be at most 2147483647"},
        {[] { thermal_shell(1, 1, 1, {.through_thickness = 0}); }, "through_thickness is 0"},
        {[] { thermal_shell(1, 1, 1, {.across_fibres = -1}); }, "across_fibres is -1"},
        {[] { thermal_shell(1, 1, 1, {.fibre_angle = 91}); }, "fibre_angle is 91; it has to be from -90 to 90"},
        {[=] { thermal_shell(1, 1, 1, {.thickness = infinity}); }, "thickness is inf"},
        {[] { elasticity(0, 1, 1); }, "elasticity: NX is 0; it has to be from 1"},
        {[] { elasticity(1, -1, 1); }, "NY is -1"},
        {[] { elasticity(1, 1, 0); }, "NZ is 0"},
        {[=] { elasticity(most, most, most); }, "3 NX (NY + 1) (NZ + 1) has to be at most 2147483647"},
        {[] { elasticity(1, 1, 357913941); }, "NX, NY, NZ are 1, 1, 357913941"},
        {[] { elasticity(1, 1, 1, -1); }, "youngs_modulus is -1"},
        {[] { elasticity(1, 1, 1, 1, 0.5); }, "poisson_ratio is 0.5; it has to be from -0.999999 to 0.499999"},
        {[] { elasticity(1, 1, 1, 1, -1); }, "poisson_ratio is -1"},
        {[=] { elasticity(1, 1, 1, 1, nan); }, "poisson_ratio is nan"},
        {[] { graph_laplacian(2, 2); }, "graph-laplacian: rows is 2; it has to be from 3"},
        {[] { graph_laplacian(9, 1); }, "degree is 1; it has to be from 2 to 8"},
        {[] { graph_laplacian(9, 9); }, "degree is 9"},
        {[] { random_spd(0, 0); }, "random-spd: 0 rows"},
        {[] { random_spd(10, 3); }, "3 nonzeros"},
    };
    for (const auto& [make, says] : refusals) CHECK_THAT(complaint(make), ContainsSubstring(says));
}

}  // namespace tests_of_generate
