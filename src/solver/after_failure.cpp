// What goes on where a method of Method::automatic has failed, or a preconditioner that was chosen.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

#include "matrix/csr_entries.hpp"
#include "methods/direct_on_host.hpp"
#include "methods/method_table.hpp"
#include "solver/method_policy.hpp"

namespace glsolve::inline v0_1 {
namespace {

std::string in_words(const FailedMethod& failed) {
    const Options& taken = failed.options;
    return failed.is_too_slow
               ? fmt::format("{} with {} is slower than expected", name(taken.method), name(taken.preconditioner))
               : fmt::format("{} ended as {}", name(taken.method), name(failed.outcome));
}

/// What is tried where factors are out of reach.
struct Step {
    Method method;
    PreconditionerKind M;
    int longer = 1;  ///< restarts, times those that were asked for
};
constexpr int longest_restart = 256;  // orthogonalisation takes most of the time then
constexpr std::array steps_of_definite{Step{Method::cg, PreconditionerKind::amg},
                                       Step{Method::cg, PreconditionerKind::fsai}};
constexpr std::array steps_of_any{Step{Method::gmres, PreconditionerKind::ilut},
                                  Step{Method::idr, PreconditionerKind::ilut},
                                  Step{Method::gmres, PreconditionerKind::ilut, 4}};

}  // namespace

bool FailedMethod::has_tried(Method method, PreconditionerKind M) const {
    const auto is_same = [&](const MethodChoice& one) { return one.method == method && one.preconditioner == M; };
    return (options.method == method && options.preconditioner == M) || std::ranges::any_of(tried, is_same);
}

/// Of a method that stays: the diagonal, then incomplete factors.
std::optional<MethodPlan> MethodPolicy::other_preconditioner(const FailedMethod& failed) const {
    const Method method = asked_.method;
    const MethodTraits& is = method_row(method).is;
    if (!is.takes_M || is.any_shape) return {};
    const PreconditionerKind factors = is.symmetric ? PreconditionerKind::ict : PreconditionerKind::ilut;
    for (const PreconditionerKind M : {jacobi_if_possible(), factors}) {
        if (failed.has_tried(method, M)) continue;
        Options options = failed.options;
        options.preconditioner = M;
        return plan(method, fmt::format("{}: tried with {}", in_words(failed), name(M)), std::move(options));
    }
    return {};
}

/// The next stronger method or preconditioner; none: all have been tried.
std::optional<MethodPlan> MethodPolicy::stronger(const FailedMethod& failed, const std::string& why,
                                                 Options options) const {
    const bool is_indefinite = failed.outcome == Outcome::breakdown || failed.outcome == Outcome::inconsistent;
    std::vector<Step> steps(steps_of_any.begin(), steps_of_any.end());
    if (is_cg(failed.options.method) && !is_indefinite) {
        steps.insert(steps.begin(), steps_of_definite.begin(), steps_of_definite.end());
    }
    for (const Step& step : steps) {
        options.preconditioner = step.M;
        options.gmres.restart = asked_.gmres.restart;
        if (step.longer > 1) {
            options.gmres.restart = std::min(step.longer * asked_.gmres.restart, longest_restart);
            const bool is_longer = options.gmres.restart > failed.options.gmres.restart;
            if (!is_longer || basis_of(options.gmres.restart) > most_basis) continue;
        } else if (failed.has_tried(step.method, step.M)) {
            continue;
        }
        const std::string longer = step.longer > 1 ? fmt::format(" and a restart of {}", options.gmres.restart) : "";
        return watched(plan(step.method, fmt::format("{}: tried with {}{}", why, name(step.M), longer), options),
                       Reads::allowed);
    }
    return {};
}

/// In words, where that is known.
std::string MethodPolicy::why_not_factored() const {
    const FactorPlan* const factors = system_.known_factor_plan();
    if (factors == nullptr) return "";
    return factors->possible() ? fmt::format(" (sparse factors would take {})", factors->cost.in_words())
                               : fmt::format(" ({})", factors->impossible);
}

std::optional<MethodPlan> MethodPolicy::after_failure(const FailedMethod& failed) const {
    const Method first = failed.options.method;
    if (asked_.method != Method::automatic) return other_preconditioner(failed);
    if (!system_.square() || first == Method::cgnr) return {};
    const PreconditionerKind taken = failed.options.preconditioner;
    const std::string has_failed = in_words(failed);
    const auto is_tried = [&](Method method, PreconditionerKind M) { return failed.has_tried(method, M); };
    Options options = failed.options;
    options.reorder = asked_.reorder;  // what may move differs from method to method
    options.precision = Precision::automatic;
    const bool direct_is_tried = is_tried(Method::direct, PreconditionerKind::none);
    const double most = std::min(most_factoring, failed.seconds_left);
    const double directly = direct_is_tried ? never : seconds_of_direct(most);
    const std::string too_dear = !direct_is_tried && directly > most ? why_not_factored() : "";
    const auto by_least_squares = [&](std::string_view why) {
        options.preconditioner = asked_.preconditioner;  // columns have lengths where the diagonal has zeros
        return plan_least_squares(fmt::format("{}{}: least squares {}", has_failed, too_dear, why), options);
    };
    const auto with = [&](Method method, PreconditionerKind M) {
        options.preconditioner = M;
        return plan(method, fmt::format("{}{}: tried with {}", has_failed, too_dear, name(M)), options);
    };
    const bool is_proved = failed.is_exact || direct_is_tried || system_.A().rows > most_rows_on_host;
    if (failed.outcome == Outcome::inconsistent && is_proved) return by_least_squares("leave the smallest residual");
    if (!is_usual(asked_.preconditioner) && !is_usual(taken) && directly > 1) {  // it may be the one to blame
        return with(first, jacobi_if_possible());
    }
    const bool may_choose = asked_.preconditioner == PreconditionerKind::automatic;
    const bool takes_amg = failed.is_too_slow && takes_amg_after({first, "", taken});
    if (takes_amg && seconds_of_amg() < directly) {
        const PreconditionerKind M = is_cg(first) ? multigrid_that_suits() : PreconditionerKind::amg;
        return watched(with(is_cg(first) ? Method::cg : Method::gmres, M), Reads::allowed);
    }
    if (directly <= most) {
        return plan_direct(fmt::format("{}, and the direct method is predicted to take {:.2g} s", has_failed, directly),
                           options);
    }
    const bool is_indefinite = is_cg(first) && failed.outcome == Outcome::breakdown;
    if (may_choose && is_indefinite && !is_tried(Method::minres, PreconditionerKind::jacobi)) {
        return for_indefinite(has_failed + too_dear, Reads::allowed);
    }
    if (may_choose && first != Method::direct) {
        if (std::optional<MethodPlan> next = stronger(failed, has_failed + too_dear, options)) return next;
    }
    if (first == Method::direct && failed.outcome != Outcome::breakdown) {  // not singular, but ill-conditioned
        options.preconditioner = jacobi_if_possible();
        options.precision = Precision::two_float;
        options.gmres.restart = std::clamp<int>(system_.A().rows, 1, 128);
        return plan(Method::gmres, has_failed + ": two floats keep more digits", options);
    }
    return by_least_squares("work for any matrix");
}

}  // namespace glsolve::inline v0_1
