// Method::automatic: where the first method fails, another goes on from its answer, down to least squares.
#include "solver/method_chain.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>
#include <limits>
#include <utility>

#include "base/norm.hpp"
#include "methods/direct_on_host.hpp"
#include "methods/stopping_criterion.hpp"
#include "solver/check_options.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// What is said of `answer`, one of the two, with what both took: the history of the second goes on where the first
/// one's ends.
Report told_of_both(const Report& answer, const Report& first, const Report& second) {
    Report told = answer;
    told.history = first.history;
    for (HistoryEntry entry : second.history) {
        entry.iteration += first.iterations;
        told.history.push_back(entry);
    }
    told.profile = first.profile;
    told.profile.insert(told.profile.end(), second.profile.begin(), second.profile.end());
    told.iterations = first.iterations + second.iterations;
    told.corrections = first.corrections + second.corrections;
    told.corrections_on_device = first.corrections_on_device + second.corrections_on_device;
    told.setup_seconds = first.setup_seconds + second.setup_seconds;
    told.solve_seconds = first.solve_seconds + second.solve_seconds;
    told.setup_compile_seconds = first.setup_compile_seconds + second.setup_compile_seconds;
    told.setup_upload_seconds = first.setup_upload_seconds + second.setup_upload_seconds;
    told.solve_compile_seconds = first.solve_compile_seconds + second.solve_compile_seconds;
    told.host_seconds = first.host_seconds + second.host_seconds;
    told.passes = first.passes + second.passes;
    told.reads = first.reads + second.reads;
    return told;
}

/// The same of a method that goes on: its set-up is told once.
Report told_of_both_parts(const Report& first, Report second) {
    second.setup_seconds = second.setup_compile_seconds = second.setup_upload_seconds = 0;
    return told_of_both(second, first, second);
}

/// How many iterations a solve would go on, by the pace of the second half of its history. (That of all of it is too
/// good: the first iterations gain most.)
double iterations_to_end(const Report& report, double tolerance) {
    constexpr double never = std::numeric_limits<double>::infinity();
    if (report.history.size() < 3) return never;
    const HistoryEntry& middle = report.history[report.history.size() / 2];
    const HistoryEntry& last = report.history.back();
    const double gained = std::log(middle.relative_residual / last.relative_residual);
    const double wanted = std::log(last.relative_residual / std::max(tolerance, 1e-16));
    const double iterations = static_cast<double>(last.iteration - middle.iteration);
    return gained > 0 && iterations > 0 ? std::max(wanted, 1.0) * iterations / gained : never;
}

}  // namespace

MethodChain::MethodChain(Backend& backend, std::shared_ptr<const CheckedSystem> system, Options asked,
                         const Structure& known, std::shared_ptr<KnownWays> ways)
    : backend_(backend),
      system_(std::move(system)),
      asked_(std::move(asked)),
      policy_(*system_, asked_, backend.can(), speed_of(backend)) {
    if (asked_.method == Method::automatic) {
        check_options(asked_);
        know(std::move(ways), known);
        links_.push_back(chosen(known));
    } else {
        links_.push_back(link(policy_.as_asked(), MethodOrigin::asked_for, known));
    }
}

MethodChain::~MethodChain() {
    const std::unique_ptr<Session> open = session_if_any(backend_);
    while (!links_.empty()) links_.pop_back();
}

MethodChain::Link MethodChain::link(MethodPlan plan, MethodOrigin origin, const Structure& known) const {
    // Where no other method may go on, this one is not given up.
    const std::int64_t look_after = known.function || origin == MethodOrigin::asked_for ? without_end : plan.look_after;
    if (ways_) ways_->predict(plan.choice.predictions);
    if (asked_.on_choice && asked_.method == Method::automatic) asked_.on_choice(plan.choice);
    auto solver = std::make_unique<PreparedSolver>(backend_, system_, std::move(plan.options), origin, known);
    return {std::move(solver), std::move(plan.choice), look_after};
}

/// What is known of ways to solve such a system: from `earlier`, or from the folder that is asked for.
void MethodChain::know(std::shared_ptr<KnownWays> earlier, const Structure& known) {
    if (known.function) return;  // its places are those of what was probed
    std::string key = key_of_ways(backend_, *system_, asked_);
    const bool is_the_same = earlier && earlier->key() == key;
    is_of_another_kind_ = earlier && !is_the_same;
    ways_ = is_the_same ? std::move(earlier) : std::make_shared<KnownWays>(asked_.choice_cache, std::move(key));
}

/// The method that suits, or that was best before.
MethodChain::Link MethodChain::chosen(const Structure& known, Reads reads) const {
    if (ways_ && reads == Reads::allowed) {
        if (const std::optional<MethodPlan> plan = policy_.as_known(*ways_)) {
            try {
                return link(*plan, MethodOrigin::chosen, known);
            } catch (const InvalidInput&) {  // it does not take these values, and will take others again
            }
        }
    }
    MethodPlan plan = policy_.first(reads);
    if (is_of_another_kind_)
        plan.choice.reason = "chosen anew, the new values are of another kind: " + plan.choice.reason;
    Link made = link(plan, MethodOrigin::chosen, known);
    if (!MethodPolicy::asks_for_spectrum(plan)) return made;
    MethodPlan looked_at =
        policy_.after_spectrum(plan, made.solver->nonzero_spectrum(ChebyshevOptions{}.lanczos_steps), reads);
    const bool is_other =
        looked_at.choice.method != plan.choice.method || looked_at.choice.preconditioner != plan.choice.preconditioner;
    if (is_other) {
        made.solver.reset();
        return link(std::move(looked_at), MethodOrigin::chosen, known);
    }
    made.choice = std::move(looked_at.choice);
    made.look_after = looked_at.look_after;
    return made;
}

MethodChain::StandIn MethodChain::without_reads() const {
    const Link& begun = links_.front();
    const bool reads = begun.solver->on_device().method().residuals(0) == nullptr;
    if (!reads || asked_.method != Method::automatic || !backend_.can().corrections) return {};
    Structure known;
    known.function = begun.solver->structure().function;
    Link made = chosen(known, Reads::never);
    std::string why =
        fmt::format("automatic takes {} for vectors, which reads numbers back on its way; {} does not: {}",
                    name(begun.choice.method), name(made.choice.method), made.choice.reason);
    return {std::move(made.solver), std::move(why)};
}

std::size_t MethodChain::answering(std::size_t from) const {
    while (links_[from].next_has_helped) ++from;
    return from;
}

const MethodChoice& MethodChain::choice() const { return links_[answering(0)].choice; }

const Structure& MethodChain::structure() const {
    const Structure& last = links_[answering(0)].solver->structure();
    return last.format ? last : first().structure();
}

Report MethodChain::solve(std::span<const double> b, std::span<double> x, bool resumes) {
    deadline_ = Deadline(asked_.seconds);
    return timed_solve(b, x, resumes);
}

/// What lies between the methods belongs to the solve, too, but for the set-up of those that are made meanwhile.
Report MethodChain::timed_solve(std::span<const double> b, std::span<double> x, bool resumes) {
    const auto began = Clock::now();
    set_up_meanwhile_ = 0;
    Report report = solve_from(0, b, x, resumes);
    report.solve_seconds = seconds_since(began) - set_up_meanwhile_;
    return report;
}

std::vector<Report> MethodChain::solve_several(std::span<const double> b, std::span<double> x, int count) {
    deadline_ = Deadline(asked_.seconds);
    const CsrView A = system_->A();
    const auto m = static_cast<std::size_t>(A.rows), n = static_cast<std::size_t>(A.columns);
    const auto columns = static_cast<std::size_t>(std::max(count, 0));
    if (count < 1) throw InvalidInput(fmt::format("{} right-hand sides; there has to be one at least", count));
    if (b.size() != columns * m || x.size() != columns * n) {
        throw InvalidInput(fmt::format(
            "the matrix has {} rows and {} columns, but b has {} elements and x has {}, not {} times as many", m, n,
            b.size(), x.size(), count));
    }
    const bool together = first().on_device().takes_several();
    std::vector<Report> reports(columns);
    for (std::size_t k = 0; k < columns;) {
        const std::size_t at_once = together ? std::min<std::size_t>(columns - k, MultiRhsMethod::most) : 1;
        const auto these_b = b.subspan(k * m, at_once * m);
        const auto these_x = x.subspan(k * n, at_once * n);
        if (at_once == 1) {
            reports[k] = timed_solve(these_b, these_x, false);
        } else {
            first().solve_together(these_b, these_x, std::span(reports).subspan(k, at_once), deadline_);
            for (std::size_t j = k; j < k + at_once; ++j) {
                if (may_go_on(0, reports[j])) {
                    reports[j] = go_on(0, b.subspan(j * m, m), x.subspan(j * n, n), std::move(reports[j]));
                }
            }
        }
        k += at_once;
    }
    return reports;
}

/// With the method of a link; where that fails, those behind it go on.
Report MethodChain::solve_from(std::size_t at, std::span<const double> b, std::span<double> x, bool resumes) {
    if (links_[at].next_has_helped && !resumes) return solve_from(at + 1, b, x);
    Report report = resumes ? links_[at].solver->solve(b, x, {.deadline = deadline_, .resumes = true})
                            : solve_while_quick(at, b, x);
    if (!resumes) remember(at, report);
    return may_go_on(at, report) && !resumes ? go_on(at, b, x, std::move(report)) : report;
}

/// Until it is over, or something else is predicted to be quicker: outcome max_iterations then.
Report MethodChain::solve_while_quick(std::size_t at, std::span<const double> b, std::span<double> x) {
    Link& link = links_[at];
    link.is_too_slow = false;
    std::int64_t iterations = link.look_after;
    PreparedSolver::Call call{.deadline = deadline_, .iterations = iterations};
    call.is_followed = [&] { return is_followed_by_direct(at); };
    Report told = link.solver->solve(b, x, call);
    // Its own limit is another matter.
    const auto is_stopped = [&](const Report& last) {
        return last.outcome == Outcome::max_iterations && last.iterations >= iterations;
    };
    for (bool goes_on = is_stopped(told); goes_on;) {
        const double one = policy_.seconds_an_iteration(link.choice);
        const double spent = one * static_cast<double>(told.iterations);
        const double more = one * iterations_to_end(told, asked_.tolerance);
        // What it has promised before it has not kept, so all of it is looked at.
        const auto is_beyond = [&](double alternative) { return spent + more > 1.5 * alternative; };
        if (is_beyond(policy_.least_alternative(link.choice)) && is_beyond(policy_.alternative(link.choice))) {
            link.is_too_slow = true;
            link.spent_seconds = told.solve_seconds;
            link.spent_iterations = told.iterations;
            told.reason = fmt::format("some {:.1g} s more would have been needed", more);
            break;
        }
        iterations = static_cast<std::int64_t>(std::min(std::ceil(1.5 * more / one), 1e15));
        call.resumes = true;
        call.iterations = iterations;
        const Report next = link.solver->solve(b, x, call);
        goes_on = is_stopped(next);
        told = told_of_both_parts(told, next);
    }
    return told;
}

/// Do factors follow, in less time than it takes to prove that no x solves the system?
bool MethodChain::is_followed_by_direct(std::size_t at) const {
    const PreparedSolver& solver = *links_[at].solver;
    const bool is_chosen = solver.origin() != MethodOrigin::asked_for && !solver.structure().function
                           && solver.options().fixed_iterations == 0;
    const bool is_alternative = at > 0 && links_[at - 1].is_too_slow;  // then the slow one goes on
    const auto is_last_resort = [](const Link& link) {
        return link.choice.method == Method::direct || link.choice.method == Method::cgnr;
    };
    const bool had_any =
        std::any_of(links_.begin(), links_.begin() + static_cast<std::ptrdiff_t>(at) + 1, is_last_resort);
    return is_chosen && !is_alternative && !had_any && policy_.has_soon_direct(deadline_.left());
}

/// Has it ended in a way in which another method may not?
bool MethodChain::has_failed(std::size_t at, const Report& report) const {
    const bool is_out_of_iterations =
        report.outcome == Outcome::max_iterations && links_[at].solver->options().max_iterations == 0;
    return gave_up(report.outcome) || report.outcome == Outcome::not_finite || report.outcome == Outcome::inconsistent
           || is_out_of_iterations || links_[at].is_too_slow;
}

/// For the next matrix with the same places, what this method took.
void MethodChain::remember(std::size_t at, const Report& report) {
    if (!ways_) return;
    const MethodChoice& choice = links_[at].choice;
    const bool b_is_to_blame =
        report.outcome == Outcome::inconsistent || !std::isfinite(report.relative_residual) || report.iterations == 0;
    if (b_is_to_blame) return;
    // What has to be tried first, or needs other options, is no way to begin with.
    const bool is_usual_way =
        choice.method != Method::cgnr && links_[at].solver->options().precision != Precision::two_float;
    if (report.converged() && is_usual_way) {
        ways_->solved(choice, report.setup_seconds + report.solve_seconds, report.iterations);
    } else if (has_failed(at, report)) {
        ways_->failed(choice);
    }
}

/// Was the method, or its preconditioner, chosen for the caller, and has it failed?
bool MethodChain::may_go_on(std::size_t at, const Report& report) const {
    const PreparedSolver& solver = *links_[at].solver;
    const Options& options = solver.options();
    const bool is_free =
        solver.origin() != MethodOrigin::asked_for || asked_.preconditioner == PreconditionerKind::automatic;
    const bool chosen = is_free && !solver.structure().function && options.fixed_iterations == 0;
    const bool is_large = system_->A().rows > most_rows_on_host;
    // Small matrices have had factors in double precision: nothing finds a better x.
    const bool had_factors = options.method == Method::direct && !is_large;
    // Nothing leaves less than the least, but for a long x where A is singular to within rounding only.
    const bool is_best = (had_factors && report.outcome == Outcome::precision_limit)
                         || (solver.has_least() && (solver.least().is_exact || had_factors || is_large));
    // What has only been given up for something quicker goes on itself, before a third one does.
    const bool is_alternative = at > 0 && links_[at - 1].is_too_slow;
    const bool may = chosen && has_failed(at, report) && !is_best && (!is_alternative || links_[at].is_too_slow);
    return may && std::isfinite(report.relative_residual);  // else b is to blame
}

/// After the alternative to a slow method has failed: the slow one to its end, and only then others.
Report MethodChain::go_on_slowly(std::size_t at, std::span<const double> b, std::span<double> x, const Report& told) {
    Link& slow = links_[at];
    slow.is_too_slow = false;
    slow.look_after = without_end;
    const Report rest = slow.solver->solve(b, x, {.deadline = deadline_, .resumes = true});
    Report whole = rest;
    whole.solve_seconds += slow.spent_seconds;
    whole.iterations += slow.spent_iterations;
    remember(at, whole);
    Report report = told_of_both_parts(told, rest);
    report.reason += fmt::format("; {} went on to its end, since its alternative has failed: {}",
                                 name(slow.choice.method), told.reason);
    return may_go_on(at, report) ? go_on(at, b, x, std::move(report)) : report;
}

/// The link behind, unless it is there already; none where nothing is known that might do better.
void MethodChain::make_next(std::size_t at, const Report& report, double seconds_left) {
    if (at + 1 < links_.size()) return;
    const PreparedSolver& failed = *links_[at].solver;
    std::vector<MethodChoice> tried;
    for (std::size_t k = 0; k < at; ++k) tried.push_back(links_[k].choice);
    std::optional<MethodPlan> plan = policy_.after_failure({.options = failed.options(),
                                                            .outcome = report.outcome,
                                                            .is_exact = failed.least().is_exact,
                                                            .is_too_slow = links_[at].is_too_slow,
                                                            .seconds_left = seconds_left,
                                                            .tried = tried});
    if (!plan) return;
    plan->options.zero_guess = false;
    plan->options.seconds = std::isfinite(seconds_left) ? seconds_left : 0;
    const bool is_asked_for = asked_.method != Method::automatic;
    const MethodOrigin origin = is_asked_for             ? MethodOrigin::asked_for
                                : links_[at].is_too_slow ? MethodOrigin::chosen
                                                         : MethodOrigin::goes_on;
    links_.push_back(link(std::move(*plan), origin));
    set_up_meanwhile_ += links_.back().solver->subject().setup.seconds;
}

/// With another method from the x that there is, and where that fails with a third one; tells of all.
Report MethodChain::go_on(std::size_t at, std::span<const double> b, std::span<double> x, Report first) {
    const std::size_t behind = at + 1;
    Report next;
    std::vector<double> better(x.begin(), x.end());
    const double seconds_left = deadline_.left();
    if (seconds_left <= 0) {
        first.outcome = Outcome::time_limit;
        first.reason += fmt::format("; {}, and no other method has gone on", out_of_time(deadline_).why);
        return first;
    }
    try {
        make_next(at, first, seconds_left);
        if (behind == links_.size()) return first;
        next = solve_from(behind, b, better);
    } catch (const Error& error) {
        while (links_.size() > behind) links_.pop_back();
        links_[at].next_has_helped = false;
        first.reason += fmt::format("; another method could not go on: {}", error.what());
        return links_[at].is_too_slow ? go_on_slowly(at, b, x, first) : first;
    }
    if (links_[at].is_too_slow && !next.converged() && next.outcome != Outcome::cancelled
        && next.outcome != Outcome::time_limit) {
        return go_on_slowly(at, b, x, told_of_both(next, first, next));
    }
    const Link& last = links_[answering(behind)];
    const double norm_b = norm_of(b.size(), [&](std::size_t i) { return b[i]; });
    // What one of them has proved holds for the answer of the other, if that does not deny it.
    const auto holds = [&](const Link& of, const Report& report) {
        return report.relative_residual * norm_b >= (1 - 1e-6) * of.solver->least().norm;
    };
    if (next.converged() || next.relative_residual < first.relative_residual) {
        std::ranges::copy(better, x.begin());
        links_[at].next_has_helped = next.converged();
        const MethodChoice& chosen = links_[behind].choice;
        Report report = told_of_both(next, first, next);
        report.reason += fmt::format("; {} continued, because {}", name(chosen.method), chosen.reason);
        if (first.outcome == Outcome::inconsistent && !next.converged() && holds(links_[at], next)) {
            report.outcome = first.outcome;
            report.reason = fmt::format("{}; {}", first.reason, report.reason);
        }
        return report;
    }
    Report report = told_of_both(first, first, next);
    const bool is_claim = next.outcome == Outcome::inconsistent && holds(last, first);
    if (is_claim || next.outcome == Outcome::time_limit) report.outcome = next.outcome;
    report.reason +=
        fmt::format("; {} went on, and ended as {}: {}", name(last.choice.method), name(next.outcome), next.reason);
    return report;
}

}  // namespace glsolve::inline v0_1
