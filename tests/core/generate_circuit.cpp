// Random circuits: the structure of modified nodal analysis, inertia, what sources do, nonsingularity.
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <glsolve/generate.hpp>

#include "support/catch.hpp"
#include "support/dense.hpp"

namespace tests_of_generate_circuit {

using namespace glsolve;
using namespace glsolve::test;

namespace {

constexpr Circuit resistors{.voltage_sources = 0, .controlled_sources = 0};

}  // namespace

TEST_CASE("resistors alone are a grounded Laplacian with conductances over six orders of magnitude", "[generate]") {
    const CsrMatrix A = circuit(400, resistors);
    REQUIRE_NOTHROW(check(A));
    CHECK(A.rows == 400);
    CHECK(asymmetry(A) == 0);
    CHECK(inertia(circuit(40, resistors)) == Inertia{0, 0, 40});
    double least = 1, largest = 0;
    Index weak = 0, pairs = 0;
    for (Index row = 0; row < A.rows; ++row) {
        double sum = 0, absolute = 0;
        for (Offset k = A.offsets[row]; k < A.offsets[row + 1]; ++k) {
            sum += A.value[k];
            absolute += std::abs(A.value[k]);
            if (A.column[k] == row) continue;
            CHECK(A.value[k] < 0);
            least = std::min(least, -A.value[k]);
            largest = std::max(largest, -A.value[k]);
            weak += -A.value[k] < 1e-3;
            ++pairs;
        }
        CHECK(sum >= -1e-14 * absolute);  // what is left flows to the ground
    }
    CHECK(least > 1e-6);
    CHECK(least < 2e-6);
    CHECK(largest > 0.5);
    CHECK(weak > 0.4 * pairs);  // half of them, but for those in parallel
    CHECK(weak < 0.55 * pairs);
}

TEST_CASE("voltage sources are zeros on the diagonal, each a negative eigenvalue", "[generate]") {
    for (const std::uint64_t seed : {1, 2, 3}) {
        const CsrMatrix A = circuit(90, {.voltage_sources = 0.2, .controlled_sources = 0, .seed = seed});
        CHECK(A.rows == 90 + 18);
        CHECK(asymmetry(A) == 0);
        // The rows of sources hold v_a - v_b, or v_a where the other node is the ground.
        for (Index row = 90; row < A.rows; ++row) {
            const auto begin = static_cast<std::size_t>(A.offsets[row]);
            const auto end = static_cast<std::size_t>(A.offsets[row + 1]);
            REQUIRE((end - begin == 1 || end - begin == 2));
            double sum = 0;
            for (std::size_t k = begin; k < end; ++k) {
                CHECK(std::abs(A.value[k]) == 1);
                CHECK(A.column[k] < 90);
                sum += A.value[k];
            }
            CHECK(sum == (end - begin == 1 ? 1 : 0));
        }
        // Conductances down to 1e-6 make small eigenvalues, none of them zero: signs by pivots, as Sylvester allows.
        const Eigen::MatrixXd D = dense(A), G = D.topLeftCorner(90, 90), C = D.topRightCorner(90, 18);
        CHECK(is_positive_definite(G));
        CHECK(is_positive_definite(C.transpose() * inverse(G) * C));
        // Voltages are what the sources give, whatever the resistors.
        Eigen::VectorXd b = Eigen::VectorXd::Zero(A.rows);
        b.tail(18).setConstant(5);
        const Eigen::VectorXd x = direct_solution(A, b);
        CHECK((C.transpose() * x.head(90)).isConstant(5, 1e-9));
    }
}

TEST_CASE("controlled sources make a circuit unsymmetric, and leave it solvable", "[generate]") {
    for (const Index nodes : {2, 3, 10, 200}) {
        for (const std::uint64_t seed : {1, 2, 3, 4, 5}) {
            CAPTURE(nodes, seed);
            const CsrMatrix A = circuit(nodes, {.degree = 2, .controlled_sources = 0.5, .seed = seed});
            REQUIRE_NOTHROW(check(A));
            if (nodes >= 10) CHECK(asymmetry(A) > 1e-3);
            const std::vector<double> d = diagonal(A);
            CHECK(std::count(d.begin() + nodes, d.end(), 0.0) == A.rows - nodes);
            CHECK(A.rows > nodes);
            const Eigen::VectorXd s = singular_values(dense(A));
            CHECK(s.minCoeff() > 1e-14 * s.maxCoeff());
            CHECK(s.minCoeff() > 0);
        }
    }
    // 5 voltage sources; 10 controlled ones, half of them voltages.
    CHECK(circuit(100).rows == 110);
}

TEST_CASE("circuits follow their seeds", "[generate]") {
    CHECK(circuit(100).value == circuit(100).value);
    CHECK(circuit(100).column == circuit(100).column);
    CHECK(circuit(100).value != circuit(100, {.seed = 8}).value);
}

TEST_CASE("a few nodes of a circuit have many resistors", "[generate]") {
    const CsrMatrix A = circuit(3000, {.degree = 6});
    Offset longest = 0;
    for (Index row = 0; row < A.rows; ++row) longest = std::max(longest, A.offsets[row + 1] - A.offsets[row]);
    CHECK(longest > 100);
    CHECK(static_cast<double>(A.nonzeros()) / A.rows < 8);
}

}  // namespace tests_of_generate_circuit
