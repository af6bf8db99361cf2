// The elastic body against an assembly of its own from bricks and Gauss points, and against exact solutions.
#include <Eigen/Geometry>
#include <array>
#include <cmath>
#include <functional>
#include <glsolve/generate.hpp>

#include "support/catch.hpp"
#include "support/dense.hpp"

namespace tests_of_elasticity {

using namespace glsolve;

namespace {

using Vector3 = Eigen::Vector3d;

/// The stiffness of a brick with edges of length 1: the sum of B^T D B over 2 x 2 x 2 Gauss points. Corner c lies at
/// (c & 1, c >> 1 & 1, c >> 2).
Eigen::MatrixXd brick_stiffness(double E, double nu) {
    Eigen::MatrixXd D = Eigen::MatrixXd::Zero(6, 6);  // stress from strain xx, yy, zz, yz, zx, xy
    D.topLeftCorner(3, 3).setConstant(nu);
    D.topLeftCorner(3, 3).diagonal().setConstant(1 - nu);
    D.bottomRightCorner(3, 3).diagonal().setConstant((1 - 2 * nu) / 2);
    D *= E / ((1 + nu) * (1 - 2 * nu));
    Eigen::MatrixXd K = Eigen::MatrixXd::Zero(24, 24);
    for (int point = 0; point < 8; ++point) {
        Eigen::MatrixXd B = Eigen::MatrixXd::Zero(6, 24);
        for (int corner = 0; corner < 8; ++corner) {
            std::array<double, 3> f{}, slope{};
            for (int d = 0; d < 3; ++d) {
                const double t = 0.5 + ((point >> d & 1) != 0 ? 1 : -1) / std::sqrt(12.0);
                f[d] = (corner >> d & 1) != 0 ? t : 1 - t;
                slope[d] = (corner >> d & 1) != 0 ? 1 : -1;
            }
            const double x = slope[0] * f[1] * f[2], y = f[0] * slope[1] * f[2], z = f[0] * f[1] * slope[2];
            B.block(0, Eigen::Index{3} * corner, 6, 3) << x, 0, 0, 0, y, 0, 0, 0, z, 0, z, y, z, 0, x, y, x, 0;
        }
        K += B.transpose() * D * B / 8;
    }
    return K;
}

Eigen::MatrixXd assembled(Index NX, Index NY, Index NZ, double E, double nu) {
    const Eigen::MatrixXd K = brick_stiffness(E, nu);
    const Index size = 3 * NX * (NY + 1) * (NZ + 1);
    Eigen::MatrixXd A = Eigen::MatrixXd::Zero(size, size);
    for (Index brick = 0; brick < NX * NY * NZ; ++brick) {
        // The first unknown at a corner; negative where it is clamped.
        const auto unknown = [&](Index c) -> Index {
            const Index x = brick % NX + (c & 1), y = brick / NX % NY + (c >> 1 & 1), z = brick / NX / NY + (c >> 2);
            return x == 0 ? -1 : 3 * (x - 1 + NX * (y + (NY + 1) * z));
        };
        for (Index c = 0; c < 8; ++c) {
            for (Index d = 0; d < 8; ++d) {
                if (unknown(c) < 0 || unknown(d) < 0) continue;
                A.block(unknown(c), unknown(d), 3, 3) += K.block(Eigen::Index{3} * c, Eigen::Index{3} * d, 3, 3);
            }
        }
    }
    return A;
}

constexpr Index NX = 5, NY = 3, NZ = 4;

Vector3 node(const ElasticBody& body, Index i) {
    const std::size_t nodes = body.coordinates.size() / 3, at = static_cast<std::size_t>(i);
    return {body.coordinates[at], body.coordinates[at + nodes], body.coordinates[at + 2 * nodes]};
}

/// The forces A u at each node, u(node) its displacement.
std::vector<Vector3> forces(const ElasticBody& body, const std::function<Vector3(const Vector3&)>& u) {
    const auto rows = static_cast<std::size_t>(body.A.rows);
    std::vector<double> x(rows), y(rows);
    for (std::size_t i = 0; i < rows; ++i) x[i] = u(node(body, static_cast<Index>(i / 3)))[static_cast<Index>(i % 3)];
    multiply(body.A, x, y);
    std::vector<Vector3> result(rows / 3);
    for (std::size_t i = 0; i < rows; ++i) result[i / 3][static_cast<Index>(i % 3)] = y[i];
    return result;
}

/// Rows of nodes at x = 1 miss the clamped neighbours.
bool beside_clamp(const Vector3& p) { return p[0] == 1; }

bool inside(const Vector3& p) {
    return !beside_clamp(p) && p[0] < NX && p[1] > 0 && p[1] < NY && p[2] > 0 && p[2] < NZ;
}

}  // namespace

TEST_CASE("elasticity is what bricks and Gauss points add up to", "[generate]") {
    for (const auto& bricks : {std::array<Index, 3>{1, 1, 1}, {3, 1, 2}, {2, 3, 2}}) {
        for (const double nu : {0.3, 0.0, -0.4, 0.49}) {
            const auto [x, y, z] = bricks;
            const Eigen::MatrixXd expected = assembled(x, y, z, 7, nu);
            const CsrMatrix A = elasticity(x, y, z, 7, nu).A;
            REQUIRE(A.rows == expected.rows());
            CHECK((test::dense(A) - expected).cwiseAbs().maxCoeff() < 1e-14 * expected.cwiseAbs().maxCoeff());
        }
    }
}

TEST_CASE("elasticity stores whole 3 x 3 blocks of neighbouring nodes", "[generate]") {
    const ElasticBody body = elasticity(NX, NY, NZ);
    const CsrMatrix& A = body.A;
    CHECK(A.rows == 3 * NX * (NY + 1) * (NZ + 1));
    CHECK(body.coordinates.size() == static_cast<std::size_t>(A.rows));
    for (Index row = 0; row < A.rows; ++row) {
        std::vector<Index> expected;
        for (Index other = 0; other < A.rows / 3; ++other) {
            if ((node(body, row / 3) - node(body, other)).cwiseAbs().maxCoeff() > 1) continue;
            for (Index d = 0; d < 3; ++d) expected.push_back(3 * other + d);
        }
        CHECK(std::vector(A.column.begin() + A.offsets[row], A.column.begin() + A.offsets[row + 1]) == expected);
    }
}

TEST_CASE("moving a body as a whole takes no force", "[generate]") {
    const ElasticBody body = elasticity(NX, NY, NZ, 200, 0.3);
    for (Index axis = 0; axis < 3; ++axis) {
        const Vector3 e = Vector3::Unit(axis);
        const auto shifted = forces(body, [&](const Vector3&) { return e; });
        const auto turned = forces(body, [&](const Vector3& p) -> Vector3 { return e.cross(p); });
        for (std::size_t i = 0; i < shifted.size(); ++i) {
            if (beside_clamp(node(body, static_cast<Index>(i)))) continue;
            CHECK(shifted[i].norm() < 1e-11);
            CHECK(turned[i].norm() < 1e-11);
        }
    }
}

TEST_CASE("a linear displacement leaves no force inside: the patch test", "[generate]") {
    const ElasticBody body = elasticity(NX, NY, NZ, 3, 0.2);
    Eigen::Matrix3d gradient;
    gradient << 1, -2, 0.5, 0.3, 0.7, -1.1, 2, 0.4, -0.6;
    const auto f = forces(body, [&](const Vector3& p) -> Vector3 { return gradient * p; });
    int nodes = 0;
    double largest = 0;
    for (std::size_t i = 0; i < f.size(); ++i) {
        largest = std::max(largest, f[i].norm());
        if (!inside(node(body, static_cast<Index>(i)))) continue;
        CHECK(f[i].norm() < 1e-12);
        ++nodes;
    }
    CHECK(nodes == (NX - 2) * (NY - 1) * (NZ - 1));
    CHECK(largest > 1);
}

TEST_CASE("a bar under tension is stretched as Young and Poisson say", "[generate]") {
    constexpr double E = 50, nu = 0.35;
    const ElasticBody body = elasticity(NX, NY, NZ, E, nu);
    // The stress is 1 along x, 0 else.
    const auto f = forces(body, [&](const Vector3& p) -> Vector3 { return Vector3(p[0], -nu * p[1], -nu * p[2]) / E; });
    for (std::size_t i = 0; i < f.size(); ++i) {
        const Vector3 p = node(body, static_cast<Index>(i));
        if (beside_clamp(p)) continue;
        // A node of the end face bears a quarter of each brick's face that it belongs to.
        const double along_y = p[1] == 0 || p[1] == NY ? 0.5 : 1, along_z = p[2] == 0 || p[2] == NZ ? 0.5 : 1;
        const double expected = p[0] == NX ? along_y * along_z : 0;
        CHECK((f[i] - Vector3(expected, 0, 0)).norm() < 1e-13);
    }
}

}  // namespace tests_of_elasticity
