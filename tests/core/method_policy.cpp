// What is chosen for a system, and what comes after it, without a device; and that nothing is found out twice.
#include "solver/method_policy.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>

#include "methods/method_table.hpp"
#include "solver/check_options.hpp"
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

MethodChoice first_for(const CsrMatrix& A, const Options& asked = {}, Reads reads = Reads::allowed) {
    const CheckedSystem system(A, Method::automatic);
    const MethodPlan plan = MethodPolicy(system, asked, some_device).first(reads);
    CHECK(plan.options.method == plan.choice.method);
    CHECK(plan.options.preconditioner == plan.choice.preconditioner);
    CHECK(plan.choice.preconditioner != PreconditionerKind::automatic);
    CHECK_FALSE(plan.choice.reason.empty());
    return plan.choice;
}

/// Neither symmetric nor soon factored.
CsrMatrix large_unsymmetric() { return convection_diffusion(200); }

CsrMatrix large_indefinite() {
    CsrMatrix A = poisson3d(24);
    for (Index i = 0; i < A.rows; ++i) {
        for (const auto [j, a] : A.row(i)) a = j == i ? -1 : a;
    }
    return A;
}

Spectrum settled(double smallest, double largest) {
    return {.smallest = smallest, .largest = largest, .smallest_halfway = smallest, .steps = 32, .definite = true};
}

}  // namespace

TEST_CASE("whether a matrix is like an M-matrix does not depend on its scaling", "[core][choice]") {
    const auto is_like = [](const CsrMatrix& A) { return CheckedSystem(A, Method::automatic).is_like_m_matrix(); };
    /// D A D, with powers of two from 2^-e to 2^e in D, and all of it times 2^s.
    const auto scaled = [](CsrMatrix A, int e, int s) {
        const auto power = [&](Index i) { return e == 0 ? 0 : i * 7 % (2 * e + 1) - e; };
        for (Index i = 0; i < A.rows; ++i) {
            for (const auto [j, a] : A.row(i)) a = std::ldexp(a, power(i) + power(j) + s);
        }
        return A;
    };
    const CsrMatrix laplacian = poisson2d(9), brick = elasticity(4, 4, 4).A, mass = tridiagonal(40, 1, 4, 1);
    for (const int e : {0, 20}) {
        for (const int s : {0, -500, 500}) {
            INFO(e << " " << s);
            CHECK(is_like(scaled(laplacian, e, s)));
            CHECK_FALSE(is_like(scaled(brick, e, s)));
            CHECK_FALSE(is_like(scaled(mass, e, s)));
        }
    }
    CHECK_FALSE(is_like(tridiagonal(40, -1, 0, -1)));
}

TEST_CASE("the policy begins with a method for the kind of the matrix", "[core][choice]") {
    CHECK(first_for(poisson2d(200)).method == Method::cg);
    for (const PreconditionerKind M : {PreconditionerKind::lu, PreconditionerKind::ilut, PreconditionerKind::ilu0}) {
        CHECK(first_for(poisson2d(200), {.preconditioner = M}).method == Method::gmres);  // M is not symmetric
        CHECK(first_for(large_indefinite(), {.preconditioner = M}).method == Method::gmres);
    }
    CHECK(first_for(poisson2d(200), {.preconditioner = PreconditionerKind::ic0}).method == Method::cg);
    CHECK(first_for(large_unsymmetric()).method == Method::bicgstab);
    CHECK(first_for(large_unsymmetric(), {.preconditioner = PreconditionerKind::ilu0}).method == Method::gmres);
    CHECK(first_for(large_unsymmetric(), {.preconditioner = PreconditionerKind::ilu0, .gmres = {.restart = 1 << 20}})
              .method
          == Method::bicgstab);
    CHECK(first_for(large_unsymmetric(), {}, Reads::never).method == Method::gmres);
    CHECK(first_for(large_indefinite()).method == Method::minres);
    CHECK(first_for(large_indefinite(), {.preconditioner = PreconditionerKind::ssor}).method == Method::gmres);
    CHECK(first_for(tall_matrix()).method == Method::cgnr);
}

TEST_CASE("what factors solve at once is solved by factors", "[core][choice]") {
    for (const PreconditionerKind M : {PreconditionerKind::automatic, PreconditionerKind::jacobi}) {
        CHECK(first_for(tridiagonal(600, -1, 3, -2), {.preconditioner = M}).method == Method::direct);
        CHECK(first_for(tridiagonal(600, 1, -1, 1), {.preconditioner = M}).method == Method::direct);
        CHECK(first_for(tridiagonal(600, -1, 3, -1), {.preconditioner = M}).method == Method::direct);
    }
    // Not where the caller wants something that the direct method has not.
    CHECK(first_for(tridiagonal(600, -1, 3, -2), {.preconditioner = PreconditionerKind::ilu0}).method == Method::gmres);
    CHECK(first_for(tridiagonal(600, -1, 3, -2), {.precision = Precision::two_float}).method == Method::bicgstab);
    CHECK(first_for(tridiagonal(600, -1, 3, -2), {.fixed_iterations = 8}).method == Method::bicgstab);
}

TEST_CASE("the policy takes what a short Lanczos run finds", "[core][choice]") {
    const CheckedSystem system(poisson2d(200), Method::automatic);
    const MethodPolicy policy(system, {}, some_device);
    const MethodPlan plan = policy.first();
    REQUIRE(MethodPolicy::asks_for_spectrum(plan));
    CHECK(policy.after_spectrum(plan, settled(0.5, 2)).choice.method == Method::cg);
    Spectrum found = settled(0.5, 2);
    found.definite = false;
    CHECK(policy.after_spectrum(plan, found).choice.method != Method::cg);
}

TEST_CASE("a preconditioner is chosen by predicted time", "[core][choice]") {
    const bool on_processor = GENERATE(true, false);
    Capabilities device = some_device;
    device.on_processor = on_processor;
    const PreconditionerKind of_grids = on_processor ? PreconditionerKind::multigrid : PreconditionerKind::amg;
    const auto chosen_for = [&](const CsrMatrix& A, const Spectrum& found) {
        const CheckedSystem system(A, Method::automatic);
        const Options asked{
            .method = Method::automatic, .preconditioner = PreconditionerKind::automatic, .memory = 1};  // no factors
        const MethodPolicy policy(system, asked, device);
        return policy.after_spectrum(policy.first(), found).choice;
    };
    Spectrum unsettled = settled(0.0025, 2);
    unsettled.smallest_halfway = 0.01;
    const CsrMatrix grid = poisson2d(600);
    CsrMatrix heavy = grid;  // rows do not sum to zero
    for (Index i = 0; i < heavy.rows; ++i) {
        for (auto [j, a] : heavy.row(i)) {
            if (static_cast<Index>(j) == i) a += 1;
        }
    }
    CHECK(chosen_for(heavy, settled(0.5, 2)).preconditioner == PreconditionerKind::jacobi);
    CHECK(chosen_for(heavy, unsettled).preconditioner == of_grids);
    const Options free{.method = Method::automatic, .preconditioner = PreconditionerKind::automatic, .memory = 1};
    const CheckedSystem laplacian(grid, Method::automatic);
    const MethodPlan at_once = MethodPolicy(laplacian, free, device).first();
    CHECK(at_once.choice.preconditioner == of_grids);
    CHECK_FALSE(MethodPolicy::asks_for_spectrum(at_once));
    CsrMatrix mesh = grid;  // no grid any more: one coupling is elsewhere
    std::vector<Triplet> entries;
    for (Index i = 0; i < grid.rows; ++i) {
        for (const auto [j, a] : grid.row(i)) entries.push_back({i, j, a});
    }
    entries.insert(entries.end(), {{0, 777, -0.5}, {777, 0, -0.5}});
    mesh = csr_from_triplets(grid.rows, grid.rows, entries);
    CHECK(chosen_for(mesh, unsettled).preconditioner == PreconditionerKind::amg);
    // A grid, but nowhere coupled strongly along all of an axis: the host would make the levels of amg.
    const CsrMatrix jumps = jumping_coefficients(600, 1e4);
    CHECK(chosen_for(jumps, unsettled).preconditioner == PreconditionerKind::multigrid);
}

TEST_CASE("what a GPU would not set up, or not well, is not taken for a grid of its own", "[core][choice]") {
    const Options free{.method = Method::automatic, .preconditioner = PreconditionerKind::automatic, .memory = 1};
    // Indefinite: its rows sum to less than zero.
    const CheckedSystem waves(helmholtz2d(600), Method::automatic);
    CHECK(MethodPolicy::asks_for_spectrum(MethodPolicy(waves, free, some_device).first()));
    const CheckedSystem laplacian(poisson2d(600), Method::automatic);
    const auto chosen = [&](const auto& change) {
        Options asked = free;
        change(asked);
        return MethodPolicy(laplacian, asked, some_device).first().choice.preconditioner;
    };
    CHECK(chosen([](Options&) {}) == PreconditionerKind::amg);
    CHECK(chosen([](Options& o) { o.amg.setup = MultigridSetup::host; }) == PreconditionerKind::multigrid);
    CHECK(chosen([](Options& o) { o.amg.on_lattice = false; }) == PreconditionerKind::multigrid);
    CHECK(chosen([](Options& o) { o.amg.coarsening = Coarsening::pmis; }) == PreconditionerKind::multigrid);
}

TEST_CASE("a method that is named gets a preconditioner that it takes", "[core][choice]") {
    const CheckedSystem system(tridiagonal(600, -1, 3, -2), Method::automatic);
    for (const Method method : all_methods()) {
        if (method == Method::automatic) continue;
        CAPTURE(name(method));
        const Options asked{.method = method, .preconditioner = PreconditionerKind::automatic};
        const MethodPlan plan = MethodPolicy(system, asked, some_device).as_asked();
        CHECK(plan.choice.method == method);
        CHECK(plan.choice.preconditioner != PreconditionerKind::automatic);
        CHECK_NOTHROW(check_options(plan.options));
    }
}

TEST_CASE("where methods fail, the policy goes on to least squares and no farther", "[core][choice]") {
    const CheckedSystem system(large_unsymmetric(), Method::automatic);
    const MethodPolicy policy(system, {.method = Method::automatic}, some_device);
    const MethodPlan first = policy.first();
    const auto second = policy.after_failure({.options = first.options, .outcome = Outcome::stagnated});
    REQUIRE(second);
    CHECK(second->choice.method == Method::direct);
    const auto third = policy.after_failure({.options = second->options, .outcome = Outcome::stagnated});
    REQUIRE(third);
    CHECK(third->choice.method == Method::gmres);
    CHECK(third->options.precision == Precision::two_float);
    const std::array tried{first.choice, second->choice};
    const auto last = policy.after_failure({.options = third->options, .outcome = Outcome::stagnated, .tried = tried});
    REQUIRE(last);
    CHECK(last->choice.method == Method::cgnr);
    CHECK_FALSE(policy.after_failure({.options = last->options, .outcome = Outcome::stagnated}));
}

namespace {

/// All that is tried where each method stagnates and factors are out of reach, without the first one.
std::vector<MethodPlan> all_steps(const CsrMatrix& A, int restart = GmresOptions{}.restart) {
    const CheckedSystem system(A, Method::automatic);
    const Options asked{.method = Method::automatic,
                        .preconditioner = PreconditionerKind::automatic,
                        .gmres = {.restart = restart},
                        .memory = 1};
    const MethodPolicy policy(system, asked, some_device);
    std::vector<MethodChoice> tried;
    std::vector<MethodPlan> steps;
    for (MethodPlan taken = policy.first();;) {
        const auto next =
            policy.after_failure({.options = taken.options, .outcome = Outcome::stagnated, .tried = tried});
        if (!next) return steps;
        tried.push_back(taken.choice);
        taken = steps.emplace_back(*next);
        REQUIRE(steps.size() < 10);
    }
}

}  // namespace

TEST_CASE("where factors are out of reach, stronger methods are tried before least squares", "[core][choice]") {
    const std::vector<MethodPlan> steps = all_steps(large_unsymmetric());
    REQUIRE(steps.size() == 4);
    CHECK(steps[0].choice.method == Method::gmres);
    CHECK(steps[1].choice.method == Method::idr);
    CHECK(steps[2].choice.method == Method::gmres);
    for (const std::size_t k : {0, 1, 2}) CHECK(steps[k].choice.preconditioner == PreconditionerKind::ilut);
    CHECK(steps[0].options.gmres.restart == GmresOptions{}.restart);
    CHECK(steps[2].options.gmres.restart > GmresOptions{}.restart);
    CHECK(steps[3].choice.method == Method::cgnr);
    CHECK(all_steps(large_unsymmetric(), 1024).size() == 3);  // nothing is longer
}

TEST_CASE("of definite matrices multigrid and approximate inverses are tried first", "[core][choice]") {
    const std::vector<MethodPlan> steps = all_steps(poisson2d(200));
    REQUIRE(steps.size() == 6);
    CHECK(steps[0].choice.preconditioner == PreconditionerKind::amg);
    CHECK(steps[1].choice.preconditioner == PreconditionerKind::fsai);
    for (const std::size_t k : {0, 1}) CHECK(steps[k].choice.method == Method::cg);
    CHECK(steps[2].choice.method == Method::gmres);
    CHECK(steps[5].choice.method == Method::cgnr);
}

TEST_CASE("a method that was asked for stays, with other preconditioners", "[core][choice]") {
    const CheckedSystem system(large_unsymmetric(), Method::automatic);
    const MethodPolicy policy(system, {.method = Method::bicgstab, .preconditioner = PreconditionerKind::automatic},
                              some_device);
    const MethodPlan first = policy.as_asked();
    CHECK(first.choice.preconditioner == PreconditionerKind::jacobi);
    const auto second = policy.after_failure({.options = first.options, .outcome = Outcome::stagnated});
    REQUIRE(second);
    CHECK(second->choice.method == Method::bicgstab);
    CHECK(second->choice.preconditioner == PreconditionerKind::ilut);
    const std::array tried{first.choice};
    CHECK_FALSE(policy.after_failure({.options = second->options, .outcome = Outcome::stagnated, .tried = tried}));
}

TEST_CASE("what goes on may move rows in another way than what has failed", "[core][choice]") {
    const CheckedSystem system(large_unsymmetric(), Method::automatic);
    const MethodPolicy policy(system, {.method = Method::automatic, .reorder = Reordering::automatic}, some_device);
    Options taken = policy.first().options;
    taken.reorder = Reordering::rcm;  // what `automatic` has become
    const std::array tried{MethodChoice{Method::direct, "", PreconditionerKind::none}};
    const auto next = policy.after_failure({.options = taken, .outcome = Outcome::stagnated, .tried = tried});
    REQUIRE(next);
    REQUIRE(next->choice.method == Method::cgnr);
    CHECK(system.reordering(next->options) == Reordering::none);
}

TEST_CASE("zeros on the diagonal get complete factors where nothing may be read back", "[core][choice]") {
    const CheckedSystem system(tridiagonal(600, -1, 0, -2), Method::automatic);
    const Options asked{.method = Method::automatic, .preconditioner = PreconditionerKind::automatic};
    Capabilities device = some_device;
    for (const bool ordered : {false, true}) {
        device.ordered = ordered;
        const MethodChoice choice = MethodPolicy(system, asked, device).first(Reads::never).choice;
        CHECK(choice.method == Method::gmres);
        CHECK(choice.preconditioner == (ordered ? PreconditionerKind::lu : PreconditionerKind::none));
    }
}

TEST_CASE("where nothing may be read back no method does", "[core][choice]") {
    for (const CsrMatrix& A : {tridiagonal(500, -1, 3, -2), tridiagonal(500, -1, 3, -1), tridiagonal(500, 1, -1, 1)}) {
        const Method method = first_for(A, {.preconditioner = PreconditionerKind::automatic}, Reads::never).method;
        CAPTURE(name(method));
        CHECK_FALSE(method_row(method).is.reads);
    }
    CHECK_THROWS_AS(first_for(tall_matrix(), {}, Reads::never), InvalidInput);
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
    std::vector<double> values = copy_of(system.A()).value;
    for (double& value : values) value *= 2;
    const CheckedSystem other(system, values, Method::automatic);
    CHECK(std::ranges::equal(other.A().value, values));
    CHECK(other.scaled(options).ordered().order() == system.scaled(options).ordered().order());
    values.pop_back();
    CHECK_THROWS_AS(CheckedSystem(system, values, Method::automatic), InvalidInput);
}

}  // namespace tests_of_method_policy
