// Least squares by conjugate gradients on the normal equations, against QR in double precision.
#include <Eigen/Core>
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/solver.hpp>
#include <random>

#include "support/catch.hpp"
#include "support/dense.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_cgnr {

using namespace glsolve;
using namespace glsolve::test;

namespace {

std::vector<double> random_vector(Index size, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(-1, 1);
    std::vector<double> v(static_cast<std::size_t>(size));
    for (double& number : v) number = uniform(random);
    return v;
}

/// Some entries in each row at random columns, and one in each column.
CsrMatrix random_matrix(Index rows, Index columns) {
    std::mt19937 random(5);
    std::uniform_int_distribution<Index> column(0, columns - 1), row(0, rows - 1);
    std::uniform_real_distribution<double> value(0.5, 1.5);
    std::vector<Triplet> entries;
    for (Index i = 0; i < rows; ++i) {
        entries.push_back({i, i % columns, 3 * value(random)});
        for (int k = 0; k < 2; ++k) entries.push_back({i, column(random), value(random) - 1});
    }
    for (Index j = 0; j < columns; ++j) entries.push_back({row(random), j, value(random)});
    return csr_from_triplets(rows, columns, entries);
}

Eigen::Map<const Eigen::VectorXd> vector_of(const std::vector<double>& v) {
    return {v.data(), static_cast<Eigen::Index>(v.size())};
}

/// What the report says, computed anew.
void check_report(const CsrMatrix& A, const std::vector<double>& b, const std::vector<double>& x,
                  const Report& report) {
    const Eigen::MatrixXd M = dense(A);
    const Eigen::VectorXd r = vector_of(b) - M * vector_of(x);
    const double size = vector_of(b).norm();
    CHECK(report.relative_residual == Approx(size > 0 ? r.norm() / size : r.norm()).epsilon(1e-6).margin(1e-15));
    if (r.norm() > 1e-6 * size && M.norm() > 0) {
        const double normal = (M.transpose() * r).norm() / (M.norm() * r.norm());
        CHECK(report.normal_residual == Approx(normal).epsilon(1e-3).margin(1e-14));
    }
    CHECK_FALSE(report.reason.empty());
}

Report solve_cgnr(const CsrMatrix& A, const std::vector<double>& b, std::vector<double>& x, Options options = {}) {
    options.method = Method::cgnr;
    if (x.empty()) x.assign(static_cast<std::size_t>(A.columns), 0.0);
    const Report report = solve(device_under_test(), A, b, x, options);
    check_report(A, b, x, report);
    return report;
}

/// The largest |x - y| beside the largest |y|.
double difference(const std::vector<double>& x, const Eigen::VectorXd& y) {
    return (vector_of(x) - y).lpNorm<Eigen::Infinity>() / y.lpNorm<Eigen::Infinity>();
}

Eigen::VectorXd smallest_solution(const CsrMatrix& A, const std::vector<double>& b) {
    return least_squares(dense(A), vector_of(b));
}

}  // namespace

TEST_CASE("tall systems get their least-squares solution", "[solvers][least_squares]") {
    const auto [rows, columns] = GENERATE(table<Index, Index>({{7, 3}, {61, 20}, {150, 33}, {40, 40}}));
    const PreconditionerKind preconditioner = GENERATE(PreconditionerKind::none, PreconditionerKind::jacobi);
    const FormatKind format = GENERATE(FormatKind::automatic, FormatKind::ell, FormatKind::csr, FormatKind::sell,
                                       FormatKind::runs, FormatKind::dense);
    if (is_slow() && (format != FormatKind::automatic || rows > 70)) return;
    CAPTURE(rows, columns, name(preconditioner), name(format));
    const CsrMatrix A = random_matrix(rows, columns);
    const std::vector<double> b = random_vector(rows, 3);
    std::vector<double> x;
    const Report report = solve_cgnr(A, b, x, {.preconditioner = preconditioner, .format = format, .tolerance = 1e-10});
    CAPTURE(report.reason);
    CHECK(report.outcome == Outcome::converged);
    CHECK((report.normal_residual <= 1e-10 || report.relative_residual <= 1e-10));
    if (rows > columns) CHECK(report.relative_residual > 0.1);  // b is not in the range, and that is no fault
    CHECK(difference(x, least_squares(dense(A), vector_of(b))) < 1e-7);
}

TEST_CASE("two floats find it too", "[solvers][least_squares]") {
    if (!backend_under_test().info().two_float_fault.empty()) return;
    const CsrMatrix A = random_matrix(50, 17);
    const std::vector<double> b = random_vector(50, 4);
    std::vector<double> x;
    const Report report = solve_cgnr(A, b, x, {.precision = Precision::two_float, .tolerance = 1e-11});
    CAPTURE(report.reason);
    CHECK(report.converged());
    CHECK(report.corrections <= 3);
    CHECK(difference(x, least_squares(dense(A), vector_of(b))) < 1e-9);
}

TEST_CASE("wide systems get the smallest solution", "[solvers][least_squares][every_driver]") {
    const CsrMatrix A = random_matrix(18, 53);
    const std::vector<double> b = random_vector(18, 6);
    std::vector<double> x, y;
    const Report report = solve_cgnr(A, b, x, {.preconditioner = PreconditionerKind::none, .tolerance = 1e-10});
    CHECK(report.converged());
    CHECK(report.relative_residual <= 1e-10);
    CHECK(report.remarks.find("nearest to the guess") != std::string::npos);
    // To single precision: no residual sees what rounding leaves in the null space of A.
    CHECK(difference(x, smallest_solution(A, b)) < 1e-6);
    // Columns of length 1: another measure of x, so another solution.
    CHECK(solve_cgnr(A, b, y, {.tolerance = 1e-10}).relative_residual <= 1e-10);
    CHECK(vector_of(y).norm() > vector_of(x).norm());
}

TEST_CASE("a matrix without full rank is none the worse", "[solvers][least_squares]") {
    CsrMatrix A = random_matrix(44, 12);
    std::vector<Triplet> entries;
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset k = A.offsets[i]; k < A.offsets[i + Offset{1}]; ++k) {
            entries.push_back({i, A.column[k], A.value[k]});
            if (A.column[k] == 2) entries.push_back({i, 14, A.value[k]});  // column 14 is column 2; 12 and 13 are empty
        }
    }
    A = csr_from_triplets(50, 15, entries);  // six empty rows
    const std::vector<double> b = random_vector(50, 8);
    std::vector<double> x;
    const Report report = solve_cgnr(A, b, x, {.preconditioner = PreconditionerKind::none, .tolerance = 1e-10});
    CAPTURE(report.reason);
    CHECK(report.converged());
    CHECK(x[12] == 0);
    CHECK(x[14] == Approx(x[2]).epsilon(1e-6));
    // To single precision: no residual sees what rounding leaves in the null space of A.
    CHECK(difference(x, smallest_solution(A, b)) < 1e-6);
    x.assign(15, 0.25);
    CHECK(solve_cgnr(A, b, x).converged());
    CHECK(x[12] == 0.25);  // nothing is known of it, and the guess stays
}

TEST_CASE("nothing to do is done at once", "[solvers][least_squares]") {
    const CsrMatrix A = csr_from_triplets(4, 2, std::vector<Triplet>{{0, 0, 1.0}, {1, 0, 1.0}, {2, 1, 2.0}});
    std::vector<double> x{3, 4};
    SECTION("b = 0") {
        const Report report = solve_cgnr(A, {0, 0, 0, 0}, x);
        CHECK(report.converged());
        CHECK(x == std::vector<double>{0, 0});
    }
    SECTION("b orthogonal to the range") {
        const Report report = solve_cgnr(A, {1, -1, 0, 5}, x, {.zero_guess = true});
        CHECK(report.converged());
        CHECK(report.iterations == 0);
        CHECK(report.relative_residual == Approx(1));
        CHECK(x == std::vector<double>{0, 0});
    }
    SECTION("a matrix of zeros") {
        const Report report = solve_cgnr(csr_from_triplets(4, 2, {}), {1, 2, 3, 4}, x, {.zero_guess = true});
        CHECK(report.converged());
        CHECK(x == std::vector<double>{0, 0});
    }
    SECTION("b that is not finite") {
        const Report report =
            solve(device_under_test(), A, std::vector<double>{1, INFINITY, 0, 0}, x, {.method = Method::cgnr});
        CHECK(report.outcome == Outcome::not_finite);
    }
}

TEST_CASE("systems of any size are alike to least squares", "[solvers][least_squares]") {
    const double factor = GENERATE(1e-150, 1.0, 1e+120);
    CsrMatrix A = random_matrix(31, 9);
    std::vector<double> b = random_vector(31, 9), x;
    const Eigen::VectorXd expected = least_squares(dense(A), vector_of(b));
    for (double& value : A.value) value *= factor;
    for (double& value : b) value *= factor;
    const PreconditionerKind preconditioner = GENERATE(PreconditionerKind::none, PreconditionerKind::jacobi);
    x.assign(9, 0.0);
    const Report report = solve(device_under_test(), A, b, x,
                                {.method = Method::cgnr, .preconditioner = preconditioner, .tolerance = 1e-10});
    CAPTURE(factor, report.reason);
    CHECK(report.converged());
    CHECK(difference(x, expected) < 1e-7);
}

TEST_CASE("least squares ends at its limit, and goes on", "[solvers][least_squares]") {
    const CsrMatrix A = random_matrix(70, 30);
    const std::vector<double> b = random_vector(70, 2);
    std::vector<double> x(30, 0.0);
    Solver solver(device_under_test(), A, {.method = Method::cgnr, .max_iterations = 5});
    const Report first = solver.solve(b, x);
    CHECK(first.outcome == Outcome::max_iterations);
    CHECK(first.iterations == 5);
    check_report(A, b, x, first);
    Report last;
    for (int k = 0; k < 30 && !last.converged(); ++k) last = solver.resume(b, x);
    CHECK(last.converged());
    CHECK(difference(x, least_squares(dense(A), vector_of(b))) < 1e-5);
}

TEST_CASE("only least squares takes what is not square", "[solvers][least_squares]") {
    const CsrMatrix A = random_matrix(20, 6);
    for (const Method method : all_methods()) {
        if (method == Method::cgnr || method == Method::automatic) continue;
        CAPTURE(name(method));
        CHECK_THROWS_WITH(Solver(device_under_test(), A, {.method = method}),
                          ContainsSubstring("20 x 6") && ContainsSubstring("cgnr"));
    }
    CHECK_THROWS_WITH(
        Solver(device_under_test(), A, {.method = Method::cgnr, .preconditioner = PreconditionerKind::ssor}),
        ContainsSubstring("none or jacobi, not ssor"));
    CHECK_THROWS_WITH(Solver(device_under_test(), A, {.method = Method::cgnr, .slicing = {.sort_window = 8}}),
                      ContainsSubstring("sort_window"));
    Solver solver(device_under_test(), A, {.method = Method::automatic});
    CHECK(solver.method().method == Method::cgnr);
    CHECK(solver.method().reason.find("20 x 6") != std::string::npos);
    std::vector<double> x(20);
    CHECK_THROWS_WITH(solver.solve(random_vector(20, 1), x), ContainsSubstring("20 rows and 6 columns"));
    CHECK_THROWS_AS(solver.spectrum(), InvalidInput);
}

TEST_CASE("dense matrices that are tall", "[solvers][least_squares]") {
    DenseMatrix A(23, 5);
    A.values = random_vector(23 * 5, 12);
    const std::vector<double> b = random_vector(23, 13);
    std::vector<double> x(5, 0.0);
    const Report report = solve(device_under_test(), A, b, x, {.method = Method::cgnr, .tolerance = 1e-10});
    CHECK(report.converged());
    CHECK(difference(x, least_squares(dense(to_csr(A)), vector_of(b))) < 1e-7);
}

}  // namespace tests_of_cgnr
