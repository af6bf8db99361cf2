// GMRES and FGMRES: what is theirs alone. Every method on every problem: conformance.cpp.
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>
#include <map>

#include "methods/least_squares_on_host.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_gmres {

using namespace glsolve;
using namespace glsolve::test;

namespace {

Report solve_gmres(const CsrMatrix& A, const std::vector<double>& b, std::vector<double>& x, Options options) {
    if (options.method == Method::cg) options.method = Method::gmres;
    x.assign(b.size(), 0.0);
    const Report report = solve(device_under_test(), A, b, x, options);
    CHECK_FALSE(report.reason.empty());
    CHECK(report.relative_residual == Approx(true_residual(A, x, b)).epsilon(1e-3).margin(1e-15));
    return report;
}

/// e_1 ... e_n, e_1: nothing is gained before step n.
CsrMatrix cyclic_shift(Index n) {
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; ++i) entries.push_back({i, (i + 1) % n, 1.0});
    return csr_from_triplets(n, n, entries);
}

}  // namespace

TEST_CASE("a cycle may have any length", "[solvers][gmres]") {
    const CsrMatrix A = convection_diffusion(is_slow() ? 5 : 9);
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x;
    const int restart = GENERATE(1, 2, 3, 4, 5, 8, 16, 32, 81, 500);
    if (is_slow() && restart != 1 && restart != 5) return;
    CAPTURE(restart);
    const Report report = solve_gmres(A, b, x, {.gmres = {.restart = restart}, .tolerance = 1e-9});
    CAPTURE(report.reason);
    CHECK(report.converged());
    if (restart >= A.rows) CHECK(report.iterations <= A.rows + 10);
}

TEST_CASE("all ways through GMRES lead to the same answer", "[solvers][gmres][every_driver]") {
    if (is_slow()) return;
    const CsrMatrix A = convection_diffusion(14, {.diffusion = 0.05});
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x;
    const Report plain = solve_gmres(A, b, x, {.gmres = {.restart = 12}});
    REQUIRE(plain.converged());
    for (const Orthogonalisation orthogonalisation :
         {Orthogonalisation::classical_twice, Orthogonalisation::modified}) {
        for (const LeastSquares where : {LeastSquares::device, LeastSquares::host}) {
            for (const Method method : {Method::gmres, Method::fgmres}) {
                for (const Precision precision : {Precision::single, Precision::two_float}) {
                    const bool two_floats = precision == Precision::two_float;
                    if (two_floats && !device_under_test().info().two_float_fault.empty()) continue;
                    CAPTURE(name(orthogonalisation), name(where), name(method), name(precision));
                    const Report report = solve_gmres(
                        A, b, x,
                        {.method = method,
                         .precision = precision,
                         .gmres = {.restart = 12, .orthogonalisation = orthogonalisation, .least_squares = where}});
                    CAPTURE(report.reason);
                    CHECK(report.converged());
                    CHECK(static_cast<double>(report.iterations)
                          == Approx(static_cast<double>(plain.iterations)).epsilon(0.1).margin(12));
                }
            }
        }
    }
}

TEST_CASE("nothing is read back within a cycle, and passes are few", "[solvers][gmres][promises]") {
    if (is_slow()) return;
    CsrMatrix A = poisson2d(40);
    A.value[0] = 5;  // a constant diagonal would need no preconditioner
    const std::vector<double> b = matching_right_hand_side(A);
    constexpr int restart = 12, cycles = 5;
    Options options{
        .method = Method::gmres, .gmres = {.restart = restart}, .max_iterations = restart * cycles, .profile = true};
    std::vector<double> x(b.size(), 0.0);
    const Report report = solve(device_under_test(), A, b, x, options);
    CHECK(report.iterations == restart * cycles);
    REQUIRE(report.corrections == cycles);
    // The residuals of corrections, x in two parts, the history; y of each correction and its status where the host
    // computes the residuals.
    const bool on_device = report.corrections_on_device > 0;
    CHECK(report.reads <= static_cast<std::uint64_t>(on_device ? cycles + 2 : 2 * cycles + 2));
    // Reduction trees are not counted.
    std::map<std::string, std::uint64_t> calls;
    for (const PassReport& pass : report.profile) calls[pass.name] = pass.calls;
    std::uint64_t passes = 0;
    for (const char* step : {"dia_multiply", "multiply", "basis_dot_pair", "arnoldi_step", "arnoldi_column",
                             "arnoldi_update_jacobi", "normalise_layer", "gmres_column", "gmres_status"}) {
        passes += calls[step];
    }
    passes += restart * cycles;  // records of the history
    std::uint64_t allowed = 0;
    for (int j = 0; j < restart; ++j) allowed += 8 + 2 * ((static_cast<std::uint64_t>(j) + 4) / 4);
    CHECK(passes <= cycles * allowed);
    CHECK(calls["arnoldi_update_jacobi"] == restart * cycles);  // and each reads the basis twice
    CHECK(calls["basis_dot_pair"] == (restart + 1) * cycles);
}

TEST_CASE("cycles that do not help end as stagnation, not as an answer", "[solvers][gmres][outcomes]") {
    const CsrMatrix A = cyclic_shift(40);
    std::vector<double> b(40, 0.0), x;
    b[0] = 1;
    const Report report = solve_gmres(A, b, x, {.preconditioner = PreconditionerKind::none, .gmres = {.restart = 10}});
    CAPTURE(report.reason);
    CHECK(report.outcome == Outcome::stagnated);
    CHECK(report.reason.find("cycles of 10 steps") != std::string::npos);
    CHECK(report.relative_residual <= 1);
    const Report whole = solve_gmres(A, b, x, {.preconditioner = PreconditionerKind::none, .gmres = {.restart = 40}});
    CHECK(whole.converged());
}

TEST_CASE("a singular matrix ends in words", "[solvers][gmres][outcomes]") {
    CsrMatrix A = poisson2d(5);
    for (Offset k = A.offsets[7]; k < A.offsets[8]; ++k) A.value[k] = 0;
    std::vector<double> b(25, 1.0), x;
    const Report report = solve_gmres(A, b, x, {.preconditioner = PreconditionerKind::none});
    CAPTURE(report.reason);
    CHECK(report.outcome == Outcome::inconsistent);
    CHECK(report.relative_residual == Approx(0.2).epsilon(0.02));  // |b_7| / |b|, if x is the best there is
    // A right-hand side in its range has answers.
    b[7] = 0;
    CHECK(solve_gmres(A, b, x, {.preconditioner = PreconditionerKind::none}).converged());
}

TEST_CASE("GMRES is refused what it cannot have", "[solvers][gmres][refusals]") {
    const CsrMatrix A = poisson2d(4);
    const std::vector<double> b(16, 1.0);
    std::vector<double> x;
    for (const int restart : {0, -1, 1025}) {
        CHECK_THROWS_WITH(solve_gmres(A, b, x, {.gmres = {.restart = restart}}), ContainsSubstring("from 1 to 1024"));
    }
}

TEST_CASE("least squares of a Hessenberg matrix on the host", "[solvers][gmres]") {
    // | (1, 0, 0) - H y | with H = (1 2; 1 0; 0 1): the normal equations give y = (1/6, 1/3).
    const double H[3][2] = {{1, 2}, {1, 0}, {0, 1}};
    const HessenbergAnswer answer = solve_hessenberg(2, 1, [&](int i, int j) { return H[i][j]; });
    CHECK(answer.y[0] == Approx(1.0 / 6));
    CHECK(answer.y[1] == Approx(1.0 / 3));
    CHECK(answer.residuals[0] == Approx(std::sqrt(0.5)));
}

}  // namespace tests_of_gmres
