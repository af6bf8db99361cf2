#include "inverses/apply_factors.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <glsolve/error.hpp>
#include <limits>

#include "device/mean_seconds.hpp"
#include "factors/isai.hpp"
#include "factors/triangular_products.hpp"
#include "formats/time_product.hpp"
#include "inverses/defect.hpp"
#include "inverses/factors_on_host.hpp"
#include "inverses/levelled_factors.hpp"
#include "inverses/product_chain.hpp"
#include "inverses/swept_factors.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// What the factors are of.
struct Problem {
    const AssembledSystem& system;
    CsrView A;
    const MatrixToFactor& ordered;
};

/// One way to apply the factors.
struct Way {
    std::string words;
    std::function<std::unique_ptr<Preconditioner>()> make;
    ApproximateSolve on_host;  ///< none: it is exact
};

/// Products with these matrices; `exact`: they are M^-1 but for rounding.
Way of_products(const Problem& problem, std::string words, std::vector<CsrMatrix> matrices, bool exact) {
    const auto shared = std::make_shared<const std::vector<CsrMatrix>>(std::move(matrices));
    const auto make = [problem, shared] {
        return ordered_chain(problem.system.backend, problem.A, problem.ordered, *shared);
    };
    if (exact) return {std::move(words), make, {}};
    return {std::move(words), make, [shared](std::vector<double> x) {
                for (const CsrView matrix : *shared) x = product(matrix, x);
                return x;
            }};
}

/// Exact, in a pass for each triangle.
Way in_order(const Problem& problem, const TriangularFactors& factors) {
    const auto levels = level_sets(factors.L, Triangle::lower).count + level_sets(factors.U, Triangle::upper).count;
    const auto make = [problem, &factors] {
        const double share = static_cast<double>(factors.nonzeros()) / static_cast<double>(problem.A.nonzeros() + 1);
        return std::make_unique<LevelledFactors>(problem.system.backend, factors, problem.ordered,
                                                 std::max(1, static_cast<int>(std::lround(share))));
    };
    return {fmt::format("triangular solves through {} levels", levels), make, {}};
}

/// Exact, without the device.
Way on_the_host(const Problem& problem, const TriangularFactors& factors) {
    const auto make = [problem, &factors] {
        const double share = static_cast<double>(factors.nonzeros()) / static_cast<double>(problem.A.nonzeros() + 1);
        return std::make_unique<FactorsOnHost>(factors, problem.ordered,
                                               std::max(1, static_cast<int>(std::lround(share))));
    };
    return {"triangular solves on the host", make, {}};
}

/// Exact, as products with several levels multiplied out.
std::optional<Way> by_levels(const Problem& problem, const TriangularFactors& factors, Index most_products) {
    const TriangularProductOptions options{.most_products = most_products};
    auto lower = triangular_products(factors.L, Triangle::lower, options);
    if (!lower) return {};
    auto upper = triangular_products(factors.U, Triangle::upper, options);
    if (!upper) return {};
    std::vector<CsrMatrix> all = factors.chain(std::move(*lower), std::move(*upper));
    const std::string words =
        fmt::format("triangular solves by levels, {} products (levels: {} and {})", all.size(),
                    level_sets(factors.L, Triangle::lower).count, level_sets(factors.U, Triangle::upper).count);
    return of_products(problem, words, std::move(all), true);
}

Way by_inverses(const Problem& problem, const TriangularFactors& factors, int power) {
    const InversePattern pattern{.power = power};
    std::vector<CsrMatrix> all = factors.chain({isai_lower(factors.L, pattern)}, {isai_upper(factors.U, pattern)});
    const std::string words =
        fmt::format("approximate inverses of the factors, {} products (power {})", all.size(), power);
    return of_products(problem, words, std::move(all), false);
}

Way by_sweeps(const Problem& problem, const TriangularFactors& factors, int sweeps) {
    const auto make = [problem, &factors, sweeps] {
        const CsrMatrix F = problem.ordered.moved ? problem.ordered.F() : CsrMatrix{},
                        G = problem.ordered.moved ? problem.ordered.G() : CsrMatrix{};
        const double of_A = std::max(1.0, static_cast<double>(problem.A.nonzeros()));
        const int products =
            std::max(1, static_cast<int>(std::lround(sweeps * static_cast<double>(factors.nonzeros()) / of_A)));
        return std::make_unique<SweptFactors>(problem.system.backend, factors, sweeps,
                                              problem.ordered.moved ? &F : nullptr,
                                              problem.ordered.moved ? &G : nullptr, products);
    };
    const auto on_host = [&factors, sweeps](const std::vector<double>& r) {
        return solve_by_sweeps(factors, sweeps, r);
    };
    return {fmt::format("{} sweeps on each factor", sweeps), make, on_host};
}

/// An approximation that leaves so much of a vector is not M^-1 any more.
constexpr double most_defect = 0.5;
constexpr double good_defect = 0.1;       // hardly more iterations: a better one would not pay
constexpr Index usual_products = 64;      // of exact solves, where there is a choice
constexpr Index few_products = 8;         // ... where there is one that takes two passes
constexpr Index most_products = 1 << 12;  // where there is none

/// A way that has not been looked at yet.
struct Candidate {
    int least_products = 0;  ///< it is no faster than so many products with A
    std::function<std::optional<Way>()> find;
};

bool solves_in_order(const Problem& problem, const TriangularFactors& factors) {
    return problem.system.backend.can().ordered && !factors.in_blocks;
}

std::vector<Candidate> exact_ways(const Problem& problem, const TriangularFactors& factors, bool wanted) {
    const bool ordered = solves_in_order(problem, factors);
    std::vector<Candidate> all;
    if (ordered) all.push_back({0, [&problem, &factors] { return in_order(problem, factors); }});
    if (ordered && wanted) return all;
    const Index most = wanted ? most_products : ordered ? few_products : usual_products;
    all.push_back({0, [&problem, &factors, most] { return by_levels(problem, factors, most); }});
    return all;
}

/// The second ones are for where the first do not come near.
std::vector<Candidate> approximations(const Problem& problem, const TriangularFactors& factors,
                                      const PreconditionerOptions& options) {
    const FactorApplication wanted = options.apply;
    const bool any = wanted == FactorApplication::automatic;
    std::vector<Candidate> all;
    const auto add_inverses = [&](int power) {
        all.push_back({2, [&problem, &factors, power] { return by_inverses(problem, factors, power); }});
    };
    const auto add_sweeps = [&](int sweeps) {
        all.push_back({sweeps, [&problem, &factors, sweeps] { return by_sweeps(problem, factors, sweeps); }});
    };
    if (any || wanted == FactorApplication::isai) add_inverses(options.inverse_power > 0 ? options.inverse_power : 1);
    if (any || wanted == FactorApplication::sweeps) add_sweeps(options.steps > 0 ? options.steps : any ? 2 : 3);
    if (any && options.inverse_power == 0) add_inverses(2);
    if (any && options.steps == 0) add_sweeps(5);
    return all;
}

std::string too_many_products() {
    return fmt::format("the factors need more than {} products by levels; apply sweeps, isai and host take them",
                       most_products);
}

double defect_of(const TriangularFactors& factors, const Way& way) {
    return way.on_host ? defect(factors, way.on_host) : 0;
}

/// For a choice: some milliseconds.
template <class Apply>
double time_of(Backend& backend, const Apply& apply) {
    const auto work = [&] {
        apply();
        backend.flush();
    };
    mean_seconds(backend, 1, work);  // makes ready what is needed
    const auto in = [&](double seconds) {
        return std::clamp(static_cast<int>(seconds / (mean_seconds(backend, 1, work) + 1e-9)), 1, 50);
    };
    mean_seconds(backend, in(0.001), work);  // warms up
    return mean_seconds(backend, in(0.002), work);
}

/// An iteration takes a product and an application; one that leaves the share e of a vector takes 1 / (1 - e) times as
/// many iterations. Nothing where none comes near. What cannot win is not looked at.
MadeInverse of_least_time(const Problem& problem, const TriangularFactors& factors, const std::vector<Candidate>& all) {
    Backend& backend = problem.system.backend;
    TimedVectors vectors(backend, problem.A.rows);
    const double product_seconds = time_of(backend, [&] { problem.system.A.multiply(vectors.y, vectors.x); });
    MadeInverse made;
    double least = std::numeric_limits<double>::infinity();
    bool is_near = false;  // one of the approximations
    for (const Candidate& candidate : all) {
        if (is_near || product_seconds * (1 + candidate.least_products) >= least) continue;
        const std::optional<Way> way = candidate.find();
        if (!way) continue;
        const double e = defect_of(factors, *way);
        if (e > most_defect) continue;
        is_near = e > 0 && e <= good_defect;
        std::unique_ptr<Preconditioner> M = way->make();
        const double seconds = time_of(backend, [&] { M->apply(vectors.y, vectors.x); }),
                     cost = (product_seconds + seconds) / (1 - e);
        if (cost >= least) continue;
        least = cost;
        made = {std::move(M),
                fmt::format("applied by {}: {:.1f} us, a product with A {:.1f} us, {:.1g} of a vector is left",
                            way->words, seconds * 1e6, product_seconds * 1e6, e)};
    }
    return made;
}

MadeInverse of_fewest_passes(const TriangularFactors& factors, const std::vector<Candidate>& all) {
    for (const Candidate& candidate : all) {
        const std::optional<Way> way = candidate.find();
        if (!way) continue;
        const double e = defect_of(factors, *way);
        if (e <= most_defect)
            return {way->make(), fmt::format("applied by {}; {:.1g} of a vector is left", way->words, e)};
    }
    return {};
}

}  // namespace

MadeInverse apply_exactly(const AssembledSystem& system, CsrView A, const MatrixToFactor& ordered,
                          const TriangularFactors& factors) {
    const Problem problem{system, A, ordered};
    const Capabilities can = system.backend.can();
    std::vector<Candidate> all = exact_ways(problem, factors, true);
    if (can.textures || can.on_processor) {  // where textures may come, nothing may be read back
        const std::optional<Way> way = all.front().find();
        if (!way) throw InvalidInput(too_many_products());
        return {way->make(), fmt::format("applied by {}", way->words)};
    }
    all.push_back({0, [&problem, &factors] { return on_the_host(problem, factors); }});
    return of_least_time(problem, factors, all);
}

MadeInverse apply_factors(const AssembledSystem& system, CsrView A, const MatrixToFactor& ordered,
                          const TriangularFactors& factors, const PreconditionerOptions& options, ChosenBy by) {
    const Problem problem{system, A, ordered};
    const bool any = options.apply == FactorApplication::automatic;
    if (options.apply == FactorApplication::host) {
        return {on_the_host(problem, factors).make(), "applied by triangular solves on the host, as asked for"};
    }
    if (!any) {
        const bool exact = options.apply == FactorApplication::levels;
        const std::optional<Way> way =
            (exact ? exact_ways(problem, factors, true) : approximations(problem, factors, options)).front().find();
        if (!way) {
            throw InvalidInput(too_many_products());
        }
        return {way->make(), fmt::format("applied by {}, as asked for; {:.1g} of a vector is left", way->words,
                                         defect_of(factors, *way))};
    }
    const std::vector<Candidate> exact = exact_ways(problem, factors, false),
                                 near = approximations(problem, factors, options);
    std::vector<Candidate> all = by == ChosenBy::time ? exact : near;
    std::ranges::copy(by == ChosenBy::time ? near : exact, std::back_inserter(all));
    MadeInverse made = by == ChosenBy::time ? of_least_time(problem, factors, all) : of_fewest_passes(factors, all);
    if (made.M) return made;
    if (const auto way = by_levels(problem, factors, most_products)) {
        return {way->make(),
                fmt::format("applied by {}; sweeps and approximate inverses do not come near the factors", way->words)};
    }
    std::optional<Way> nearest;
    double least = std::numeric_limits<double>::infinity();
    for (const Candidate& candidate : near) {
        std::optional<Way> way = candidate.find();
        const double e = defect_of(factors, *way);
        if (nearest && !(e < least)) continue;
        least = e;
        nearest = std::move(way);
    }
    return {nearest->make(), fmt::format("applied by {}; nothing cheap comes near the factors", nearest->words)};
}

}  // namespace glsolve::inline v0_1
