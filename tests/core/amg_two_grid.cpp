// Does the coarse space do what smoothing does not? The two-grid method, with dense matrices, in double precision.
#include <Eigen/Core>
#include <glsolve/generate.hpp>
#include <string>

#include "amg/interpolation.hpp"
#include "support/catch.hpp"
#include "support/dense.hpp"

namespace tests_of_amg_two_grid {

using namespace glsolve;

namespace {

using Eigen::MatrixXd;

/// I - L^-1 A, L the lower triangle with the diagonal: what one sweep of Gauss and Seidel leaves of an error.
MatrixXd smoothed(const MatrixXd& A) {
    const MatrixXd unit = MatrixXd::Identity(A.rows(), A.cols());
    return unit - test::solution(A.triangularView<Eigen::Lower>(), A);
}

/// The spectral radius of  G (I - P (P^T A P)^-1 P^T A) G.
double two_grid_rate(const CsrMatrix& matrix, const CsrMatrix& interpolation) {
    const MatrixXd A = test::dense(matrix), P = test::dense(interpolation), G = smoothed(A);
    const MatrixXd unit = MatrixXd::Identity(A.rows(), A.cols());
    const MatrixXd coarse = P.transpose() * A * P;
    const MatrixXd corrected = unit - P * test::solution(coarse, P.transpose() * A);
    return test::spectral_radius(G * corrected * G);
}

}  // namespace

TEST_CASE("the two-grid method converges fast: grids, lines, jumps, graphs", "[core][amg]") {
    struct Problem {
        std::string name;
        CsrMatrix A;
        double direct, extended;  ///< what may be left of an error: Falgout and direct, PMIS and extended interpolation
    };
    const std::vector<Problem> problems{
        {"grid", poisson2d(12), 0.1, 0.12},
        {"brick", poisson3d(5), 0.055, 0.085},
        {"lines", anisotropic(12, 1e-3), 0.09, 0.09},
        {"weak lines", anisotropic(12, 0.3), 0.1, 0.15},
        {"checkerboard", jumping_coefficients(12, 1e4), 0.05, 0.05},
        {"inclusions", jumping_coefficients(12, 1e4, Coefficients::inclusions), 0.085, 0.145},
        {"graph", graph_laplacian(150, 6), 0.04, 0.13},
        {"hubs", graph_laplacian(150, 6, Degrees::power_law), 0.07, 0.2},
    };
    for (const Problem& problem : problems) {
        INFO(problem.name);
        const CsrMatrix& A = problem.A;
        const Strength S = classical_strength(A, 0.25);
        CHECK(two_grid_rate(A, direct_interpolation(A, S, split_falgout(S), {})) < problem.direct);
        const Splitting pmis = split_pmis(S);
        CHECK(two_grid_rate(A, extended_interpolation(A, S, pmis, {})) < problem.extended);
        CHECK(two_grid_rate(A, extended_interpolation(A, S, pmis, {.factor = 0.2, .most = 4})) < problem.extended);
    }
}

// C points that PMIS leaves are too far apart for interpolation from neighbours only.
TEST_CASE("PMIS wants extended interpolation", "[core][amg]") {
    const CsrMatrix A = poisson2d(12);
    const Strength S = classical_strength(A, 0.25);
    const Splitting pmis = split_pmis(S);
    CHECK(two_grid_rate(A, direct_interpolation(A, S, pmis, {}))
          > 2 * two_grid_rate(A, extended_interpolation(A, S, pmis, {})));
}

// Corners of the tiles: F points side by side, whose C points lie on either side of the jump.
TEST_CASE("the second pass helps direct interpolation across jumps", "[core][amg]") {
    const CsrMatrix A = jumping_coefficients(16, 1e4);
    const Strength S = classical_strength(A, 0.25);
    const auto rate = [&](bool second) {
        return two_grid_rate(A, direct_interpolation(A, S, split_ruge_stueben(S, second), {}));
    };
    CHECK(rate(false) > 0.2);
    CHECK(rate(true) < 0.1);
}

}  // namespace tests_of_amg_two_grid
