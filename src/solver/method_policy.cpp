#include "solver/method_policy.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>
#include <utility>

#include "device/layout.hpp"
#include "matrix/csr_entries.hpp"
#include "methods/direct_on_host.hpp"
#include "methods/inverse_cost.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Index small = 512;             // rows
constexpr double most_basis = 1u << 31;  // bytes of a Krylov basis

/// What every method takes in some way; whoever asks for another preconditioner wants it applied.
bool is_usual(PreconditionerKind kind) {
    return kind == PreconditionerKind::none || kind == PreconditionerKind::jacobi;
}

MethodPlan plan(Method method, std::string reason, Options options) {
    options.method = method;
    MethodChoice choice{method, std::move(reason), options.preconditioner};
    return {std::move(choice), std::move(options)};
}

/// A direct method takes no preconditioner, and scales by the largest entries.
MethodPlan direct(std::string reason, Options options) {
    options.preconditioner = PreconditionerKind::none;
    return plan(Method::direct, std::move(reason), std::move(options));
}

/// They take no other preconditioners than the usual ones.
MethodPlan least_squares(std::string reason, Options options) {
    const PreconditionerKind asked = options.preconditioner;
    if (!is_usual(asked)) {
        reason += fmt::format("; least squares take jacobi in place of {}", name(asked));
        options.preconditioner = PreconditionerKind::jacobi;
    }
    return plan(Method::cgnr, std::move(reason), std::move(options));
}

}  // namespace

MethodPolicy::MethodPolicy(const CheckedSystem& system, Options asked, const Capabilities& device)
    : system_(system), asked_(std::move(asked)), device_(device) {}

/// Jacobi, where it can divide by the diagonal.
PreconditionerKind MethodPolicy::jacobi_if_possible() const {
    return system_.has_divisors() ? PreconditionerKind::jacobi : PreconditionerKind::none;
}

/// An inverse, where it is made before an iteration has found its pace.
std::optional<MethodPlan> MethodPolicy::if_small(const Options& options, const std::string& what) const {
    const bool takes_direct = options.precision != Precision::two_float && options.fixed_iterations == 0;
    const Index rows = system_.A().rows;
    if (!is_usual(options.preconditioner) || !takes_direct || rows > small) return {};
    return direct(fmt::format("{}, and of {} rows only", what, rows), options);
}

MethodPlan MethodPolicy::for_unsymmetric(const std::string& singular) const {
    const std::string what =
        fmt::format("not symmetric (by {:.1e} of its largest entry){}", system_.asymmetry(), singular);
    if (const auto inverse = if_small(asked_, what)) return *inverse;
    Options options = asked_;
    std::string without;
    if (options.preconditioner == PreconditionerKind::jacobi && !system_.has_divisors()) {
        options.preconditioner = PreconditionerKind::none;
        without = "; no preconditioner, since there are zeros on the diagonal";
    }
    const int vectors = options.gmres.restart + 1;
    const double basis = 16.0 * static_cast<double>(layout_of(system_.A().rows).extent().texels()) * vectors;
    if (basis <= most_basis) return plan(Method::gmres, what + without, std::move(options));
    const std::string reason =
        fmt::format("{}, and the {} vectors of gmres would take {:.1f} GB{}", what, vectors, basis * 1e-9, without);
    return plan(Method::bicgstab, reason, std::move(options));
}

MethodPlan MethodPolicy::for_indefinite(const Options& options, const std::string& why) const {
    const std::string reason = "symmetric, and not positive definite: " + why;
    if (const auto inverse = if_small(options, reason)) return *inverse;
    // Of such a matrix others may not be definite, which minres needs.
    return plan(is_usual(options.preconditioner) ? Method::minres : Method::gmres, reason, options);
}

MethodPlan MethodPolicy::by_structure() const {
    const CsrMatrix& A = system_.A();
    if (!system_.square()) {
        return least_squares(fmt::format("{} x {}: what can be had is the smallest |b - A x|", A.rows, A.columns),
                             asked_);
    }
    const EmptyLines& lines = system_.empty_lines();
    if (lines.columns.size() > lines.rows.size()) {
        return least_squares(fmt::format("singular: column {} is empty", lines.columns.front() + 1), asked_);
    }
    const std::string singular =
        lines.rows.empty() ? "" : fmt::format(", and singular: row {} is empty", lines.rows.front() + 1);
    if (!system_.symmetric()) return for_unsymmetric(singular);
    const std::vector<double> d = diagonal(A);
    for (std::size_t i = 0; i < d.size(); ++i) {
        if (d[i] > 0 || std::ranges::binary_search(lines.rows, static_cast<Index>(i))) continue;
        return for_indefinite(asked_, fmt::format("row {} has {:.3g} on the diagonal{}", i + 1, d[i], singular));
    }
    return plan(Method::cg, "symmetric, with a positive diagonal" + singular, asked_);
}

/// What takes a matrix that single precision cannot hold in the scaling of `before`; `why` is in words.
MethodPlan MethodPolicy::for_range(const MethodPlan& before, const std::string& why) const {
    const std::string reason =
        fmt::format("{}, but {} is out of reach: {}", before.choice.reason, name(before.choice.method), why);
    if (!InverseCost(system_.A().rows, device_).is_small()) return least_squares(reason, before.options);
    return direct(reason, before.options);
}

MethodPlan MethodPolicy::first() const {
    MethodPlan chosen = by_structure();
    if (chosen.choice.method == Method::cgnr) return chosen;
    const std::string& why = system_.scaled(chosen.options).out_of_single();
    return why.empty() ? chosen : for_range(chosen, why);
}

MethodPlan MethodPolicy::after_spectrum(const MethodPlan& before, const Spectrum& found) const {
    if (!found.definite) {
        return for_indefinite(before.options, fmt::format("(p,Ap) <= 0 in step {} of Lanczos", found.steps + 1));
    }
    return plan(
        before.choice.method,
        fmt::format("{}; {} steps of Lanczos found only positive eigenvalues", before.choice.reason, found.steps),
        before.options);
}

MethodPlan MethodPolicy::without_reads(const MethodPlan& chosen) const {
    const std::string why = fmt::format("automatic takes {} ({}), which reads numbers back on its way",
                                        name(chosen.choice.method), chosen.choice.reason);
    if (!system_.square()) throw InvalidInput(fmt::format("textures: {}; they take square matrices", why));
    const PreconditionerKind asked = asked_.preconditioner;
    const bool never_divides = asked == PreconditionerKind::none || asked == PreconditionerKind::richardson;
    Options options = chosen.options;
    options.preconditioner = !never_divides && !system_.has_divisors() ? PreconditionerKind::none : asked;
    return plan(Method::gmres, why + "; gmres does not", std::move(options));
}

std::optional<MethodPlan> MethodPolicy::after_failure(const FailedMethod& failed) const {
    const Method first = failed.options.method;
    if (!system_.square() || first == Method::cgnr) return {};
    const auto has_failed = fmt::format("{} ended as {}", name(first), name(failed.outcome));
    const PreconditionerKind taken = failed.options.preconditioner;
    Options options = failed.options;
    options.reorder = asked_.reorder;  // what may move differs from method to method
    options.precision = Precision::automatic;
    const auto by_least_squares = [&](std::string_view why) {
        options.preconditioner = asked_.preconditioner;  // columns have lengths where the diagonal has zeros
        return least_squares(fmt::format("{}: least squares {}", has_failed, why), options);
    };
    const Index rows = system_.A().rows;
    const bool direct_is_tried = first == Method::direct || failed.direct_is_tried;
    const bool is_proved = failed.is_exact || direct_is_tried || rows > most_rows_on_host;
    if (failed.outcome == Outcome::inconsistent && is_proved) return by_least_squares("leave the smallest residual");
    const InverseCost inverse(rows, device_);
    if (!is_usual(taken) && inverse.seconds > 1) {  // it may be the one to blame
        options.preconditioner = jacobi_if_possible();
        return plan(first,
                    fmt::format("{} with preconditioner {}: tried with {}", has_failed, name(taken),
                                name(options.preconditioner)),
                    options);
    }
    const EmptyLines& lines = system_.empty_lines();
    const bool has_inverse = lines.rows.size() >= lines.columns.size();  // with an equation for each empty row
    if (!direct_is_tried && has_inverse && inverse.is_small()) {
        return direct(fmt::format("{}, and an inverse takes {}", has_failed, inverse.in_words()), options);
    }
    if (first == Method::direct && failed.outcome != Outcome::breakdown) {  // not singular, but ill-conditioned
        options.preconditioner = jacobi_if_possible();
        options.precision = Precision::two_float;
        options.gmres.restart = std::clamp<int>(rows, 1, 128);
        return plan(Method::gmres, has_failed + ": two floats keep more digits", options);
    }
    return by_least_squares("work for any matrix");
}

}  // namespace glsolve::inline v0_1
