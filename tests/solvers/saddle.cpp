// Saddle points: what is one, and that multigrid makes of its iterations what it makes of those of a Laplacian.
#include "matrix/saddle_point.hpp"

#include <algorithm>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>

#include "matrix/csr_entries.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_saddle {

using namespace glsolve;
using namespace glsolve::test;

namespace {

std::int64_t iterations_for(const CsrMatrix& K,
                            const Options& options = {.method = Method::minres,
                                                      .preconditioner = PreconditionerKind::saddle}) {
    const std::vector<double> b = matching_right_hand_side(K);
    std::vector<double> x(b.size(), 0.0);
    const Report report = solve(device_under_test(), K, b, x, options);
    CAPTURE(report.reason);
    CHECK(report.converged());
    CHECK(true_residual(K, x, b) <= 1e-8 * (1 + 1e-6));
    return report.iterations;
}

/// (A, B^T; B, 0)
CsrMatrix small_saddle_point(double a) {
    return csr_from_triplets(3, 3,
                             std::vector<Triplet>{{0, 0, a}, {0, 2, 2}, {1, 1, 4}, {1, 2, 1}, {2, 0, 2}, {2, 1, 1}});
}

}  // namespace

TEST_CASE("a saddle point is known by its zeros, and what is none is told why", "[solvers][saddle]") {
    const SaddlePoint found = saddle_point(small_saddle_point(1));
    CHECK(found.why_not.empty());
    CHECK(found.is_second == std::vector<bool>{false, false, true});
    CHECK(found.first_is_like_diagonal);
    CHECK_THAT(saddle_point(small_saddle_point(-1)).why_not, ContainsSubstring("row 1 has -1 on the diagonal"));
    CHECK_THAT(saddle_point(poisson2d(4)).why_not, ContainsSubstring("no row has a zero"));
    CHECK_FALSE(saddle_point(stokes2d(16)).first_is_like_diagonal);
    CHECK_THROWS_WITH(Solver(device_under_test(), poisson2d(4),
                             {.method = Method::minres, .preconditioner = PreconditionerKind::saddle}),
                      ContainsSubstring("needs a block of zeros on the diagonal"));
}

TEST_CASE("the blocks of a saddle point may be told", "[solvers][saddle]") {
    // A stabilised one, (A, B^T; B, -C): pressures, which come last, have something on their diagonal.
    CsrMatrix K = stokes2d(is_slow() ? 6 : 24);
    const std::vector<double> d = diagonal(K);
    const auto first = std::ranges::find(d, 0.0) - d.begin();
    REQUIRE(std::all_of(d.begin() + first, d.end(), [](double number) { return number == 0; }));
    const std::int64_t without = iterations_for(K);
    std::vector<Triplet> entries;
    for (Index i = 0; i < K.rows; ++i) {
        for (const auto [j, a] : K.row(i)) entries.push_back({i, static_cast<Index>(j), a});
        if (i >= first) entries.push_back({i, i, -0.01});
    }
    K = csr_from_triplets(K.rows, K.columns, entries);
    Options options{.method = Method::minres, .preconditioner = PreconditionerKind::saddle};
    CHECK_THROWS_WITH(Solver(device_under_test(), K, options), ContainsSubstring("first_field"));
    options.preconditioning.first_field = static_cast<int>(first);
    CHECK(iterations_for(K, options) <= 2 * without);
    options.preconditioning.first_field = static_cast<int>(first) + 1;
    CHECK_THROWS_WITH(Solver(device_under_test(), K, options), ContainsSubstring("is of the first block"));
    options.preconditioning.first_field = K.rows;
    CHECK_THROWS_WITH(Solver(device_under_test(), K, options), ContainsSubstring("none of the second block"));
    options.preconditioning.first_field = static_cast<int>(first);
    options.reorder = Reordering::rcm;
    CHECK_THROWS_WITH(Solver(device_under_test(), K, options), ContainsSubstring("first_field"));
}

TEST_CASE("in place of a saddle point stand its block and what the other one makes of it", "[solvers][saddle]") {
    const CsrMatrix K = small_saddle_point(1);
    const CsrMatrix P = saddle_substitute(K, saddle_point(K));
    CHECK(P.nonzeros() == 3);
    CHECK(entry(P, 0, 0) == 1);
    CHECK(entry(P, 1, 1) == 4);
    CHECK(entry(P, 2, 2) == 2.0 * 2 / 1 + 1.0 * 1 / 4);  // B D^-1 B^T
}

TEST_CASE("iterations of saddle points hardly grow with the grid", "[solvers][saddle]") {
    const Index few = is_slow() ? 6 : 16, many = is_slow() ? 12 : 64;
    CHECK(iterations_for(darcy2d(many, 10)) <= 2 * iterations_for(darcy2d(few, 10)));
    CHECK(iterations_for(stokes2d(many)) <= 3 * iterations_for(stokes2d(few)));
}

}  // namespace tests_of_saddle
