// Factorised sparse approximate inverses against their definitions, in dense matrices.
#include "factors/fsai.hpp"

#include <Eigen/Core>
#include <glsolve/generate.hpp>

#include "support/catch.hpp"
#include "support/inverses.hpp"

namespace tests_of_fsai {

using namespace glsolve;
using namespace glsolve::test;
using Eigen::MatrixXd;
using Eigen::VectorXd;

namespace {

/// (G A)_ij = 0 on the pattern beside the diagonal, and diag(G A G^T) = 1: all that defines FSAI.
void check_fsai(const CsrMatrix& A, const SparsityPattern& pattern) {
    const FactorisedInverse made = fsai(A, pattern);
    REQUIRE(made.failure.empty());
    check(made.lower);
    check(made.upper);
    const MatrixXd G = dense(made.lower), D = dense(A), GA = G * D, GAGt = GA * G.transpose();
    CHECK((dense(made.upper) - G.transpose()).isZero(0));
    CHECK(made.lower.offsets == pattern.offsets);
    CHECK(made.lower.column == pattern.column);
    CHECK(made.fallback_rows == 0);
    each_place(pattern, [&](Index i, Index j) {
        const double size = (G.row(i).cwiseAbs() * D.col(j).cwiseAbs())(0);
        if (i != j) CHECK(std::abs(GA(i, j)) <= 1e-12 * size);
    });
    for (Index i = 0; i < A.rows; ++i) {
        CHECK(GAGt(i, i) == Approx(1).epsilon(1e-9));
        CHECK(G(i, i) > 0);
    }
}

std::vector<CsrMatrix> spd_matrices() {
    return {poisson2d(9),          scaled(poisson3d(4), 3), anisotropic(8, 1e-3),
            elasticity(2, 2, 2).A, random_spd(60, 400),     graph_laplacian(80, 4, Degrees::power_law)};
}

}  // namespace

TEST_CASE("FSAI meets its definition on many patterns", "[core][inverses]") {
    for (const CsrMatrix& A : spd_matrices()) {
        for (const int p : {0, 1, 2, 3}) check_fsai(A, fsai_pattern(A, fsai_power(p)));
        check_fsai(A, fsai_pattern(A, fixed({.power = 2, .drop = 0.05, .most_entries = 9})));
        check_fsai(A, fsai_pattern(A, steps(4, 2)));
        check_fsai(A, fsai_pattern(A));
    }
}

TEST_CASE("FSAI on a full triangle is the inverse of Cholesky's factor", "[core][inverses]") {
    const CsrMatrix A = poisson2d(5);
    const FactorisedInverse made = fsai(A, fsai_power(8));
    REQUIRE(made.lower.nonzeros() == 25 * 26 / 2);
    const MatrixXd L = cholesky(dense(A));
    CHECK((dense(made.lower) * L - MatrixXd::Identity(25, 25)).norm() < 1e-12);
    CHECK((dense(made.upper) * dense(made.lower) * dense(A) - MatrixXd::Identity(25, 25)).norm() < 1e-12);
}

TEST_CASE("FSAI of the diagonal is Jacobi", "[core][inverses]") {
    const CsrMatrix A = scaled(poisson2d(4), 5);
    const FactorisedInverse made = fsai(A, fsai_power(0));
    const std::vector<double> a = diagonal(A);
    REQUIRE(made.lower.nonzeros() == A.rows);
    for (std::size_t i = 0; i < a.size(); ++i) CHECK(made.lower.value[i] == Approx(1 / std::sqrt(a[i])));
}

TEST_CASE("FSAI of a negative definite matrix is that of its negative, with the other sign", "[core][inverses]") {
    const CsrMatrix A = scaled(poisson2d(5), 6);
    CsrMatrix minus_A = A;
    for (double& a : minus_A.value) a = -a;
    const FsaiOptions options = steps(3, 1);
    const FactorisedInverse plus = fsai(A, options), minus = fsai(minus_A, options);
    REQUIRE(minus.failure.empty());
    CHECK(minus.lower.column == plus.lower.column);
    CHECK(minus.lower.value == plus.lower.value);
    CHECK((dense(minus.upper) + dense(plus.upper)).isZero(0));
}

TEST_CASE("FSAI's pattern serves for new values", "[core][inverses]") {
    const CsrMatrix A = poisson2d(7);
    const SparsityPattern pattern = fsai_pattern(A, steps(3, 1));
    check_fsai(scaled(A, 8), pattern);
    check_fsai(anisotropic(7, 0.01), pattern);
}

TEST_CASE("adaptive FSAI takes the places that lower Kaporin's number most", "[core][inverses]") {
    for (const CsrMatrix& A : spd_matrices()) {
        const MatrixXd D = dense(A);
        FsaiOptions options = steps(1, 1);
        std::vector<std::vector<Index>> S;  // of each row, without the diagonal
        for (Index i = 0; i < A.rows; ++i) S.emplace_back();
        for (int count = 1; count <= 4; ++count) {
            options.adaptive_steps = count;
            const SparsityPattern pattern = fsai_pattern(A, options);
            for (Index i = 0; i < A.rows; ++i) {
                std::vector<Index>& places = S[static_cast<std::size_t>(i)];
                VectorXd g = VectorXd::Unit(A.rows, i);
                if (!places.empty()) {
                    const VectorXd of_row = D(places, i);
                    g(places) = -solution(D(places, places), of_row);
                }
                const VectorXd slope = D * g;
                const VectorXd gains = slope.head(i).cwiseAbs2().cwiseQuotient(D.diagonal().head(i));
                double best = 0;
                for (Index j = 0; j < i; ++j) {
                    if (std::ranges::find(places, j) == places.end()) best = std::max(best, gains(j));
                }
                std::vector<Index> added = columns_of(pattern, i);
                std::erase_if(added, [&](Index j) { return j == i || std::ranges::find(places, j) != places.end(); });
                REQUIRE(pattern.row(i).back() == i);
                REQUIRE(pattern.row(i).size() == places.size() + 1 + added.size());
                if (best > 1e-12 * D(i, i)) {
                    REQUIRE(added.size() == 1);
                    CHECK(gains(added[0]) == Approx(best));
                }
                places.insert(places.end(), added.begin(), added.end());
            }
        }
    }
}

TEST_CASE("adaptive steps add to what the power has, and stop where they gain little", "[core][inverses]") {
    const CsrMatrix A = poisson2d(10);
    FsaiOptions options = steps(3, 2, 0, power(1));
    const SparsityPattern grown = fsai_pattern(A, options), start = fsai_pattern(A, fsai_power(1));
    each_place(start, [&](Index i, Index j) { CHECK(has(grown, i, j)); });
    CHECK(grown.row(99).size() == start.row(99).size() + 6);
    const MatrixXd G = dense(fsai(A, grown).lower), of_start = dense(fsai(A, start).lower);
    for (Index i = 0; i < 100; ++i) CHECK(G(i, i) >= of_start(i, i) * (1 - 1e-14));  // psi = g_ii^-2 falls
    options.least_gain = 1;
    CHECK(fsai_pattern(A, options).row(99).size() == start.row(99).size() + 2);
}

TEST_CASE("adaptive rows take no place that makes their small matrix singular", "[core][inverses]") {
    const CsrMatrix A = matrix(
        3, {{0, 0, 1}, {0, 1, 1}, {0, 2, 0.5}, {1, 0, 1}, {1, 1, 1}, {1, 2, 0.4}, {2, 0, 0.5}, {2, 1, 0.4}, {2, 2, 2}});
    CHECK(columns_of(fsai_pattern(A, steps(2, 1)), 2) == std::vector<Index>{0, 2});
    CHECK(columns_of(fsai_pattern(A, steps(1, 2)), 2) == std::vector<Index>{0, 2});
}

TEST_CASE("FSAI names the first row that is not positive definite", "[core][inverses]") {
    CsrMatrix A = poisson2d(4);
    const auto set_diagonal = [&](Index i, double a) {
        for (Offset e = A.offsets.data()[i]; e < A.offsets.data()[i + 1]; ++e) {
            if (A.column.data()[e] == i) A.value.data()[e] = a;
        }
    };
    set_diagonal(11, -1);
    set_diagonal(6, 0.1);  // a_66 a_55 < a_65^2
    for (const FsaiOptions& options : {fsai_power(1), fsai_power(2), steps(3, 1, 0, power(1))}) {
        const FactorisedInverse made = fsai(A, options);
        CHECK_THAT(made.failure, StartsWith("row 7: ") && ContainsSubstring("not definite"));
        CHECK(made.lower.rows == 0);
        CHECK(made.upper.rows == 0);
    }
    CHECK_THAT(fsai(A, fsai_power(0)).failure, StartsWith("row 12: "));  // its diagonal only
    // Singular: the Laplacian of a ring, whose last row sees all others.
    std::vector<Triplet> ring;
    for (Index i = 0; i < 12; ++i) {
        ring.insert(ring.end(), {{i, i, 2}, {i, (i + 1) % 12, -1}, {(i + 1) % 12, i, -1}});
    }
    CHECK_THAT(fsai(matrix(12, ring), fsai_power(8)).failure, StartsWith("row 12: "));
    CHECK(fsai(matrix(12, ring), fsai_power(1)).failure.empty());
    CHECK_THAT(fsai(matrix(3, {{0, 0, 1}, {2, 2, 1}})).failure, StartsWith("row 2: "));  // an empty row
    CHECK_THAT(fsai(matrix(2, {{0, 0, 1}, {1, 1, 1e300}, {0, 1, 1e200}, {1, 0, 1e200}})).failure,
               StartsWith("row 2: "));
}

TEST_CASE("nonsymmetric FSAI meets its definition", "[core][inverses]") {
    for (const CsrMatrix& A : {random_square(50, 0.06, 21, 3), convection_diffusion(8), random_square(20, 0.3, 22)}) {
        for (const int p : {0, 1, 2}) {
            const SparsityPattern pattern = nonsymmetric_fsai_pattern(A, power(p));
            const FactorisedInverse made = nonsymmetric_fsai(A, pattern);
            check(made.lower);
            check(made.upper);
            CHECK(made.failure.empty());
            REQUIRE(made.fallback_rows == 0);
            const MatrixXd G = dense(made.lower), H = dense(made.upper), D = dense(A);
            const MatrixXd GA = G * D, AH = D * H, GAH = GA * H;
            each_place(pattern, [&](Index i, Index j) {
                if (i == j) return;
                CHECK(std::abs(GA(i, j)) <= 1e-11 * G.row(i).norm() * D.norm());
                CHECK(std::abs(AH(j, i)) <= 1e-11 * H.col(i).norm() * D.norm());
            });
            for (Index i = 0; i < A.rows; ++i) {
                CHECK(GAH(i, i) == Approx(1).epsilon(1e-9));
                CHECK(std::abs(G(i, i)) == Approx(std::abs(H(i, i))));
            }
        }
    }
}

TEST_CASE("nonsymmetric FSAI on full triangles is the inverse, and FSAI for SPD matrices", "[core][inverses]") {
    const CsrMatrix A = random_square(15, 0.9, 31, 2);
    const FactorisedInverse made = nonsymmetric_fsai(A, power(8));
    REQUIRE(made.fallback_rows == 0);
    CHECK((dense(made.upper) * dense(made.lower) * dense(A) - MatrixXd::Identity(15, 15)).norm() < 1e-9);
    const CsrMatrix B = scaled(poisson2d(6), 9);
    const FactorisedInverse symmetric = fsai(B, fsai_power(2)), general = nonsymmetric_fsai(B, power(2));
    REQUIRE(symmetric.lower.column == general.lower.column);
    CHECK((dense(symmetric.lower) - dense(general.lower)).norm() < 1e-10 * dense(symmetric.lower).norm());
    CHECK((dense(symmetric.upper) - dense(general.upper)).norm() < 1e-10 * dense(symmetric.upper).norm());
}

TEST_CASE("nonsymmetric FSAI falls back to Jacobi row by row", "[core][inverses]") {
    // The leading 2 x 2 block is singular; row 4 is empty; a_33 < 0.
    const CsrMatrix A = matrix(5, {{0, 0, 1}, {0, 1, 2}, {1, 0, 2}, {1, 1, 4}, {2, 2, -9}, {4, 4, 2}, {4, 0, 1}});
    const FactorisedInverse made = nonsymmetric_fsai(A, power(1));
    CHECK(made.fallback_rows == 2);
    const MatrixXd G = dense(made.lower), H = dense(made.upper);
    CHECK(G(1, 0) == 0);
    CHECK(H(0, 1) == 0);
    CHECK(G(1, 1) * H(1, 1) == Approx(0.25));
    CHECK(G(2, 2) * H(2, 2) == Approx(-1.0 / 9));
    CHECK(G(3, 3) * H(3, 3) == 1);
    CHECK((G * dense(A) * H)(4, 4) == Approx(1));
    // A zero on the diagonal that elimination fills is no reason.
    const CsrMatrix B = matrix(2, {{0, 0, 1}, {0, 1, 2}, {1, 0, 2}});
    const FactorisedInverse exact = nonsymmetric_fsai(B);
    CHECK(exact.fallback_rows == 0);
    CHECK((dense(exact.upper) * dense(exact.lower) * dense(B) - MatrixXd::Identity(2, 2)).norm() < 1e-14);
}

}  // namespace tests_of_fsai
