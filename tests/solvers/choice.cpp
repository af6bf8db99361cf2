// Method::automatic: what it chooses, why, and that what it chooses works.
#include <algorithm>
#include <array>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>
#include <numeric>
#include <random>

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_choice {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// A - shift I
CsrMatrix shifted(CsrMatrix A, double shift) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(A.rows); ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            if (A.column[e] == static_cast<Index>(i)) A.value[e] -= shift;
        }
    }
    return A;
}

void check_choice(const CsrMatrix& A, Options options, Method expected, const std::string& why) {
    options.method = Method::automatic;
    Solver solver(device_under_test(), A, options);
    CAPTURE(solver.method().reason);
    CHECK(solver.method().method == expected);
    CHECK(solver.method().reason.find(why) != std::string::npos);
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    const Report report = solver.solve(b, x);
    CAPTURE(report.reason);
    CHECK(report.converged());
    CHECK(true_residual(A, x, b) <= 1e-8 * (1 + 1e-6));
}

/// A with its rows in another order, always the same.
CsrMatrix with_rows_permuted(const CsrMatrix& A) {
    std::vector<Index> to(static_cast<std::size_t>(A.rows));
    std::iota(to.begin(), to.end(), 0);
    std::mt19937 random(7);
    std::shuffle(to.begin(), to.end(), random);
    std::vector<Triplet> entries;
    for (std::size_t i = 0; i < to.size(); ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            entries.push_back({to[i], A.column[e], A.value[e]});
        }
    }
    return csr_from_triplets(A.rows, A.columns, entries);
}

/// (K, B^T; B, 0) with K positive definite and sparse B of full rank.
CsrMatrix saddle_point(Index unknowns, Index constraints) {
    std::vector<Triplet> entries;
    for (Index i = 0; i < unknowns; ++i) {
        entries.push_back({i, i, 2.0 + i % 5});
        if (i + 1 < unknowns) entries.insert(entries.end(), {{i, i + 1, -1.0}, {i + 1, i, -1.0}});
    }
    for (Index k = 0; k < constraints; ++k) {
        const std::array<std::pair<Index, double>, 2> row{{{2 * k, 1.0}, {(2 * k + 1) % unknowns, 0.5 + k % 3}}};
        for (const auto& [j, a] : row) entries.insert(entries.end(), {{unknowns + k, j, a}, {j, unknowns + k, a}});
    }
    return csr_from_triplets(unknowns + constraints, unknowns + constraints, entries);
}

/// What `auto` makes of A and b, from zero, and that it is what it says.
Report solve_by_auto(const CsrMatrix& A, const std::vector<double>& b) {
    std::vector<double> x(b.size(), 0.0);
    const Report report = solve(device_under_test(), A, b, x, {.method = Method::automatic});
    UNSCOPED_INFO(report.reason);
    if (report.converged()) CHECK(true_residual(A, x, b) <= 1e-8 * (1 + 1e-6));
    return report;
}

}  // namespace

TEST_CASE("where auto's first method fails a second one goes on, and is named", "[solvers][choice]") {
    SECTION("rows in any order, which gmres cannot find its way through") {
        if (is_slow()) return;
        const CsrMatrix A = with_rows_permuted(convection_diffusion(24, {.diffusion = 0.5}));
        const Report report = solve_by_auto(A, matching_right_hand_side(A));
        CHECK(report.converged());
    }
    SECTION("singular, and b in the range") {
        const CsrMatrix A =
            csr_from_triplets(4, 4, std::vector<Triplet>{{0, 1, 1}, {1, 2, 1}, {2, 3, 1}, {3, 1, 2}, {3, 2, -1}});
        const Report report = solve_by_auto(A, {1, 2, 3, 0});
        CHECK(report.converged());
    }
    SECTION("singular, with no empty row or column") {
        const CsrMatrix A = csr_from_triplets(
            3, 3, std::vector<Triplet>{{0, 0, 1}, {0, 1, 2}, {1, 1, 1}, {1, 2, 3}, {2, 0, 1}, {2, 1, 3}, {2, 2, 3}});
        const Report report = solve_by_auto(A, {3, 4, 7});
        CHECK(report.converged());
        CHECK_THAT(report.remarks, ContainsSubstring("its rank is 2 of 3"));
    }
    SECTION("numbers that single precision cannot hold beside the diagonal") {
        const CsrMatrix A = csr_from_triplets(
            3, 3, std::vector<Triplet>{{0, 0, 1e-40}, {0, 1, 1}, {1, 0, 1}, {1, 1, 1e-40}, {1, 2, 0.5}, {2, 2, 1}});
        const Report report = solve_by_auto(A, matching_right_hand_side(A));
        CHECK(report.converged());
    }
    SECTION("singular, with a preconditioner of its own passes") {
        if (is_slow()) return;
        const CsrMatrix A = graph_laplacian(300, 5);
        for (const PreconditionerKind M : {PreconditionerKind::amg, PreconditionerKind::ssor,
                                           PreconditionerKind::block_jacobi, PreconditionerKind::chebyshev}) {
            CAPTURE(name(M));
            std::vector<double> b = matching_right_hand_side(A), x(b.size(), 0.0);
            const Report report =
                solve(device_under_test(), A, b, x, {.method = Method::automatic, .preconditioner = M});
            CAPTURE(report.reason);
            CHECK(report.converged());
        }
    }
    SECTION("a saddle point of 300 rows, without coupling of its multipliers") {
        if (is_slow()) return;
        const CsrMatrix K = saddle_point(200, 100);
        CHECK(solve_by_auto(K, matching_right_hand_side(K)).converged());
    }
}

TEST_CASE("auto takes the method that suits the matrix", "[solvers][choice]") {
    const Options iterates{.precision = Precision::two_float};  // which the direct method does not take
    SECTION("positive definite") {
        check_choice(poisson2d(9), {}, Method::direct, "symmetric, with a positive diagonal; predicted: direct");
        check_choice(poisson2d(9), iterates, Method::cg, "Lanczos found only positive eigenvalues");
    }
    SECTION("indefinite, with a positive diagonal") {
        check_choice(shifted(poisson2d(7), 0.9), {}, Method::direct, "with a positive diagonal");
        check_choice(shifted(poisson2d(23), 0.9), iterates, Method::minres, "(p,Ap) <= 0");
    }
    SECTION("indefinite by its diagonal") {
        check_choice(shifted(poisson2d(6), 4.7), {}, Method::direct, "row 1 has -0.7 on the diagonal");
        check_choice(shifted(poisson2d(23), 4.7), iterates, Method::minres, "row 1 has -0.7 on the diagonal");
    }
    SECTION("small and not symmetric") { check_choice(convection_diffusion(6), {}, Method::direct, "not symmetric"); }
    SECTION("small and not symmetric, with a preconditioner that was asked for") {
        check_choice(convection_diffusion(6), {.preconditioner = PreconditionerKind::amg}, Method::gmres,
                     "not symmetric");
    }
    SECTION("not symmetric") {
        if (is_slow()) return;
        check_choice(convection_diffusion(24), iterates, Method::bicgstab, "not symmetric");
    }
}

TEST_CASE("a method that was asked for stays", "[solvers][choice]") {
    const Solver solver(device_under_test(), poisson2d(4), {.method = Method::minres});
    CHECK(solver.method().method == Method::minres);
    CHECK(solver.method().reason == "as asked for");
}

TEST_CASE("methods for symmetric matrices say so where that is why they fail", "[solvers][choice]") {
    const CsrMatrix A = convection_diffusion(12, {.diffusion = 0.001});
    const Method method = GENERATE(Method::cg, Method::minres);
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    const Report report = solve(device_under_test(), A, b, x, {.method = method, .max_iterations = 40});
    REQUIRE_FALSE(report.converged());
    CHECK(report.reason.find("the matrix is not symmetric, as " + std::string(name(method))) != std::string::npos);
}

}  // namespace tests_of_choice
