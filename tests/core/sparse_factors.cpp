// Sparse factors on the host: what they cost, and that they are factors.
#include "matrix/sparse_factors.hpp"

#include <cmath>
#include <glsolve/generate.hpp>
#include <limits>
#include <random>

#include "support/catch.hpp"
#include "support/problems.hpp"

namespace tests_of_sparse_factors {

using namespace glsolve;
using namespace glsolve::test;

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

/// |b - A x| / |b| of x = A^-1 b by factors.
double residual_by(const SparseFactors& factors, const CsrMatrix& A) {
    const std::vector<double> b = matching_right_hand_side(A);
    return exact_residual(A, factors.solve(b), b);
}

/// Random, with nothing on the diagonal, over many orders of magnitude.
CsrMatrix without_diagonal(Index n) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::uniform_int_distribution<Index> any_column(0, n - 1);
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; ++i) {
        const double size = std::exp2(i % 40 - 20);
        entries.push_back({i, (i + 7) % n, size * (2 + uniform(random))});
        for (int k = 0; k < 3; ++k) {
            const Index j = any_column(random);
            if (j != i) entries.push_back({i, j, size * 0.3 * uniform(random)});
        }
    }
    return csr_from_triplets(n, n, entries);
}

}  // namespace

TEST_CASE("factors solve what is definite, what is not symmetric, and what has no diagonal", "[core][factors]") {
    const CsrMatrix definite = poisson2d(40), flow = convection_diffusion(30, {.diffusion = 0.01}),
                    matched = without_diagonal(400);
    for (const CsrMatrix* A : {&definite, &flow, &matched}) {
        const FactorPlan plan = plan_factors(*A, A == &definite, unlimited);
        REQUIRE(plan.possible());
        const SparseFactors factors(plan);
        CHECK(factors.pivot_ratio() > 1e-6);
        CHECK(residual_by(factors, *A) < 1e-11);
    }
}

TEST_CASE("other values in the same places keep the order of factors, if rows are matched alike", "[core][factors]") {
    const CsrMatrix definite = poisson2d(30), matched = without_diagonal(300);
    for (const CsrMatrix* A : {&definite, &matched}) {
        const bool is_definite = A == &definite;
        const FactorPlan first = plan_factors(*A, is_definite, unlimited);
        CsrMatrix B = *A;
        for (double& value : B.value) value *= 5;
        FactorPlan known = first;
        known.cost.entries = 12345;  // which only a plan that was kept can have
        const FactorPlan kept = plan_factors(B, is_definite, unlimited, &known);
        CHECK(kept.rows == first.rows);
        CHECK(kept.columns == first.columns);
        CHECK(kept.cost.entries == 12345);
        CHECK(residual_by(SparseFactors(kept), B) < 1e-11);
    }
    // Where other rows are matched, the order is made anew.
    CsrMatrix moved = matched;
    for (Index i = 0; i < moved.rows; ++i) {
        for (auto [j, a] : moved.row(i)) {
            if (static_cast<Index>(j) == (i + 7) % moved.rows) a *= 1e-12;
        }
    }
    FactorPlan known = plan_factors(matched, false, unlimited);
    known.cost.entries = 12345;
    CHECK(plan_factors(moved, false, unlimited, &known).cost.entries != 12345);
}

TEST_CASE("the predicted numbers of factors are those that are made, where pivots stay", "[core][factors]") {
    const CsrMatrix A = poisson3d(9);
    FactorPlan plan = plan_factors(A, true, unlimited);
    const SparseFactors factors(plan);
    // The diagonal counts in L and in D.
    const double diagonals = plan.cost.kind == FactorCost::Kind::lu ? 0 : A.rows;
    CHECK(factors.entries() <= plan.cost.entries);
    CHECK(factors.entries() >= plan.cost.entries - diagonals - 0.01 * plan.cost.entries);
    CHECK(plan.cost.seconds() > 0);
    CHECK_FALSE(plan_factors(A, true, 1000).possible());
}

TEST_CASE("a matrix that no numbers make regular has no factors", "[core][factors]") {
    // Two rows with entries in the same column alone.
    const CsrMatrix A = csr_from_triplets(3, 3, std::vector<Triplet>{{0, 0, 1}, {1, 0, 2}, {2, 1, 1}, {2, 2, 1}});
    const FactorPlan plan = plan_factors(A, false, unlimited);
    CHECK_FALSE(plan.possible());
    CHECK_THAT(plan.impossible, ContainsSubstring("its rank is 2 of 3"));
}

TEST_CASE("of a singular matrix a shift makes factors, and corrections with them converge", "[core][factors]") {
    // Rows sum to zero.
    CsrMatrix A = poisson2d(12);
    for (Index i = 0; i < A.rows; ++i) {
        double sum = 0;
        for (const auto [j, a] : A.row(i)) sum += j == i ? 0 : a;
        for (const auto [j, a] : A.row(i)) a = j == i ? -sum : a;
    }
    const FactorPlan plan = plan_factors(A, true, unlimited);
    CHECK(SparseFactors(plan).pivot_ratio() < 1e-12);
    const SparseFactors shifted(plan, 1e-8);
    CHECK(shifted.pivot_ratio() > 1e-12);
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0), r = b;
    for (int k = 0; k < 3; ++k) {
        const std::vector<double> step = shifted.solve(r);
        for (std::size_t i = 0; i < x.size(); ++i) x[i] += step[i];
        multiply(A, x, r);
        for (std::size_t i = 0; i < x.size(); ++i) r[i] = b[i] - r[i];
    }
    CHECK(exact_residual(A, x, b) < 1e-9);
}

TEST_CASE("what is not positive definite has a pivot below zero", "[core][factors]") {
    CsrMatrix A = poisson2d(8);
    for (Index i = 0; i < A.rows; ++i) {
        for (const auto [j, a] : A.row(i)) a = j == i ? 1.3 : a;
    }
    CHECK(SparseFactors(plan_factors(A, true, unlimited)).pivot_ratio() < 0);
    CHECK(residual_by(SparseFactors(plan_factors(A, false, unlimited)), A) < 1e-11);
}

}  // namespace tests_of_sparse_factors
