// Rows and unknowns in another order on the device: the caller sees none of it.
#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>
#include <numeric>
#include <random>

#include "matrix/permutation.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"

namespace tests_of_reordering {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// A grid whose unknowns are numbered at random.
CsrMatrix shuffled_grid(Index side) {
    const CsrMatrix A = poisson2d(side);
    std::vector<Index> order(static_cast<std::size_t>(A.rows));
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937(5));
    return permute(A, order);
}

}  // namespace

TEST_CASE("x and b stay in the caller's order, whatever that of the device", "[solvers][reordering]") {
    const CsrMatrix A = shuffled_grid(is_slow() ? 6 : 20);
    const Reordering reorder = GENERATE(from_range(all_reorderings()));
    const Method method = GENERATE(Method::cg, Method::bicgstab, Method::chebyshev);
    const PreconditionerKind preconditioner = GENERATE(PreconditionerKind::jacobi, PreconditionerKind::amg);
    if (is_slow() && method != Method::cg) return;
    CAPTURE(name(reorder), name(method), name(preconditioner));
    Solver solver(device_under_test(), A, {.method = method, .preconditioner = preconditioner, .reorder = reorder});
    const std::vector<double> known = known_answer(A.rows);
    std::vector<double> b(known.size()), x(known.size(), 0.0);
    multiply(A, known, b);
    const Report report = solver.solve(b, x);
    CHECK(report.converged());
    double squares = 0, size = 0;
    std::vector<double> product(known.size());
    multiply(A, x, product);
    for (std::size_t i = 0; i < b.size(); ++i)
        squares += (b[i] - product[i]) * (b[i] - product[i]), size += b[i] * b[i];
    CHECK(squares <= 1e-16 * size * 1.0001);
    if (reorder != Reordering::none && reorder != Reordering::automatic)
        CHECK_THAT(solver.format().reason, StartsWith(fmt::format("rows reordered by {}, bandwidth", name(reorder))));
}

TEST_CASE("where rows must stay, another order is refused, and auto leaves them", "[solvers][reordering]") {
    const CsrMatrix A = poisson2d(8);
    for (const PreconditionerKind kind : {PreconditionerKind::multigrid, PreconditionerKind::block_jacobi}) {
        CHECK_THROWS_WITH(Solver(device_under_test(), A, {.preconditioner = kind, .reorder = Reordering::rcm}),
                          ContainsSubstring("reorder"));
        CHECK_NOTHROW(Solver(device_under_test(), A, {.preconditioner = kind, .reorder = Reordering::automatic}));
    }
    CHECK_THROWS_WITH(Solver(device_under_test(), A, {.method = Method::cgnr, .reorder = Reordering::degree}),
                      ContainsSubstring("reorder"));
}

TEST_CASE("auto reorders where a product then fetches much less", "[solvers][reordering]") {
    // Rows of two lengths in turns: slices are as wide as the longer ones, unless rows stand by length.
    std::vector<Triplet> entries;
    const Index n = 400;
    for (Index i = 0; i < n; ++i) {
        entries.push_back({i, i, 50.0});
        for (Index k = 1; k <= (i % 4 == 0 ? 24 : 2); ++k) entries.push_back({i, (i + 37 * k) % n, -1.0});
    }
    const CsrMatrix A = csr_from_triplets(n, n, entries);
    const Solver solver(device_under_test(), A,
                        {.method = Method::bicgstab, .format = FormatKind::sell, .reorder = Reordering::automatic});
    CHECK_THAT(solver.format().reason, StartsWith("rows reordered by"));
}

}  // namespace tests_of_reordering
