// Complete LU factors as a preconditioner: do they leave next to nothing to iterate, and are they kept while values
// change little?
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>
#include <random>

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_complete_factors {

using namespace glsolve;
using namespace glsolve::test;

namespace {

const Options with_lu{.method = Method::gmres, .preconditioner = PreconditionerKind::lu};

Report solved(Solver& solver) {
    const std::vector<double> b = matching_right_hand_side(solver.matrix());
    std::vector<double> x(b.size(), 0.0);
    const Report report = solver.solve(b, x);
    CAPTURE(report.reason, solver.preconditioner_remark());
    CHECK(report.converged());
    CHECK(true_residual(solver.matrix(), x, b) <= 1e-8 * (1 + 1e-6));
    return report;
}

/// Each value times 1 + share * (-1 to 1).
std::vector<double> changed(std::vector<double> values, double share) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(-share, share);
    for (double& value : values) value *= 1 + uniform(random);
    return values;
}

}  // namespace

TEST_CASE("with complete factors a few iterations are enough", "[solvers][complete_factors]") {
    const Index n = is_slow() ? 6 : 20;
    CsrMatrix zeros_on_diagonal = convection_diffusion(n);
    for (Index i = 0; i < zeros_on_diagonal.rows; i += 7) {
        for (auto [j, a] : zeros_on_diagonal.row(i)) {
            if (static_cast<Index>(j) == i) a = 0;
        }
    }
    for (const CsrMatrix& A : {convection_diffusion(n), poisson2d(n), helmholtz2d(n), zeros_on_diagonal}) {
        Solver solver(device_under_test(), A, with_lu);
        CHECK(solved(solver).iterations <= 12);
    }
}

TEST_CASE("factors are applied on the host where that is asked for", "[solvers][complete_factors]") {
    const CsrMatrix A = convection_diffusion(is_slow() ? 6 : 20);
    for (const PreconditionerKind kind : {PreconditionerKind::lu, PreconditionerKind::ilu0, PreconditionerKind::ilut}) {
        Options options = with_lu;
        options.preconditioner = kind;
        options.preconditioning.apply = FactorApplication::levels;
        Solver by_levels(device_under_test(), A, options);
        options.preconditioning.apply = FactorApplication::host;
        Solver on_host(device_under_test(), A, options);
        CHECK_THAT(on_host.preconditioner_remark(), ContainsSubstring("on the host"));
        const std::int64_t iterations = solved(on_host).iterations;
        CHECK(iterations <= solved(by_levels).iterations + 2);
    }
}

TEST_CASE("complete factors are kept while values change little", "[solvers][complete_factors][update]") {
    const CsrMatrix A = convection_diffusion(is_slow() ? 6 : 16);
    Solver solver(device_under_test(), A, with_lu);
    const std::int64_t of_its_own = solved(solver).iterations;
    solver.update_values(changed(A.value, 0.05));
    CHECK_THAT(solver.preconditioner_remark(), ContainsSubstring("factors of earlier values"));
    CHECK(solved(solver).iterations <= of_its_own + 16);
    solver.update_values(changed(A.value, 0.6));
    CHECK_THAT(solver.preconditioner_remark(), !ContainsSubstring("factors of earlier values"));
    CHECK(solved(solver).iterations <= of_its_own + 2);
}

TEST_CASE("complete factors that there are none of are refused in words", "[solvers][complete_factors]") {
    const CsrMatrix singular =
        csr_from_triplets(3, 3, std::vector<Triplet>{{0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {1, 1, 1}, {2, 0, 1}});
    CHECK_THROWS_WITH(Solver(device_under_test(), singular, with_lu), ContainsSubstring("structurally singular"));
    Options cg = with_lu;
    cg.method = Method::cg;
    CHECK_THROWS_AS(Solver(device_under_test(), poisson2d(4), cg), InvalidInput);
    if (is_slow()) return;
    Options little = with_lu;
    little.memory = 1;
    CHECK_THROWS_WITH(Solver(device_under_test(), poisson3d(18), little), ContainsSubstring("MB"));
}

}  // namespace tests_of_complete_factors
