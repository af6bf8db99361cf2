// Interpolation from the centres of blocks of a grid.
#include "amg/interpolation.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <glsolve/generate.hpp>
#include <string>

#include "amg/hierarchy.hpp"
#include "support/catch.hpp"
#include "support/dense.hpp"

namespace tests_of_amg_block_interpolation {

using namespace glsolve;
using test::dense;

namespace {

using Joined = std::array<bool, 3>;

CsrMatrix interpolation(const CsrMatrix& A, const Lattice& points, Joined joined) {
    const CsrMatrix P = block_interpolation(A, points, blocks(points, joined).lattice);
    check(P);
    return P;
}

/// The couplings stay, and rows sum to zero: no boundary holds anything.
CsrMatrix without_boundary(CsrMatrix A) {
    std::vector<double> sums(static_cast<std::size_t>(A.rows));
    multiply(A, std::vector<double>(sums.size(), 1.0), sums);
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + std::size_t{1}]; ++k) {
            if (A.column[k] == i) A.value[k] -= sums[i];
        }
    }
    return A;
}

/// -(k u')' with the coupling k[i] between i - 1 and i; what lies beyond either end is zero.
CsrMatrix line(const std::vector<double>& k) {
    std::vector<Triplet> entries;
    const auto n = static_cast<Index>(k.size()) - 1;
    for (Index i = 0; i < n; ++i) {
        if (i > 0) entries.push_back({i, i - 1, -k[i]});
        entries.push_back({i, i, k[i] + k[i + std::size_t{1}]});
        if (i + 1 < n) entries.push_back({i, i + 1, -k[i + std::size_t{1}]});
    }
    return csr_from_triplets(n, n, entries);
}

Eigen::MatrixXd linear(Index n) {
    return dense(interpolation(line(std::vector<double>(n + std::size_t{1}, 1.0)), {{n, 1, 1}}, {true, false, false}));
}

bool is_centre(Index point) { return point % 3 == 1; }

std::size_t longest_row(CsrView A) {
    Offset most = 0;
    for (Index i = 0; i < A.rows; ++i) most = std::max(most, A.offsets[i + std::size_t{1}] - A.offsets[i]);
    return static_cast<std::size_t>(most);
}

}  // namespace

TEST_CASE("on a line interpolation between centres of blocks is linear", "[core][amg]") {
    for (const Index n : {2, 3, 4, 5, 9, 10, 11}) {
        CAPTURE(n);
        const Eigen::MatrixXd P = linear(n);
        REQUIRE(P.cols() == blocks_of(n));
        for (Index i = 0; i < n; ++i) {
            for (Index c = 0; c < P.cols(); ++c) {
                // A hat of width 3; to the zero at n, behind the last centre.
                const double behind = c + 1 == P.cols() ? n - block_centre(c) : 3;
                const double before = c == 0 ? 2 : 3;
                const double distance = i - block_centre(c);
                const double hat = distance < 0 ? 1 + distance / before : 1 - distance / behind;
                CHECK(P(i, c) == Approx(std::max(hat, 0.0)).margin(1e-14));
            }
        }
    }
}

TEST_CASE("on a line interpolation solves the equations between centres, however coefficients jump", "[core][amg]") {
    std::vector<double> k{1, 1e3, 1, 1, 1e-4, 5, 1e4, 1, 2, 1e-3, 1, 7, 1e2, 1e2, 1, 3};
    const CsrMatrix A = line(k);
    const Eigen::MatrixXd AP = dense(A) * dense(interpolation(A, {{A.rows, 1, 1}}, {true, false, false}));
    for (Index i = 0; i < A.rows; ++i) {
        if (!is_centre(i)) CHECK(AP.row(i).cwiseAbs().maxCoeff() < 1e-11 * 1e4);
    }
}

TEST_CASE("between lines of a plane and planes of space it is linear along each axis", "[core][amg]") {
    const Eigen::MatrixXd x = linear(8);
    const auto check_products = [&](const CsrMatrix& P, Index height) {
        const Eigen::MatrixXd found = dense(P), z = height == 1 ? Eigen::MatrixXd::Ones(1, 1) : linear(height);
        for (Index i = 0; i < P.rows; ++i) {
            const Lattice points{{8, 8, height}}, coarse{{3, 3, static_cast<Index>(z.cols())}};
            const auto at = points.place(i);
            // Zeros outside bend what is near the boundary.
            if (std::any_of(at.begin(), at.begin() + (height == 1 ? 2 : 3), [](Index p) { return p == 0 || p > 6; })) {
                continue;
            }
            for (Index j = 0; j < P.columns; ++j) {
                const auto to = coarse.place(j);
                CHECK(found(i, j) == Approx(x(at[0], to[0]) * x(at[1], to[1]) * z(at[2], to[2])).margin(1e-13));
            }
        }
    };
    check_products(interpolation(poisson2d(8), {{8, 8, 1}}, {true, true, false}), 1);
    check_products(interpolation(poisson3d(8), {{8, 8, 8}}, {true, true, true}), 8);
}

TEST_CASE("constants stay constant between blocks where rows sum to zero", "[core][amg]") {
    const auto check_sums = [](const CsrMatrix& A, const Lattice& points, Joined joined) {
        const CsrMatrix P = interpolation(without_boundary(A), points, joined);
        std::vector<double> sums(static_cast<std::size_t>(A.rows));
        multiply(P, std::vector<double>(static_cast<std::size_t>(P.columns), 1.0), sums);
        for (const double sum : sums) CHECK(std::abs(sum - 1) < 1e-9);
    };
    const Joined plane{true, true, false};
    check_sums(poisson2d(20), {{20, 20, 1}}, plane);
    check_sums(poisson3d(10), {{10, 10, 10}}, {true, true, true});
    check_sums(poisson3d(10), {{10, 10, 10}}, {true, false, true});
    check_sums(anisotropic(21, 1e-2), {{21, 21, 1}}, {true, false, false});
    check_sums(anisotropic(21, 1e-2), {{21, 21, 1}}, plane);
    for (const Coefficients kind : {Coefficients::checkerboard, Coefficients::inclusions, Coefficients::cells}) {
        check_sums(jumping_coefficients(40, 1e4, kind), {{40, 40, 1}}, plane);
    }
}

TEST_CASE("gaps that nothing determines take the value of their blocks", "[core][amg]") {
    // Points 2 and 3 are coupled to each other only, and so is nothing to 8.
    const CsrMatrix A = without_boundary(line({0, 1, 1, 0, 1, 0, 1, 1, 0, 0}));
    const Eigen::MatrixXd P = dense(interpolation(A, {{9, 1, 1}}, {true, false, false}));
    CHECK(P(2, 0) == 1);
    CHECK(P(2, 1) == 0);
    CHECK(P(3, 0) == 0);
    CHECK(P(3, 1) == 1);
    CHECK(P(8, 2) == 1);
}

TEST_CASE("levels of a grid are grids with neighbours only, down to the coarsest", "[core][amg]") {
    struct Problem {
        std::string name;
        CsrMatrix A;
        std::size_t neighbours, corners;
        int levels;  ///< at least
    };
    const std::vector<Problem> problems{{"plane", poisson2d(100), 9, 4, 4},
                                        {"space", poisson3d(30), 27, 8, 3},
                                        {"lines", anisotropic(90, 1e-3), 9, 4, 4},
                                        {"cells", jumping_coefficients(80, 5, Coefficients::cells), 9, 4, 3}};
    for (const Problem& problem : problems) {
        INFO(problem.name);
        const Hierarchy h(problem.A, {}, 50, true);
        REQUIRE(h.count() >= problem.levels);
        for (int k = 0; k + 1 < h.count(); ++k) {
            CAPTURE(k);
            const AmgLevel& level = h.level(k);
            CHECK(fits(level.points, h.matrix(k)));
            CHECK(fits(level.blocks, h.matrix(k + 1)));
            CHECK(longest_row(h.matrix(k + 1)) <= problem.neighbours);
            CHECK(longest_row(level.P) <= problem.corners);
        }
    }
}

TEST_CASE("flows over a grid are interpolated by smoothing", "[core][amg]") {
    const CsrMatrix A = convection_diffusion(30, {.diffusion = 1});
    const Hierarchy h(A, {}, 50, false);
    const AmgLevel& finest = h.level(0);
    REQUIRE(finest.blocks);
    const CsrMatrix P = smoothed(A, nullptr, finest.tentative, 4.0 / 3.0 / finest.radius);
    CHECK(finest.P.column == P.column);
    CHECK(finest.P.value == P.value);
}

}  // namespace tests_of_amg_block_interpolation
