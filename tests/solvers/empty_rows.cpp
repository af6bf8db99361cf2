// Equations that read 0 = b_i: every method takes them, solves the others, and says so where b_i is not zero.
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_empty_rows {

using namespace glsolve;
using namespace glsolve::test;

namespace {

/// A without the entries of which `drops(i, j)` is true.
CsrMatrix without(const CsrMatrix& A, const auto& drops) {
    std::vector<Triplet> kept;
    for (Index i = 0; i < A.rows; ++i) {
        for (Offset k = A.offsets[static_cast<std::size_t>(i)]; k < A.offsets[static_cast<std::size_t>(i) + 1]; ++k) {
            const auto e = static_cast<std::size_t>(k);
            if (!drops(i, A.column[e])) kept.push_back({i, A.column[e], A.value[e]});
        }
    }
    return csr_from_triplets(A.rows, A.columns, kept);
}

/// Unknown 7 is in no equation, and has none.
CsrMatrix with_unknown_alone(const CsrMatrix& A) {
    return without(A, [](Index i, Index j) { return i == 7 || j == 7; });
}

CsrMatrix with_empty_row(const CsrMatrix& A) {
    return without(A, [](Index i, Index) { return i == 7; });
}

/// The 5-point Laplacian of a closed box: the rows sum to zero.
CsrMatrix closed_box(Index side) {
    std::vector<Triplet> entries;
    const auto couple = [&](Index i, Index j) {
        entries.insert(entries.end(), {{i, i, 1.0}, {j, j, 1.0}, {i, j, -1.0}, {j, i, -1.0}});
    };
    for (Index i = 0; i < side * side; ++i) {
        if (i % side + 1 < side) couple(i, i + 1);
        if (i + side < side * side) couple(i, i + side);
    }
    return csr_from_triplets(side * side, side * side, entries);
}

Index side() { return is_slow() ? 5 : 20; }

void check_solved(const CsrMatrix& A, const Options& options) {
    CAPTURE(name(options.method), name(options.preconditioner));
    const std::vector<double> b = matching_right_hand_side(A);
    std::vector<double> x(b.size(), 0.0);
    const Report report = solve(device_under_test(), A, b, x, options);
    CAPTURE(report.reason);
    CHECK(report.converged());
    CHECK(true_residual(A, x, b) <= options.tolerance * (1 + 1e-6));
}

}  // namespace

TEST_CASE("every method takes an unknown that is in no equation", "[solvers][empty-rows]") {
    const CsrMatrix A = with_unknown_alone(poisson2d(is_slow() ? 5 : 12));
    for (const Method method :
         {Method::cg, Method::pipelined_cg, Method::minres, Method::bicgstab, Method::bicgstab2, Method::idr,
          Method::gmres, Method::fgmres, Method::chebyshev, Method::richardson, Method::jacobi, Method::gauss_seidel,
          Method::sor, Method::ssor, Method::cgnr, Method::direct, Method::automatic}) {
        check_solved(A, {.method = method, .tolerance = 1e-6});
    }
}

TEST_CASE("every preconditioner takes an unknown that is in no equation", "[solvers][empty-rows]") {
    const CsrMatrix A = with_unknown_alone(poisson2d(is_slow() ? 5 : 12));
    for (const PreconditionerKind M :
         {PreconditionerKind::none, PreconditionerKind::jacobi, PreconditionerKind::block_jacobi,
          PreconditionerKind::chebyshev, PreconditionerKind::richardson, PreconditionerKind::gauss_seidel,
          PreconditionerKind::sor, PreconditionerKind::ssor, PreconditionerKind::amg}) {
        check_solved(A, {.method = Method::gmres, .preconditioner = M, .tolerance = 1e-6});
    }
}

TEST_CASE("methods for any matrix take an empty row whose column is not empty", "[solvers][empty-rows]") {
    const CsrMatrix A = with_empty_row(convection_diffusion(is_slow() ? 5 : 12));
    for (const Method method : {Method::gmres, Method::bicgstab, Method::bicgstab2, Method::idr, Method::cgnr,
                                Method::direct, Method::automatic}) {
        check_solved(A, {.method = method, .tolerance = 1e-6});
    }
}

TEST_CASE("auto finds an unknown for the equation of an empty row", "[solvers][choice][empty-rows]") {
    const CsrMatrix full = convection_diffusion(is_slow() ? 5 : 12);
    SECTION("the row and the column of one unknown") {
        const CsrMatrix A = with_unknown_alone(full);
        Solver solver(device_under_test(), A, {.method = Method::automatic});
        CHECK(solver.method().method == Method::direct);
        CHECK_THAT(solver.method().reason, ContainsSubstring("singular: row 8 is empty"));
        check_solved(A, {.method = Method::automatic});
    }
    SECTION("the row of one unknown and the column of another") {
        check_solved(without(full, [](Index i, Index j) { return i == 7 || j == 12; }), {.method = Method::automatic});
    }
    SECTION("a column only: least squares") {
        const CsrMatrix A = csr_from_triplets(3, 3, std::vector<Triplet>{{0, 0, 1.0}, {1, 2, 2.0}, {2, 2, 1.0}});
        Solver solver(device_under_test(), A, {.method = Method::automatic});
        CHECK(solver.method().method == Method::cgnr);
        check_solved(A, {.method = Method::automatic});
    }
}

TEST_CASE("an empty row leaves the choice of the method and the preconditioner free", "[solvers][choice][empty-rows]") {
    const CsrMatrix A = with_unknown_alone(closed_box(side()));
    for (const PreconditionerKind asked :
         {PreconditionerKind::jacobi, PreconditionerKind::none, PreconditionerKind::amg}) {
        Solver solver(device_under_test(), A, {.method = Method::automatic, .preconditioner = asked});
        CAPTURE(name(asked), solver.method().reason);
        CHECK(solver.method().method == (asked == PreconditionerKind::amg ? Method::cg : Method::direct));
        const std::vector<double> b = matching_right_hand_side(A);
        std::vector<double> x(b.size(), 0.0);
        const Report report = solver.solve(b, x);
        CAPTURE(report.reason);
        CHECK(report.converged());
        CHECK(true_residual(A, x, b) <= 1e-8 * (1 + 1e-6));
        CHECK(report.iterations < 20 * side());
    }
}

TEST_CASE("0 = 1 has no answer: the other equations are solved, and the outcome says so",
          "[solvers][outcomes][inconsistent][empty-rows]") {
    for (const CsrMatrix& A : {with_unknown_alone(poisson2d(is_slow() ? 5 : 12)),
                               with_empty_row(convection_diffusion(is_slow() ? 5 : 12))}) {
        std::vector<double> b = matching_right_hand_side(A), x(b.size(), 0.0);
        double of_others = 0;
        for (const double value : b) of_others += value * value;
        b[7] = 1;
        const double least = 1 / std::sqrt(of_others + 1);
        const Report report = solve(device_under_test(), A, b, x, {.method = Method::automatic});
        CAPTURE(report.reason, least);
        CHECK(report.outcome == Outcome::inconsistent);
        CHECK(true_residual(A, x, b) >= least * (1 - 1e-6));
        CHECK(true_residual(A, x, b) <= 3 * least);
    }
}

}  // namespace tests_of_empty_rows
