// Precision::half: the iteration reads the matrix in half precision, and corrections have all of its digits.
#include <glsolve/error.hpp>
#include <glsolve/solver.hpp>

#include "base/random.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_half_values {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// Symmetric and dominant; its numbers have more digits than half precision holds.
CsrMatrix random_symmetric(Index n, double size = 1) {
    Random random(21);
    std::vector<Triplet> entries;
    for (Index i = 0; i < n; ++i) entries.push_back({i, i, size * (5 + random.uniform())});
    for (Index k = 0; k < 3 * n; ++k) {
        const auto i = static_cast<Index>(random.uniform() * n), j = static_cast<Index>(random.uniform() * n);
        if (i == j) continue;
        const double a = size * random.normal() / 3;
        entries.push_back({i, j, a});
        entries.push_back({j, i, a});
    }
    return csr_from_triplets(n, n, entries);
}

std::string refusal(const CsrMatrix& A, const Options& options) {
    try {
        const Solver solver(device_under_test(), A, options);
    } catch (const InvalidInput& error) {
        return error.what();
    }
    return "";
}

}  // namespace

TEST_CASE("a matrix in half precision leads to the same solution", "[solvers][half]") {
    const CsrMatrix A = random_symmetric(is_slow() ? 40 : 900);
    const std::vector<double> b = matching_right_hand_side(A);
    for (const Method method : {Method::cg, Method::pipelined_cg, Method::minres, Method::bicgstab, Method::bicgstab2,
                                Method::gmres, Method::idr, Method::chebyshev, Method::jacobi}) {
        CAPTURE(name(method));
        Solver solver(device_under_test(), A,
                      {.method = method, .precision = Precision::half, .tolerance = 1e-10, .max_iterations = 2000});
        std::vector<double> x(b.size(), 0.0);
        const Report report = solver.solve(b, x);
        CAPTURE(report.reason);
        CHECK(report.converged());
        CHECK(true_residual(A, x, b) <= 1e-10 * (1 + 1e-6));
        CHECK(report.corrections > 0);  // of what rounding to half precision has lost
        CHECK_THAT(solver.format().reason, ContainsSubstring("half precision"));
    }
}

TEST_CASE("every format holds half precision, but for dense", "[solvers][half]") {
    const CsrMatrix A = random_symmetric(is_slow() ? 24 : 300);
    const std::vector<double> b = matching_right_hand_side(A);
    for (const FormatKind format : all_formats()) {
        CAPTURE(name(format));
        const Options options{.format = format, .precision = Precision::half};
        if (format == FormatKind::dense) {
            CHECK_THAT(refusal(A, options), ContainsSubstring("no half precision"));
            continue;
        }
        if (format == FormatKind::dia) continue;  // the places are too scattered for it
        Solver solver(device_under_test(), A, options);
        std::vector<double> x(b.size(), 0.0);
        CHECK(solver.solve(b, x).converged());
        CHECK(true_residual(A, x, b) <= options.tolerance * (1 + 1e-6));
    }
}

TEST_CASE("half precision is refused where it cannot be had", "[solvers][half]") {
    CHECK_THAT(refusal(random_symmetric(20), {.method = Method::cgnr, .precision = Precision::half}),
               ContainsSubstring("precision half: cgnr"));
    // Without division by the diagonal nothing brings the numbers near 1.
    const CsrMatrix large = csr_from_triplets(2, 2, std::vector<Triplet>{{0, 0, 1}, {0, 1, 1e6}, {1, 0, 1}, {1, 1, 1}});
    CHECK_THAT(
        refusal(large,
                {.method = Method::gmres, .preconditioner = PreconditionerKind::none, .precision = Precision::half}),
        ContainsSubstring("for half precision, which holds numbers up to 65504"));
}

}  // namespace tests_of_half_values
