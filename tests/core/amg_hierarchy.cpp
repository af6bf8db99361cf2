// Levels of algebraic multigrid: lattices, aggregates, near-null spaces, products, complexities.
#include "amg/hierarchy.hpp"

#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <set>

#include "amg/interpolation.hpp"
#include "amg/sparse_product.hpp"
#include "support/catch.hpp"
#include "support/dense.hpp"

namespace tests_of_amg_hierarchy {

using namespace glsolve;
using test::dense;

namespace {

/// Every unknown with a strong neighbour is in one aggregate, each of them is used, and connected.
void check_aggregates(const Strength& S, const Aggregates& made) {
    REQUIRE(static_cast<Index>(made.of.size()) == S.size());
    std::vector<std::vector<Index>> members(static_cast<std::size_t>(made.count));
    for (Index i = 0; i < S.size(); ++i) {
        const Index a = made.of[static_cast<std::size_t>(i)];
        if (a == Aggregates::none) {
            CHECK(S.row(i).empty());
            continue;
        }
        REQUIRE(a < made.count);
        members[static_cast<std::size_t>(a)].push_back(i);
    }
    for (const std::vector<Index>& aggregate : members) {
        REQUIRE_FALSE(aggregate.empty());
        std::set<Index> open(aggregate.begin() + 1, aggregate.end());
        std::vector<Index> reached{aggregate.front()};
        for (std::size_t k = 0; k < reached.size(); ++k) {
            for (const Index j : S.row(reached[k])) {
                if (open.erase(j) > 0) reached.push_back(j);
            }
        }
        CHECK(open.empty());
    }
}

}  // namespace

TEST_CASE("grids are recognised from their matrices", "[core][amg]") {
    const auto size = [](const CsrMatrix& A) { return find_lattice(A).size; };
    CHECK(size(poisson2d(17)) == std::array<Index, 3>{17, 17, 1});
    CHECK(size(poisson3d(9)) == std::array<Index, 3>{9, 9, 9});
    CHECK(size(anisotropic(20, 0.01)) == std::array<Index, 3>{20, 20, 1});
    CHECK(size(convection_diffusion(11)) == std::array<Index, 3>{11, 11, 1});
    // A square of a 5-point matrix reaches two points away, and a wrap-around leads to no neighbour.
    const CsrMatrix A = poisson2d(12);
    CHECK_FALSE(find_lattice(multiply(A, A)));
    std::vector<Triplet> wrap{{11, 12, -1}, {12, 11, -1}};
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset k = A.offsets[static_cast<std::size_t>(i)]; k < A.offsets[static_cast<std::size_t>(i) + 1]; ++k) {
            wrap.push_back({i, A.column[static_cast<std::size_t>(k)], A.value[static_cast<std::size_t>(k)]});
        }
    }
    CHECK_FALSE(find_lattice(csr_from_triplets(A.rows, A.rows, wrap)));
    CHECK_FALSE(find_lattice(graph_laplacian(200, 6)));
    CHECK_FALSE(find_lattice(random_spd(100, 900)));
    CHECK_FALSE(find_lattice(CsrMatrix{}));
    CHECK_FALSE(
        find_lattice(csr_from_triplets(4, 4, std::vector<Triplet>{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 0, 1}})));
}

TEST_CASE("aggregates are connected, and all there is belongs to one", "[core][amg]") {
    for (const CsrMatrix& A : {poisson2d(23), poisson3d(8), graph_laplacian(500, 6, Degrees::power_law),
                               jumping_coefficients(20, 1e6), random_spd(300, 3000)}) {
        const Strength S = symmetric_strength(A, 0.08);
        check_aggregates(S, around_roots(S));
        if (const Lattice lattice = find_lattice(A)) {
            check_aggregates(S, blocks(lattice, joined_axes(lattice, A, 0.08)));
        }
    }
}

TEST_CASE("aggregates do not ask who depends on whom", "[core][amg]") {
    // Each depends on the one before it only.
    std::vector<Triplet> chain;
    for (Index i = 0; i < 90; ++i) {
        chain.push_back({i, i, 1.0});
        if (i > 0) chain.push_back({i, i - 1, -0.9});
    }
    const CsrMatrix flow = csr_from_triplets(90, 90, chain);
    const Hierarchy upwind(flow, {.on_lattice = false}, 10, false);
    REQUIRE(upwind.count() >= 2);
    CHECK(upwind.matrix(1).rows <= 45);
    const CsrMatrix branch = csr_from_triplets(
        3, 3, std::vector<Triplet>{{0, 0, 1}, {0, 1, -0.5}, {1, 1, 1}, {2, 0, -0.5}, {2, 1, -0.5}, {2, 2, 1}});
    const Hierarchy small(branch, {}, 1, false);
    for (int k = 0; k < small.count(); ++k) {
        for (const double d : diagonal(small.matrix(k))) CHECK(d != 0);
    }
}

TEST_CASE("aggregates of a grid are blocks along its strong axes", "[core][amg]") {
    const CsrMatrix A = poisson2d(10);
    const auto blocks_for = [](const CsrMatrix& matrix) {
        const Lattice lattice = find_lattice(matrix);
        return blocks(lattice, joined_axes(lattice, matrix, 0.08));
    };
    const Aggregates made = blocks_for(A);
    CHECK(made.lattice.size == std::array<Index, 3>{3, 3, 1});
    CHECK(made.count == 9);
    CHECK(made.of[0] == made.of[22]);
    CHECK(made.of[0] != made.of[3]);
    CHECK(made.of[99] == 8);
    // Weak along y: whole lines stay apart.
    const Aggregates lines = blocks_for(anisotropic(10, 1e-3));
    CHECK(lines.count == 30);
    CHECK(
        (lines.lattice.size == std::array<Index, 3>{3, 10, 1} || lines.lattice.size == std::array<Index, 3>{10, 3, 1}));
}

TEST_CASE("tentative prolongations keep the near-null space and are orthonormal", "[core][amg]") {
    const ElasticBody body = elasticity(5, 4, 3);
    const NearNullSpace B{6, rigid_body_modes(body.coordinates, 3)};
    const Index points = body.A.rows / 3;
    std::vector<Index> point_of(static_cast<std::size_t>(body.A.rows));
    for (std::size_t i = 0; i < point_of.size(); ++i) point_of[i] = static_cast<Index>(i) / 3;
    const Strength S = symmetric_strength(condense(body.A, point_of, points), 0.08);
    const Aggregates made = around_roots(S);
    std::vector<Index> of(point_of.size());
    for (std::size_t i = 0; i < of.size(); ++i) of[i] = made.of[static_cast<std::size_t>(point_of[i])];
    const Tentative tentative = tentative_prolongation(B, of, made.count);

    const Eigen::MatrixXd T = dense(tentative.T);
    CHECK((T.transpose() * T - Eigen::MatrixXd::Identity(T.cols(), T.cols())).norm() < 1e-12);
    const auto rows = [](const NearNullSpace& N) {
        return Eigen::Map<const Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>(
            N.values.data(), static_cast<Eigen::Index>(N.values.size()) / N.vectors, N.vectors);
    };
    CHECK((T * rows(tentative.coarse) - rows(B)).norm() < 1e-11 * rows(B).norm());
    REQUIRE(tentative.aggregate_of.size() == static_cast<std::size_t>(T.cols()));
    CHECK(std::is_sorted(tentative.aggregate_of.begin(), tentative.aggregate_of.end()));
}

TEST_CASE("rigid bodies move and turn without being deformed", "[core][amg]") {
    // u.(x - y) is zero to first order between any two points: distances stay.
    const std::vector<double> points{0, 1, 3, 0, 0.5, -1, 0, -2, 0.25};  // x of all, then y, then z
    const std::vector<double> modes = rigid_body_modes(points, 3);
    REQUIRE(modes.size() == 9 * 6);
    for (std::size_t m = 0; m < 6; ++m) {
        for (std::size_t p = 0; p < 3; ++p) {
            for (std::size_t q = 0; q < 3; ++q) {
                double stretch = 0;
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    stretch += (modes[(p * 3 + axis) * 6 + m] - modes[(q * 3 + axis) * 6 + m])
                               * (points[axis * 3 + p] - points[axis * 3 + q]);
                }
                CHECK(std::abs(stretch) < 1e-12);
            }
        }
    }
    CHECK(rigid_body_modes({0, 0, 1, 2}, 2).size() == 4 * 3);
    CHECK_THROWS_AS(rigid_body_modes({1, 2, 3, 4}, 3), InvalidInput);
    CHECK_THROWS_AS(rigid_body_modes({1, 2, 3, 4}, 4), InvalidInput);
}

TEST_CASE("sparse products and Galerkin's match dense ones", "[core][amg]") {
    const CsrMatrix A = random_spd(120, 1500), B = graph_laplacian(120, 8);
    CHECK((dense(multiply(A, B)) - dense(A) * dense(B)).norm() < 1e-12 * (dense(A).norm() * dense(B).norm()));
    for (const Coarsening coarsening : all_coarsenings()) {
        const CsrMatrix fine = poisson2d(14);
        const Hierarchy h(fine, {.coarsening = coarsening}, 20, true);
        REQUIRE(h.count() >= 2);
        for (int k = 0; k + 1 < h.count(); ++k) {
            const Eigen::MatrixXd P = dense(h.level(k).P), coarse = dense(h.matrix(k + 1));
            CHECK((dense(h.level(k).Pt) - P.transpose()).norm() == 0);
            CHECK((coarse - P.transpose() * dense(h.matrix(k)) * P).norm() < 1e-12 * coarse.norm());
            check(h.matrix(k + 1));
        }
        CHECK(h.matrix(h.count() - 1).rows <= 20);
    }
}

TEST_CASE("bounds of the spectral radius hold, and are close", "[core][amg]") {
    for (const CsrMatrix& A : {poisson2d(12), random_spd(150, 1500), elasticity(3, 3, 2).A}) {
        const Eigen::VectorXd d = dense(A).diagonal().cwiseSqrt().cwiseInverse();
        const Eigen::MatrixXd scaled = d.asDiagonal() * dense(A) * d.asDiagonal();
        const double radius = test::eigenvalues_of_symmetric(scaled).maxCoeff();
        CHECK(spectral_radius(A) >= 0.98 * radius);
        CHECK(spectral_radius(A) <= 1.4 * radius);
    }
}

TEST_CASE("hierarchies stay small", "[core][amg]") {
    const auto complexity = [](const CsrMatrix& A, const AmgOptions& options) {
        return analyze_hierarchy(A, options).operator_complexity();
    };
    const AmgOptions aggregation{.coarsest = 100}, classical{.coarsening = Coarsening::ruge_stueben, .coarsest = 100},
        scattered{.coarsest = 100, .on_lattice = false};
    const CsrMatrix plane = poisson2d(200), space = poisson3d(30);
    CHECK(complexity(plane, aggregation) <= 1.5);
    CHECK(complexity(space, aggregation) <= 1.9);
    CHECK(complexity(plane, scattered) <= 1.5);
    CHECK(complexity(space, scattered) <= 1.9);
    CHECK(complexity(plane, classical) <= 2.3);
    CHECK(complexity(space, classical) <= 2.8);
    CHECK(analyze_hierarchy(plane, aggregation).grid_complexity() < 1.2);
}

TEST_CASE("new numbers go through all levels", "[core][amg]") {
    for (const Coarsening coarsening : all_coarsenings()) {
        CsrMatrix A = jumping_coefficients(24, 10);
        Hierarchy h(A, {.coarsening = coarsening}, 30, true);
        const int levels = h.count();
        for (double& a : A.value) a *= 3;
        h.update(A);
        REQUIRE(h.count() == levels);
        const Hierarchy fresh(A, {.coarsening = coarsening}, 30, true);
        REQUIRE(fresh.count() == levels);
        for (int k = 0; k < levels; ++k) {
            const CsrView mine = h.matrix(k), theirs = fresh.matrix(k);
            REQUIRE(std::ranges::equal(mine.column, theirs.column));
            double worst = 0;
            for (std::size_t e = 0; e < mine.value.size(); ++e) {
                worst = std::max(worst, std::abs(mine.value[e] - theirs.value[e]));
            }
            CHECK(worst < 1e-10);
        }
    }
}

TEST_CASE("levels forget their numbers, and find them again", "[core][amg]") {
    // Down to a few points: the last levels may be no grids any more, and the first ones still are.
    for (const Index coarsest : {30, 6, 1}) {
        const CsrMatrix A = jumping_coefficients(24, 10), other = jumping_coefficients(24, 30);
        Hierarchy h(A, {}, coarsest, true);
        const Hierarchy fresh(A, {}, coarsest, true);
        const int levels = h.count();
        for (const CsrMatrix* next : {&A, &other, &A}) {
            h.forget_numbers();
            CHECK(h.takes(true));
            CHECK_FALSE(h.takes(false));
            CHECK(h.level(0).P.nonzeros() == 0);
            h.update(*next);
            REQUIRE(h.count() == levels);
            CAPTURE(coarsest, next == &A);
            CHECK((h.level(0).P.value == fresh.level(0).P.value) == (next == &A));
        }
        for (int k = 0; k < levels; ++k) {
            CAPTURE(k);
            CHECK(std::ranges::equal(h.matrix(k).column, fresh.matrix(k).column));
            CHECK(std::ranges::equal(h.matrix(k).value, fresh.matrix(k).value));
            CHECK(h.level(k).P.value == fresh.level(k).P.value);
            CHECK(h.level(k).radius == fresh.level(k).radius);
        }
    }
    CHECK(Hierarchy(random_spd(200, 1000), {}, 30, true).takes(false));  // on no grid
}

TEST_CASE("levels for the host are those that are small enough, behind the finest", "[core][amg]") {
    const CsrMatrix A = poisson2d(40);
    const auto levels = analyze_hierarchy(A, {.coarsest = 10}).levels;
    REQUIRE(levels.size() > 2);
    for (const LevelReport& level : levels) CHECK_FALSE(level.on_host);
    for (const Index rows : {levels[0].rows, levels[1].rows, levels[1].rows - 1, levels.back().rows - 1}) {
        const auto made = analyze_hierarchy(A, {.coarsest = 10, .host_rows = rows}).levels;
        CAPTURE(rows);
        REQUIRE(made.size() == levels.size());
        for (std::size_t k = 0; k < made.size(); ++k) CHECK(made[k].on_host == (k > 0 && made[k].rows <= rows));
    }
}

TEST_CASE("what cannot be coarsened is left alone", "[core][amg]") {
    std::vector<Triplet> diagonal;
    for (Index i = 0; i < 50; ++i) diagonal.push_back({i, i, 1.0 + i});
    const CsrMatrix D = csr_from_triplets(50, 50, diagonal);
    for (const Coarsening coarsening : all_coarsenings()) {
        CHECK(analyze_hierarchy(D, {.coarsening = coarsening, .coarsest = 10}).levels.size() == 1);
    }
    CHECK(analyze_hierarchy(CsrMatrix{}).levels.size() == 1);
}

TEST_CASE("options of multigrid that make no sense are refused", "[core][amg]") {
    const CsrMatrix A = poisson2d(4);
    const auto refused = [&](const AmgOptions& options) {
        CHECK_THROWS_AS(analyze_hierarchy(A, options), InvalidInput);
    };
    refused({.steps = -1});
    refused({.steps = 17});
    refused({.strength = 1});
    refused({.strength = std::nan("")});
    refused({.truncation = -0.1});
    refused({.truncation = 1});
    refused({.coarsest = -1});
    refused({.host_rows = -1});
    refused({.levels = 0});
    refused({.near_null_space = {1, 2, 3}});
    refused({.unknowns_a_point = 3});
    refused({.smoother = MultigridSmoother::cf_jacobi});
    refused({.near_null_space = std::vector<double>(16, std::nan(""))});
    CHECK_THROWS_AS(analyze_hierarchy(csr_from_triplets(2, 3, std::vector<Triplet>{{0, 2, 1}})), InvalidInput);
}

}  // namespace tests_of_amg_hierarchy
