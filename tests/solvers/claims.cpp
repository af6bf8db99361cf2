// What a report claims: that a matrix is singular, that no x solves a system, that the answer is the best one found.
// The systems in tests/solvers/systems have conditions from 1e8 to 1e14, rows in different units, or numbers at the
// ends of double precision. Exact arithmetic says which are singular.
#include <cmath>
#include <glsolve/generate.hpp>
#include <glsolve/matrix_market.hpp>
#include <glsolve/solver.hpp>
#include <random>

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_claims {

using namespace glsolve;
using namespace glsolve::test;

namespace {

struct Case {
    const char* name;
    Outcome outcome;
    double residual;  // at most
    bool is_singular = false;
    Method method = Method::automatic;
};

std::string file(const std::string& name) { return GLSOLVE_SOURCE_FOLDER "/tests/solvers/systems/" + name + ".mtx"; }

Report check_case(const Case& c, const CsrMatrix& A, const std::vector<double>& b, std::vector<double>& x) {
    x.assign(b.size(), 0.0);
    Report report = solve(device_under_test(), A, b, x, {.method = c.method});
    CAPTURE(c.name, name(report.outcome), report.reason, report.remarks);
    CHECK(report.outcome == c.outcome);
    CHECK(report.relative_residual <= c.residual);
    CHECK(report.relative_residual == Approx(exact_residual(A, x, b)).epsilon(0.05).margin(1e-17));
    const bool says_singular = report.remarks.find("the matrix is singular: its rank is") != std::string::npos;
    CHECK(says_singular == c.is_singular);
    if (!c.is_singular) CHECK(report.reason.find("is singular,") == std::string::npos);
    return report;
}

/// x^T A x = 0, and of odd order: singular.
CsrMatrix random_skew_symmetric(Index n) {
    std::mt19937 random(5);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<Triplet> entries;
    for (Index i = 0; i + 1 < n; ++i) {
        for (const Index j : {i + 1, (i * 7 + 3) % n}) {
            if (j == i) continue;
            const double a = uniform(random);
            entries.insert(entries.end(), {{i, j, a}, {j, i, -a}});
        }
    }
    return csr_from_triplets(n, n, entries);
}

}  // namespace

TEST_CASE("only what is singular is called singular, and what has an answer gets it", "[solvers][claims]") {
    const Case cases[] = {
        {"two-by-two", Outcome::converged, 1e-8},
        {"rows-in-units", Outcome::precision_limit, 2e-7},
        {"bus-tie-reactance", Outcome::precision_limit, 7e-7},
        {"stiff-link", Outcome::precision_limit, 6e-8},
        {"one-to-sixteen", Outcome::inconsistent, 0.5478, true},
        {"rank-three", Outcome::inconsistent, 0.675},  // to within the rounding of its entries
        {"vandermonde", Outcome::converged, 1e-8},
        {"krylov-complete", Outcome::converged, 1e-8},
        {"symmetric-indefinite-1e8", Outcome::converged, 1e-8},
        {"repeated-row", Outcome::converged, 1e-8, true},
        {"largest-double", Outcome::converged, 0},
        {"denormal", Outcome::converged, 0},
        {"five-by-five", Outcome::converged, 1e-8, false, Method::idr},
        {"two-rows-two-units", Outcome::converged, 1e-8},
    };
    for (const Case& c : cases) {
        const CsrMatrix A = read_matrix_market(file(c.name));
        const std::vector<double> b = read_matrix_market_vector(file(std::string(c.name) + "-b"));
        std::vector<double> x;
        check_case(c, A, b, x);
    }
}

TEST_CASE("a Krylov space that is exhausted does not make the matrix singular", "[solvers][claims][gmres]") {
    for (const char* each : {"compositional", "vandermonde", "krylov-complete"}) {
        const CsrMatrix A = read_matrix_market(file(each));
        const std::vector<double> b = read_matrix_market_vector(file(std::string(each) + "-b"));
        std::vector<double> x(b.size(), 0.0);
        const Report report =
            solve(device_under_test(), A, b, x, {.method = Method::gmres, .preconditioner = PreconditionerKind::none});
        CAPTURE(each, name(report.outcome), report.reason);
        CHECK(report.reason.find("is singular") == std::string::npos);
        CHECK(report.outcome != Outcome::inconsistent);
        CHECK(report.relative_residual == Approx(exact_residual(A, x, b)).epsilon(0.05).margin(1e-17));
    }
}

TEST_CASE("a singular system that has answers is told", "[solvers][claims][every_driver]") {
    const Index n = is_slow() ? 21 : 101;
    const CsrMatrix A = random_skew_symmetric(n);
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x;
    check_case({"skew-symmetric of odd order", Outcome::converged, 1e-8, true}, A, b, x);
}

TEST_CASE("of all answers to a singular system the shortest is taken", "[solvers][claims]") {
    const Index n = is_slow() ? 8 : 40;
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(-1, 1);
    DenseMatrix A(n, n);
    for (double& a : A.values) a = uniform(random);
    for (Index i = 0; i < n; ++i) A(i, 2) = A(i, 5);  // so only x_2 + x_5 matters
    const CsrMatrix sparse = to_csr(A);
    const std::vector<double> b = matching_right_hand_side(sparse);
    std::vector<double> x;
    check_case({"a column that is there twice", Outcome::converged, 1e-8, true}, sparse, b, x);
    CHECK(x[2] == Approx(x[5]));
}

TEST_CASE("numbers near the ends of double precision are solved as those near 1 are", "[solvers][claims]") {
    const CsrMatrix near_one = poisson2d(is_slow() ? 3 : 6);
    const std::vector<double> right = matching_right_hand_side(near_one);
    for (const double factor : {1e-310, 1e307}) {
        for (const Method method : {Method::automatic, Method::cg, Method::gmres, Method::bicgstab, Method::minres,
                                    Method::cgnr, Method::direct}) {
            CsrMatrix A = near_one;
            std::vector<double> b = right, x(b.size(), 0.0), expected = x;
            for (double& a : A.value) a *= factor;
            for (double& b_i : b) b_i *= factor;
            Options options{.method = method};
            if (method == Method::direct) options.preconditioner = PreconditionerKind::none;
            const Report report = solve(device_under_test(), A, b, x, options);
            CAPTURE(factor, name(method), report.reason);
            CHECK(report.converged());
            solve(device_under_test(), near_one, right, expected, {.method = Method::cg});
            for (std::size_t i = 0; i < x.size(); ++i) CHECK(x[i] == Approx(expected[i]).epsilon(1e-5));
        }
    }
}

TEST_CASE("a tolerance of 0 asks for all that double precision has", "[solvers][claims]") {
    const CsrMatrix A = poisson2d(is_slow() ? 3 : 8);
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    const Report report = solve(device_under_test(), A, b, x, {.method = Method::automatic, .tolerance = 0});
    CAPTURE(report.reason);
    CHECK((report.outcome == Outcome::precision_limit || report.relative_residual == 0));
    CHECK(report.relative_residual < 1e-15);
}

TEST_CASE("what exact arithmetic calls regular is not called inconsistent, however near to singular",
          "[solvers][claims]") {
    const double next = std::nextafter(1.0, 2.0);
    const CsrMatrix A = csr_from_triplets(2, 2, std::vector<Triplet>{{0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {1, 1, next}});
    const std::vector<double> b{1, 0};
    std::vector<double> x;
    check_case({"the last bit", Outcome::converged, 0}, A, b, x);
}

}  // namespace tests_of_claims
