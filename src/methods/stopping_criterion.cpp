#include "methods/stopping_criterion.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace glsolve::inline v0_1 {
namespace {

// Breakdowns that double precision does not confirm are rounding; so many in a row mean that rounding is all there is.
constexpr int most_in_vain = 5;
// What may be spent without a halving of the residual, in rows that are multiplied: some ten seconds of a processor.
// The passes of an iteration take about as long as so many rows, however few there are ...
constexpr double most_rows_in_vain = 5e9, rows_of_an_iteration = 2e5;
// ... but an iteration carries what it knows one row farther only, and fronts cross a grid a few times.
constexpr double grid_crossings = 40;
// A residual so many times larger than the first one is beyond all use.
constexpr double divergence = 1e12;

std::int64_t least_patience(const StoppingRules& rules) {
    constexpr int cheap = 4;  // products
    return rules.products <= cheap ? rules.least_patience : rules.least_patience * cheap / rules.products;
}

/// A solve that is taken up may begin at a larger |r| than the best one so far.
double best_before(const TrueResidual& truth) { return std::min(truth.norm(), truth.best_norm()); }

}  // namespace

std::string inconsistency(const LeastResidual& least) {
    return fmt::format(
        "the matrix is singular{}, and no x solves the system: b has a part of at least {:.2e} |b| that "
        "no x makes",
        least.is_exact ? "" : " to within the rounding of its entries", least.norm);
}

StoppingCriterion::StoppingCriterion(const TrueResidual& truth, const Options& options, Index unknowns,
                                     std::int64_t limit, bool finite_termination, const StoppingRules& rules)
    : truth_(truth),
      options_(options),
      unknowns_(unknowns),
      limit_(limit),
      finite_termination_(finite_termination),
      rules_(rules),
      iterations_(rules.iterations),
      corrections_(rules.corrections),
      initial_norm_(std::max(best_before(truth), truth.norm_b())),
      halved_norm_(best_before(truth)),
      halved_iteration_(rules.iterations) {
    if (!std::isfinite(truth.norm())) {
        end(Outcome::not_finite, no_first_residual());
    } else if (truth.met()) {
        end(Outcome::converged, fmt::format("the initial guess already meets the tolerance: {}", truth.outcome()));
    } else if (truth.deadline().passed()) {
        end(Outcome::time_limit, fmt::format("{}; {}", out_of_time(truth.deadline()).why, reached()));
    }
}

std::string StoppingCriterion::reached() const {
    return fmt::format("best {} {:.2e}", truth_.measure(),
                       truth_.best_norm() / (truth_.norm_b() > 0 ? truth_.norm_b() : 1));
}

bool StoppingCriterion::observe(const Progress& progress) {
    if (!outside_) outside_ = stop_from_outside(truth_.deadline(), options_.observer, progress);
    return !outside_;
}

void StoppingCriterion::indefinite(double curvature) {
    if (curvature < 0) {
        end(Outcome::breakdown,
            fmt::format("(p,Ap) = {:.2e} < 0, confirmed in double precision: the matrix is not "
                        "positive definite, which conjugate gradients need; minres, gmres and the direct method do not",
                        curvature));
    }
}

std::string no_first_residual() {
    return "the right-hand side, the initial guess or A x holds what is no finite number, or numbers whose norm is "
           "beyond 1.8e308, the largest of double precision";
}

std::string rounding_limit(const TrueResidual& truth) {
    const double limit = truth.floor() / truth.norm_b();
    if (!std::isfinite(limit)) return "residuals overflow double precision here";
    return fmt::format("rounding in double precision alone makes residuals of up to about {:.1e} {} here", limit,
                       truth.unit());
}

bool gave_up(Outcome outcome) {
    return outcome == Outcome::stagnated || outcome == Outcome::precision_limit || outcome == Outcome::breakdown
           || outcome == Outcome::diverged;
}

Verdict out_of_time(const Deadline& deadline) {
    return {Outcome::time_limit, fmt::format("the time limit of {:g} s is over", deadline.seconds())};
}

std::optional<Verdict> stop_from_outside(const Deadline& deadline, const Observer& observer, const Progress& progress) {
    if (deadline.passed()) return out_of_time(deadline);
    if (observer && !observer(progress)) return Verdict{Outcome::cancelled, "stopped from outside"};
    return std::nullopt;
}

Verdict verdict_on_device(const DeviceResiduals::RunResult& found, double threshold, std::int64_t iterations,
                          std::int64_t before) {
    if (!std::isfinite(found.b) || !std::isfinite(found.residual) || found.too_small) {
        return {
            Outcome::not_finite,
            "b, or what comes of it, is not finite, or too large or too small for single precision; x is as it was"};
    }
    if (found.residual <= threshold) return {Outcome::met_on_device, "met on the device"};
    const StatusLook look = StatusLook::of(found.status, 0);
    // So says the status of several right-hand sides that have all stopped by themselves.
    if (look.stop == Stop::limit && look.iterations < iterations) {
        return {Outcome::precision_limit, "the device stopped by itself, and the residual has not met the tolerance"};
    }
    switch (look.stop) {
        case Stop::target:
        case Stop::drifted:
        case Stop::reduced:
            return {Outcome::precision_limit, "the recurrence met the tolerance, the residual did not"};
        case Stop::indefinite:
            return {Outcome::breakdown,
                    "the matrix, or the preconditioner, is not positive definite, or rounding is all there is"};
        case Stop::running:
        case Stop::limit:
            return {Outcome::max_iterations, fmt::format("all {} iterations were used up", before + iterations)};
        case Stop::diverged:
            return {Outcome::diverged, "the method cannot go on"};
        default:
            return {Outcome::breakdown, "the method cannot go on"};
    }
}

void StoppingCriterion::stalled(bool by_rounding, std::string why) {
    limited_by_arithmetic_ = by_rounding;
    end(by_rounding ? Outcome::precision_limit : Outcome::stagnated, std::move(why));
}

void StoppingCriterion::corrected(const StatusLook& look) {
    in_vain_ = look.iterations > iterations_ ? 0 : in_vain_ + 1;
    iterations_ = look.iterations;
    ++corrections_;
    const double norm = truth_.norm();
    if (!outside_ && truth_.deadline().passed()) outside_ = out_of_time(truth_.deadline());  // nobody looked
    if (!std::isfinite(norm)) {
        end(Outcome::not_finite, "the solution overflowed; " + reached());
    } else if (truth_.met()) {
        final_ = false;  // even a breakdown may come too late to matter
        end(Outcome::converged, truth_.outcome() + ", in double precision from the original matrix");
    } else if (final_) {  // NOLINT(bugprone-branch-clone): the last branch has its turn after the others
        reason_ += "; " + reached();
    } else if (outside_) {
        end(outside_->outcome, fmt::format("{}; {}", outside_->why, reached()));
    } else if (is_divergence(norm, initial_norm_)) {
        end(Outcome::diverged,
            fmt::format("the residual grew to {:.1e} times the first one; {}", norm / initial_norm_, reached()));
    } else if (look.iterations >= limit_) {
        end(Outcome::max_iterations, fmt::format("all {} iterations used; {}", limit_, reached()));
    } else if (rules_.fixed) {
        stopped_early(look);
        reason_ += "; " + reached();
    } else if (hopeless(look)) {
        reason_ += "; " + reached();
    }
}

std::int64_t patience(const StoppingRules& rules, std::int64_t unknowns, bool finite_termination) {
    if (!finite_termination) return least_patience(rules);
    const auto n = static_cast<double>(std::max<std::int64_t>(unknowns, 1));
    const auto products = static_cast<double>(rules.products);
    const double affordable =
        std::max(most_rows_in_vain / (n * products + rows_of_an_iteration), grid_crossings * std::sqrt(n));
    return std::max(least_patience(rules),
                    static_cast<std::int64_t>(std::min(rules.patience * n / products, affordable)));
}

bool is_divergence(double residual, double first) { return residual > divergence * first; }

/// Has the residual stopped falling since no x solves the system? To find out takes the host about as many products as
/// iterations have been idle, so it is asked after about as many of these as have led there, and then each time they
/// have doubled.
bool StoppingCriterion::inconsistent(const StatusLook& look) {
    constexpr std::int64_t few = 32;
    const std::int64_t idle = look.iterations - halved_iteration_;
    if (idle == 0) looked_at_limit_ = 0;
    if (idle < std::max({few, halved_iteration_ - rules_.iterations, 2 * looked_at_limit_})) return false;
    looked_at_limit_ = idle;
    const LeastResidual least = truth_.limit(idle);
    if (!(least.norm > 0)) return false;
    end(Outcome::inconsistent, inconsistency(least));
    return true;
}

/// Is more work of no use? Says why.
bool StoppingCriterion::hopeless(const StatusLook& look) {
    const double norm = truth_.norm();
    if (norm <= halved_norm_ / 2) {
        halved_norm_ = norm;
        halved_iteration_ = look.iterations;
    }
    if (inconsistent(look)) return true;
    if (truth_.threshold() < truth_.floor() && truth_.best_norm() < 4 * truth_.floor()) {
        end(Outcome::precision_limit, rounding_limit(truth_));
    } else if (in_vain_ >= most_in_vain) {
        if (look.stop == Stop::not_finite) {
            end(Outcome::not_finite,
                fmt::format("infinities or NaN in {}, again after each correction", rules_.arithmetic));
        } else {
            limited_by_arithmetic_ = true;
            end(Outcome::precision_limit, fmt::format("(p,Ap) <= 0 in {0} though not in double: the matrix is singular "
                                                      "or too ill-conditioned for {0}",
                                                      rules_.arithmetic));
        }
    } else if (const std::int64_t idle = look.iterations - halved_iteration_; idle > patience()) {
        if (finite_termination_ && rules_.preconditioned) {
            limited_by_arithmetic_ = true;
            end(Outcome::stagnated,
                fmt::format("no halving of the residual in {} iterations in {}, where exact arithmetic ends after {}: "
                            "the preconditioner may not suit the matrix, or not be definite; jacobi may do better",
                            idle, rules_.arithmetic, unknowns_));
        } else if (finite_termination_) {
            limited_by_arithmetic_ = true;
            end(Outcome::precision_limit,
                fmt::format("no halving of the residual in {} iterations, where exact arithmetic ends after {}: the "
                            "matrix is too ill-conditioned for {}",
                            idle, unknowns_, rules_.arithmetic));
        } else {
            end(Outcome::stagnated, fmt::format("no halving of the residual in {} iterations", idle));
        }
    }
    return final_;
}

/// Of a fixed number of iterations: what has kept the device from doing all of them?
void StoppingCriterion::stopped_early(const StatusLook& look) {
    const auto after = [&](const char* what) {
        return fmt::format("{} after {} of {} iterations", what, look.iterations, limit_);
    };
    switch (look.stop) {
        case Stop::not_finite:
            return end(Outcome::not_finite, after("infinities or NaN"));
        case Stop::indefinite:
            return end(Outcome::breakdown, after("(p,Ap) <= 0"));
        case Stop::breakdown:
            return end(Outcome::breakdown, after("a division by next to nothing"));
        case Stop::diverged:
            return end(Outcome::diverged, after("the residual grows, and what was made is lost"));
        case Stop::complete:
        case Stop::stationary:
            return end(Outcome::stagnated, after("no step makes the residual smaller"));
        default:
            return end(Outcome::precision_limit, after("rounding is as large as the residual"));
    }
}

void StoppingCriterion::report(Report& report) const {
    report.outcome = status_;
    report.reason = reason_;
    report.iterations = iterations_;
    report.corrections = corrections_;
    truth_.report(report);
}

void StoppingCriterion::end(Outcome status, std::string reason) {
    if (final_) return;
    final_ = true;
    status_ = status;
    reason_ = std::move(reason);
}

}  // namespace glsolve::inline v0_1
