// What is chosen for a system, and what comes after it, without a device; and that nothing is found out twice.
#include "solver/method_policy.hpp"

#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>

#include "support/catch.hpp"

namespace tests_of_method_policy {

using namespace glsolve;

namespace {

constexpr Capabilities some_device{.corrections = true};

/// tridiag(low, d, high)
CsrMatrix tridiagonal(Index rows, double low, double d, double high) {
    std::vector<Triplet> entries;
    for (Index i = 0; i < rows; ++i) {
        if (i > 0) entries.push_back({i, i - 1, low});
        entries.push_back({i, i, d});
        if (i + 1 < rows) entries.push_back({i, i + 1, high});
    }
    return csr_from_triplets(rows, rows, entries);
}

CsrMatrix tall_matrix() { return csr_from_triplets(3, 2, std::vector<Triplet>{{0, 0, 1}, {2, 1, 1}}); }

Method first_for(const CsrMatrix& A, const Options& asked = {}) {
    const CheckedSystem system(A, Method::automatic);
    const MethodPlan plan = MethodPolicy(system, asked, some_device).first();
    CHECK(plan.options.method == plan.choice.method);
    CHECK(plan.options.preconditioner == plan.choice.preconditioner);
    CHECK_FALSE(plan.choice.reason.empty());
    return plan.choice.method;
}

}  // namespace

TEST_CASE("the policy begins with a method for the kind of the matrix", "[core][choice]") {
    CHECK(first_for(poisson2d(30)) == Method::cg);
    CHECK(first_for(tridiagonal(600, -1, 3, -2)) == Method::gmres);
    CHECK(first_for(tridiagonal(600, -1, 3, -2), {.gmres = {.restart = 1 << 20}}) == Method::bicgstab);
    CHECK(first_for(tridiagonal(500, -1, 3, -2)) == Method::direct);
    CHECK(first_for(tridiagonal(600, 1, -1, 1)) == Method::minres);
    CHECK(first_for(tridiagonal(600, 1, -1, 1), {.preconditioner = PreconditionerKind::ssor}) == Method::gmres);
    CHECK(first_for(tall_matrix()) == Method::cgnr);
}

TEST_CASE("the policy takes what a short Lanczos run finds", "[core][choice]") {
    const CheckedSystem system(poisson2d(30), Method::automatic);
    const MethodPolicy policy(system, {}, some_device);
    const MethodPlan plan = policy.first();
    REQUIRE(MethodPolicy::asks_for_spectrum(plan));
    Spectrum found;
    found.definite = true;
    CHECK(policy.after_spectrum(plan, found).choice.method == Method::cg);
    found.definite = false;
    CHECK(policy.after_spectrum(plan, found).choice.method == Method::minres);
}

TEST_CASE("where methods fail, the policy goes on to least squares and no farther", "[core][choice]") {
    const CheckedSystem system(tridiagonal(600, -1, 3, -2), Method::automatic);
    const MethodPolicy policy(system, {}, some_device);
    const MethodPlan first = policy.first();
    const auto second = policy.after_failure({.options = first.options, .outcome = Outcome::stagnated});
    REQUIRE(second);
    CHECK(second->choice.method == Method::direct);
    const auto third = policy.after_failure({.options = second->options, .outcome = Outcome::stagnated});
    REQUIRE(third);
    CHECK(third->choice.method == Method::gmres);
    CHECK(third->options.precision == Precision::two_float);
    const auto last =
        policy.after_failure({.options = third->options, .outcome = Outcome::stagnated, .direct_is_tried = true});
    REQUIRE(last);
    CHECK(last->choice.method == Method::cgnr);
    CHECK_FALSE(policy.after_failure({.options = last->options, .outcome = Outcome::stagnated}));
}

TEST_CASE("what goes on may move rows in another way than what has failed", "[core][choice]") {
    const CheckedSystem system(tridiagonal(600, -1, 3, -2), Method::automatic);
    const MethodPolicy policy(system, {.reorder = Reordering::automatic}, some_device);
    Options taken = policy.first().options;
    taken.reorder = Reordering::rcm;  // what `automatic` has become
    const auto next = policy.after_failure({.options = taken, .outcome = Outcome::stagnated, .direct_is_tried = true});
    REQUIRE(next);
    REQUIRE(next->choice.method == Method::cgnr);
    CHECK(system.reordering(next->options) == Reordering::none);
}

TEST_CASE("where nothing may be read back gmres stands in, for square matrices", "[core][choice]") {
    const CheckedSystem square(tridiagonal(500, -1, 3, -2), Method::automatic);
    const MethodPolicy policy(square, {}, some_device);
    CHECK(policy.without_reads(policy.first()).choice.method == Method::gmres);
    const CheckedSystem tall(tall_matrix(), Method::automatic);
    const MethodPolicy for_tall(tall, {}, some_device);
    CHECK_THROWS_AS(for_tall.without_reads(for_tall.first()), InvalidInput);
}

TEST_CASE("a system is scaled once for all that take the same scaling", "[core][choice]") {
    const CheckedSystem system(poisson2d(30), Method::automatic);
    const ScaledMatrix& for_cg = system.scaled({.method = Method::cg});
    CHECK(&for_cg == &system.scaled({.method = Method::gmres}));
    const ScaledMatrix& for_direct = system.scaled({.method = Method::direct});
    CHECK(&for_cg != &for_direct);
    CHECK(&for_cg.ordered() == &for_direct.ordered());
    CHECK(for_cg.ordered().judge() == for_direct.ordered().judge());
    const ScaledMatrix& moved = system.scaled({.method = Method::cg, .reorder = Reordering::rcm});
    CHECK(&for_cg.ordered() != &moved.ordered());
    CHECK(moved.ordered().moves());
}

TEST_CASE("other values in the same places keep the order of the rows", "[core][choice]") {
    const Options options{.reorder = Reordering::rcm};
    const CheckedSystem system(tridiagonal(50, -1, 3, -2), Method::automatic);
    std::vector<double> values = system.A().value;
    for (double& value : values) value *= 2;
    const CheckedSystem other(system, values, Method::automatic);
    CHECK(other.A().value == values);
    CHECK(other.scaled(options).ordered().order() == system.scaled(options).ordered().order());
    values.pop_back();
    CHECK_THROWS_AS(CheckedSystem(system, values, Method::automatic), InvalidInput);
}

}  // namespace tests_of_method_policy
