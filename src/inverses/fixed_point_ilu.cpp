#include "inverses/fixed_point_ilu.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glsolve/error.hpp>
#include <limits>

#include "factors/shifts.hpp"
#include "inverses/defect.hpp"
#include "inverses/fixed_point_sweeps.hpp"
#include "inverses/swept_factors.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int sweeps_at_once = 3, most_sweeps = 30;  // that make the factors
constexpr double little_change = 1e-3;               // of the factors, relative, in so many sweeps
constexpr std::array usual_solves{1, 2, 3, 4, 6, 8, 12};
constexpr double most_swept_defect = 0.5;
constexpr int most_attempts = 12;
constexpr double least_shift = 1e-3, least_pivot = 1e-6;

/// C with its diagonal shifted away from zero.
std::vector<float> shifted(CsrView C, const FixedPointPattern& pattern, double shift,
                           const std::vector<double>& sizes) {
    std::vector<float> c(C.value.begin(), C.value.end());
    for (std::size_t i = 0; i < sizes.size() && shift > 0; ++i) {
        const auto d = static_cast<std::size_t>(pattern.diagonal[i]);
        c[d] = static_cast<float>(C.value[d] + shift * shift_direction(C.value[d], sizes[i]));
    }
    return c;
}

double relative_change(const std::vector<double>& now, const std::vector<double>& before) {
    double change = 0, size = 0;
    for (std::size_t e = 0; e < now.size(); ++e) {
        change += (now[e] - before[e]) * (now[e] - before[e]);
        size += now[e] * now[e];
    }
    return std::sqrt(change / size);
}

/// Why V is no use as factors, or empty. `sizes` as for shifts (src/factors/shifts.hpp).
std::string unsafe(const FixedPointPattern& pattern, const std::vector<double>& v, const std::vector<double>& sizes,
                   bool symmetric) {
    const double first = v[static_cast<std::size_t>(pattern.diagonal[0])];
    for (std::size_t i = 0; i < sizes.size(); ++i) {
        const double pivot = v[static_cast<std::size_t>(pattern.diagonal[i])];
        const bool safe = std::abs(pivot) > least_pivot * sizes[i] && (!symmetric || pivot * first > 0);
        if (!safe) return unsafe_pivot_text({static_cast<Index>(i), pivot});
    }
    return std::ranges::all_of(v, [](double number) { return std::isfinite(number); }) ? "" : "the sweeps diverge";
}

struct Solves {
    int sweeps = 0;     ///< on each factor; 0: no number of them comes near
    double defect = 0;  ///< what they leave of a vector
};

/// `known` sweeps where they come near, or where they are asked for; else the best number. An iteration is a product
/// with A and k with both triangles, and one that leaves the share e of a vector takes 1 / (1 - e) times as many.
Solves best_solves(const TriangularFactors& factors, int known, bool asked_for) {
    const auto left_by = [&](int sweeps) {
        return defect(factors, [&](const std::vector<double>& r) { return solve_by_sweeps(factors, sweeps, r); });
    };
    if (known > 0) {
        const double e = left_by(known);
        if (asked_for || e <= most_swept_defect) return {known, e};
    }
    Solves best;
    double least = std::numeric_limits<double>::infinity();
    for (const int sweeps : usual_solves) {
        if (1 + sweeps >= least) break;
        const double e = left_by(sweeps), cost = (1 + sweeps) / (1 - e);
        if (e > most_swept_defect || cost >= least) continue;
        least = cost;
        best = {sweeps, e};
    }
    return best;
}

/// V, and how it was made.
struct MadeFactors {
    std::vector<double> v = {};
    int sweeps = 0;
    double shift = 0;
};

/// Sweeps until they change little, and with growing shifts of the diagonal until all pivots are safe.
MadeFactors make_factors(FixedPointSweeps& device, CsrView C, const FixedPointPlan& plan, double first_shift,
                         bool symmetric) {
    const std::vector<double> sizes = row_sizes(C);
    MadeFactors made{.shift = first_shift};
    for (int attempt = 1;; ++attempt) {
        device.begin(shifted(C, *plan.pattern, made.shift, sizes));
        made.sweeps = plan.sweeps > 0 ? plan.sweeps : sweeps_at_once;
        device.sweep(made.sweeps);
        made.v = device.numbers();
        for (double change = 1; plan.sweeps == 0 && made.sweeps < most_sweeps && change > little_change;) {
            device.sweep(sweeps_at_once);
            made.sweeps += sweeps_at_once;
            const std::vector<double> before = std::exchange(made.v, device.numbers());
            change = relative_change(made.v, before);
        }
        const std::string wrong = unsafe(*plan.pattern, made.v, sizes, symmetric);
        if (wrong.empty()) return made;
        if (attempt == most_attempts) throw InvalidInput(last_attempt_text("sweeps", wrong, made.shift, attempt));
        made.shift = std::max(least_shift, 2 * made.shift);
    }
}

}  // namespace

FixedPointIlu fixed_point_ilu(const AssembledSystem& system, CsrView A, const PreconditionerOptions& options,
                              const FixedPointPlan* known) {
    const MatrixToFactor ordered = order_for_factors(A, system.scale, system.symmetric, options);
    FixedPointPlan plan;
    if (known != nullptr && known->pattern->is_of(ordered.C)) {
        plan = *known;
    } else {
        plan = {.pattern = std::make_shared<const FixedPointPattern>(fixed_point_pattern(ordered.C)),
                .sweeps = options.factor_sweeps,
                .solves = options.steps};
    }
    if (!plan.pattern->failure.empty()) throw InvalidInput(plan.pattern->failure);

    FixedPointSweeps device(system.backend, *plan.pattern);
    const MadeFactors made = make_factors(device, ordered.C, plan, options.shift, system.symmetric);
    const TriangularFactors factors = triangular(factors_of(*plan.pattern, made.v));
    const bool by_sweeps = options.apply == FactorApplication::automatic || options.apply == FactorApplication::sweeps;
    const Solves solves = by_sweeps ? best_solves(factors, plan.solves, options.steps > 0) : Solves{};
    plan.sweeps = made.sweeps;
    plan.solves = solves.sweeps;

    MadeInverse inverse;
    if (solves.sweeps == 0) {
        inverse = apply_factors(system, A, ordered, factors, options, ChosenBy::time);
    } else {
        const CsrMatrix F = ordered.moved ? ordered.F() : CsrMatrix{}, G = ordered.moved ? ordered.G() : CsrMatrix{};
        SweptFactors::OnDevice on_device{device.triangle(Triangle::lower), device.triangle(Triangle::upper), nullptr,
                                         device.reciprocals()};
        inverse = {
            std::make_unique<SweptFactors>(system.backend, std::move(on_device), A.rows, solves.sweeps,
                                           ordered.moved ? &F : nullptr, ordered.moved ? &G : nullptr, solves.sweeps),
            fmt::format("applied by {} sweeps on each factor, {:.1g} of a vector is left", solves.sweeps,
                        solves.defect)};
    }
    inverse.remark.insert(
        0, fmt::format("{}{} sweeps made the factors{}; ", ordered.remark, made.sweeps,
                       made.shift > 0 ? fmt::format(" with the diagonal shifted by {:.3g}", made.shift) : ""));
    return {std::move(inverse), std::make_shared<const FixedPointPlan>(std::move(plan))};
}

}  // namespace glsolve::inline v0_1
