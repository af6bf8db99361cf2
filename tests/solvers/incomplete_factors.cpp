// Incomplete factors and approximate inverses as preconditioners: what they solve that others do not, how they are
// applied, and what is said of them.
#include <fmt/format.h>

#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>

#include "base/random.hpp"
#include "support/catch.hpp"
#include "support/conformance.hpp"
#include "support/device.hpp"

namespace tests_of_incomplete_factors {

using namespace glsolve;
using namespace glsolve::test;
using Kind = PreconditionerKind;

namespace {

const std::vector<Kind> general{Kind::ilu0, Kind::iluk, Kind::ilut, Kind::isai, Kind::parilu, Kind::fsai, Kind::spai};
const std::vector<Kind> symmetric{Kind::ic0, Kind::ick, Kind::ict, Kind::parilu, Kind::fsai};

struct Solved {
    Report report;
    double true_residual = 0;
    std::string remark;
};

Solved run(const CsrMatrix& A, const Options& options) {
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    Solver solver(device_under_test(), A, options);
    Solved solved{.report = solver.solve(b, x), .remark = solver.preconditioner_remark()};
    solved.true_residual = true_residual(A, x, b);
    return solved;
}

void check_solved(const CsrMatrix& A, const Options& options) {
    CAPTURE(name(options.method), name(options.preconditioner));
    const Solved solved = run(A, options);
    CAPTURE(solved.report.reason, solved.remark, solved.report.iterations);
    CHECK(solved.report.converged());
    CHECK(solved.true_residual <= options.tolerance * (1 + 1e-6));
}

}  // namespace

TEST_CASE("incomplete factors solve what is hard without them", "[solvers][factors]") {
    const Index n = is_slow() ? 6 : 16;
    SECTION("convection, a cell Peclet number of 10,000") {
        const CsrMatrix A = convection_diffusion(n, {.recirculating = true, .cell_peclet = 1e4});
        for (const Kind kind : {Kind::ilu0, Kind::ilut})
            check_solved(A, {.method = Method::gmres, .preconditioner = kind});
    }
    SECTION("Stokes flow, a saddle point") {
        check_solved(stokes2d(n), {.method = Method::gmres, .preconditioner = Kind::ilut});
    }
    SECTION("Darcy flow, a saddle point with a contrast of 10,000") {
        check_solved(darcy2d(is_slow() ? 4 : 12, 1e4), {.method = Method::gmres, .preconditioner = Kind::ilut});
    }
    SECTION("circuits") {
        check_solved(circuit(is_slow() ? 60 : 300), {.method = Method::gmres, .preconditioner = Kind::ilut});
    }
    SECTION("Helmholtz at 10 points a wavelength") {
        check_solved(helmholtz2d(is_slow() ? 8 : 30), {.method = Method::gmres, .preconditioner = Kind::ilut});
    }
    SECTION("thermal shells") {
        const CsrMatrix A = thermal_shell(n, n, 2, {.through_thickness = 1, .thickness = 0.01});
        for (const Kind kind : {Kind::ic0, Kind::ict, Kind::fsai})
            check_solved(A, {.method = Method::cg, .preconditioner = kind});
    }
}

TEST_CASE("every way to apply factors solves the system", "[solvers][factors][every_driver]") {
    const Index n = is_slow() ? 6 : 14;
    const CsrMatrix A = convection_diffusion(n), spd = poisson2d(n);
    for (const FactorApplication apply : all_factor_applications()) {
        CAPTURE(name(apply));
        check_solved(A,
                     {.method = Method::bicgstab, .preconditioner = Kind::ilu0, .preconditioning = {.apply = apply}});
        for (const Kind kind : {Kind::ic0, Kind::parilu})
            check_solved(spd, {.method = Method::cg, .preconditioner = kind, .preconditioning = {.apply = apply}});
    }
    for (const FactorOrder order : all_factor_orders()) {
        CAPTURE(name(order));
        check_solved(A, {.method = Method::gmres, .preconditioner = Kind::ilu0, .preconditioning = {.order = order}});
    }
}

TEST_CASE("exact factors solve at once, however they are moved and scaled", "[solvers][factors]") {
    // Full rows of random numbers with zeros on the diagonal: factors without dropping are those of elimination.
    const Index n = is_slow() ? 20 : 60;
    Random random(5);
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; ++i) {
        entries.push_back({i, (i + 1) % n, 4 + random.uniform()});  // what a matching brings to the diagonal
        for (int k = 0; k < 4; ++k) {
            const Index j = static_cast<Index>(random.uniform() * n);
            if (j != i) entries.push_back({i, j, std::ldexp(random.normal(), static_cast<int>(random.uniform() * 4))});
        }
    }
    const CsrMatrix A = csr_from_triplets(n, n, entries);
    for (const FactorOrder order : all_factor_orders()) {
        const Options options{
            .method = Method::gmres,
            .preconditioner = Kind::ilut,
            .preconditioning = {.drop_tolerance = 0, .fill = 1000, .apply = FactorApplication::levels, .order = order}};
        const Solved solved = run(A, options);
        CAPTURE(name(order), solved.remark, solved.report.reason);
        CHECK(solved.report.converged());
        CHECK(solved.report.iterations <= 6);
        CHECK_THAT(solved.remark, ContainsSubstring("matched"));
    }
}

TEST_CASE("factors take new values and several right-hand sides", "[solvers][factors][update]") {
    const Index n = is_slow() ? 6 : 12;
    const CsrMatrix A = poisson2d(n);
    CsrMatrix other = A;
    for (Index i = 0; i < A.rows; ++i) {
        for (auto k = static_cast<std::size_t>(A.offsets[static_cast<std::size_t>(i)]);
             k < static_cast<std::size_t>(A.offsets[static_cast<std::size_t>(i) + 1]); ++k) {
            if (A.column[k] == i) other.value[k] += 0.1 * (1 + i % 3);
        }
    }
    std::vector<Options> all;
    for (const Kind kind : symmetric) all.push_back({.method = Method::cg, .preconditioner = kind});
    for (const int block : {1, 2}) {  // by sweeps, in another order of rows where they are single
        all.push_back({.method = Method::cg,
                       .preconditioner = Kind::ic0,
                       .preconditioning = {.factor_block = block,
                                           .apply = FactorApplication::sweeps,
                                           .order = block == 1 ? FactorOrder::rcm : FactorOrder::none}});
    }
    for (const Options& options : all) {
        CAPTURE(name(options.preconditioner), options.preconditioning.factor_block);
        Solver solver(device_under_test(), A, options);
        solver.update_values(other.value);
        const auto rows = static_cast<std::size_t>(A.rows);
        std::vector<double> b(4 * rows), x(4 * rows, 0.0);
        Random random(3);
        for (double& number : b) number = random.normal();
        const std::vector<Report> reports = solver.solve_several(b, x, 4);
        for (std::size_t k = 0; k < 4; ++k) {
            CHECK(reports[k].converged());
            CHECK(true_residual(other,
                                std::vector<double>(x.begin() + static_cast<std::ptrdiff_t>(k * rows),
                                                    x.begin() + static_cast<std::ptrdiff_t>((k + 1) * rows)),
                                std::vector<double>(b.begin() + static_cast<std::ptrdiff_t>(k * rows),
                                                    b.begin() + static_cast<std::ptrdiff_t>((k + 1) * rows)))
                  <= 1e-8 * (1 + 1e-6));
        }
    }
}

TEST_CASE("factors that the device makes are as good as those of the host", "[solvers][factors][parilu]") {
    const Index n = is_slow() ? 6 : 20;
    const auto iterations = [](const CsrMatrix& A, Method method, Kind kind) {
        const PreconditionerOptions by_sweeps{.steps = 4, .apply = FactorApplication::sweeps};
        const Solved solved = run(A, {.method = method, .preconditioner = kind, .preconditioning = by_sweeps});
        CAPTURE(name(kind), solved.remark, solved.report.reason);
        REQUIRE(solved.report.converged());
        return static_cast<double>(solved.report.iterations);
    };
    const CsrMatrix spd = poisson2d(n), any = convection_diffusion(n);
    CHECK(iterations(spd, Method::cg, Kind::parilu) <= 1.3 * iterations(spd, Method::cg, Kind::ic0) + 2);
    if (!is_slow()) CHECK(iterations(spd, Method::cg, Kind::parilu) < iterations(spd, Method::cg, Kind::jacobi));
    CHECK(iterations(any, Method::gmres, Kind::parilu) <= 1.3 * iterations(any, Method::gmres, Kind::ilu0) + 2);
    CHECK_THAT(run(spd, {.preconditioner = Kind::parilu, .preconditioning = {.factor_sweeps = 7}}).remark,
               ContainsSubstring("7 sweeps made the factors"));
}

TEST_CASE("blocks of rows are factored together", "[solvers][factors][blocks]") {
    const CsrMatrix spd = elasticity(is_slow() ? 1 : 4, 2, 2).A;
    for (const FactorApplication apply : all_factor_applications()) {
        for (const int block : {2, 3}) {
            CAPTURE(name(apply), block);
            const PreconditionerOptions in_blocks{.factor_block = block, .apply = apply};
            check_solved(spd, {.method = Method::cg, .preconditioner = Kind::ic0, .preconditioning = in_blocks});
            check_solved(spd, {.method = Method::gmres, .preconditioner = Kind::ilu0, .preconditioning = in_blocks});
        }
    }
    // Pairs of rows with zeros on the diagonal: the blocks have inverses, so no rows need be matched.
    std::vector<Triplet> entries;
    Random random(8);
    const Index pairs = is_slow() ? 10 : 60;
    for (Index k = 0; k < pairs; ++k) {
        entries.push_back({2 * k, 2 * k + 1, 4});
        entries.push_back({2 * k + 1, 2 * k, -4});
        const auto other = static_cast<Index>(random.uniform() * 2 * pairs);
        if (other / 2 != k) entries.push_back({2 * k, other, random.normal()});
    }
    const CsrMatrix swapped = csr_from_triplets(2 * pairs, 2 * pairs, entries);
    const Options options{
        .method = Method::gmres, .preconditioner = Kind::ilu0, .preconditioning = {.factor_block = 2}};
    check_solved(swapped, options);
    CHECK_THAT(run(swapped, options).remark, !ContainsSubstring("matched"));
}

TEST_CASE("what incomplete factors cannot take is refused in words", "[solvers][factors]") {
    const auto refusal = [](const CsrMatrix& A, const Options& options) -> std::string {
        try {
            run(A, options);
        } catch (const InvalidInput& error) {
            return error.what();
        }
        return "";
    };
    // Rows 1 and 2 have the same single column: no place for one of them.
    const CsrMatrix singular =
        csr_from_triplets(3, 3, std::vector<Triplet>{{0, 0, 1}, {1, 0, 2}, {2, 1, 1}, {2, 2, 1}});
    for (const Kind kind : general) {
        if (kind == Kind::spai || kind == Kind::fsai) continue;
        CHECK_THAT(refusal(singular, {.method = Method::gmres, .preconditioner = kind}),
                   ContainsSubstring("structurally singular"));
    }
    const CsrMatrix A = poisson2d(4);
    CHECK_THAT(refusal(A, {.method = Method::cg, .preconditioner = Kind::ilu0}), ContainsSubstring("symmetric"));
    CHECK_THAT(refusal(A, {.preconditioner = Kind::ic0, .preconditioning = {.level = -1}}), ContainsSubstring("level"));
    CHECK_THAT(refusal(A, {.preconditioner = Kind::ict, .preconditioning = {.factor_block = 2}}),
               ContainsSubstring("ict has no blocks"));
    CHECK_THAT(
        refusal(A, {.preconditioner = Kind::ic0, .preconditioning = {.factor_block = 2, .order = FactorOrder::rcm}}),
        ContainsSubstring("stay together"));
    CHECK_THAT(refusal(A, {.preconditioner = Kind::ict, .preconditioning = {.modified = 2}}),
               ContainsSubstring("modified"));
}

}  // namespace tests_of_incomplete_factors
