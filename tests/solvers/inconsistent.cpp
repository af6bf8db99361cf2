// Singular systems that no x solves, whose left null vectors are no constants: each method says so, with a residual
// near the smallest there is.
#include <cmath>
#include <glsolve/generate.hpp>
#include <glsolve/solver.hpp>
#include <random>

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/problems.hpp"

namespace tests_of_inconsistent {

using namespace glsolve;
using namespace glsolve::test;

namespace {

struct System {
    const char* name;
    CsrMatrix A;
    std::vector<double> left_null;  // A^T w = 0
    bool symmetric = false;
};

/// R N C with the 5-point Laplacian N of a closed box of side x side cells: R^-1 1 is a left null vector.
System scaled_box(const char* name, Index side, double rows, double columns, bool symmetric) {
    std::mt19937 random(11);
    std::uniform_real_distribution<double> power(-1, 1);
    std::vector<double> r(static_cast<std::size_t>(side * side)), c = r;
    for (std::size_t i = 0; i < r.size(); ++i) {
        r[i] = std::pow(10.0, rows * power(random));
        c[i] = symmetric ? r[i] : std::pow(10.0, columns * power(random));
    }
    std::vector<Triplet> entries;
    const auto couple = [&](Index i, Index j) {
        for (const auto& [row, column, value] : {Triplet{i, i, 1.0}, {j, j, 1.0}, {i, j, -1.0}, {j, i, -1.0}}) {
            entries.push_back(
                {row, column, r[static_cast<std::size_t>(row)] * value * c[static_cast<std::size_t>(column)]});
        }
    };
    for (Index i = 0; i < side * side; ++i) {
        if (i % side + 1 < side) couple(i, i + 1);
        if (i + side < side * side) couple(i, i + side);
    }
    System system{name, csr_from_triplets(side * side, side * side, entries), {}, symmetric};
    for (const double factor : r) system.left_null.push_back(1 / factor);
    return system;
}

/// b = A y + share |A y| w / |w|: no x leaves less than about that share.
std::vector<double> with_unsolvable_part(const System& system, double share) {
    std::vector<double> b = matching_right_hand_side(system.A);
    double norm_b = 0, norm_w = 0;
    for (std::size_t i = 0; i < b.size(); ++i) {
        norm_b += b[i] * b[i];
        norm_w += system.left_null[i] * system.left_null[i];
    }
    for (std::size_t i = 0; i < b.size(); ++i) b[i] += share * std::sqrt(norm_b / norm_w) * system.left_null[i];
    return b;
}

}  // namespace

TEST_CASE("what no x solves is inconsistent, whatever the null vector", "[solvers][outcomes][inconsistent]") {
    const Index side = is_slow() ? 4 : 12;
    constexpr double share = 1e-2;
    const System systems[] = {
        {"two rows",
         csr_from_triplets(2, 2, std::vector<Triplet>{{0, 0, 1.0}, {0, 1, 2.0}, {1, 0, 2.0}, {1, 1, 4.0}}),
         {2.0, -1.0},
         true},
        scaled_box("scaled, symmetric", side, 1, 1, true),
        scaled_box("rows scaled", side, 1, 0, false),
        scaled_box("columns scaled", side, 0, 1, false),
        scaled_box("rows and columns scaled", side, 1, 1, false),
    };
    for (const System& system : systems) {
        const std::vector<double> b = with_unsolvable_part(system, share);
        for (const Method method : {Method::automatic, Method::cg, Method::minres, Method::gmres, Method::direct}) {
            const bool needs_symmetry = method == Method::cg || method == Method::minres;
            if (needs_symmetry && !system.symmetric) continue;
            if (is_slow() && method != Method::automatic && method != Method::minres) continue;
            CAPTURE(system.name, name(method));
            Options options{.method = method};
            if (method == Method::direct) options.preconditioner = PreconditionerKind::none;
            std::vector<double> x(b.size(), 0.0);
            const Report report = solve(device_under_test(), system.A, b, x, options);
            CAPTURE(report.reason, report.iterations);
            CHECK(report.outcome == Outcome::inconsistent);
            CHECK(report.relative_residual >= 0.9 * share);
            CHECK(report.relative_residual <= 3 * share);
            CHECK(report.relative_residual == Approx(true_residual(system.A, x, b)).epsilon(1e-6));
        }
    }
}

TEST_CASE("a matrix of zeros solves b = 0 only", "[solvers][outcomes][inconsistent]") {
    const CsrMatrix A = csr_from_triplets(3, 3, std::vector<Triplet>{});
    std::vector<double> x(3, 0.0);
    const Options options{.method = Method::automatic};
    CHECK(solve(device_under_test(), A, std::vector<double>(3, 0.0), x, options).converged());
    const Report report = solve(device_under_test(), A, std::vector<double>(3, 1.0), x, options);
    CAPTURE(report.reason);
    CHECK(report.outcome == Outcome::inconsistent);
    CHECK(report.relative_residual == Approx(1));
}

}  // namespace tests_of_inconsistent
