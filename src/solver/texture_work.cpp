#include "solver/texture_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>
#include <limits>
#include <map>
#include <utility>

#include "base/suggestions.hpp"
#include "methods/history.hpp"
#include "methods/method_table.hpp"
#include "methods/run_watch.hpp"
#include "methods/stopping_criterion.hpp"
#include "refinement/iteration_loop.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr std::int64_t usual_iterations = 32, first_iterations = 4;
constexpr double worth_telling_of_textures =
    1e-5;  // of b, what is taken off: sums in single precision are not more accurate

/// While it lives, the time before and behind each pass is marked.
class MarkedLaps {
  public:
    MarkedLaps(Backend& backend, bool marks) : backend_(backend) {
        if (marks) backend_.mark_laps(true);
    }
    ~MarkedLaps() { backend_.mark_laps(false); }
    MarkedLaps(const MarkedLaps&) = delete;
    MarkedLaps& operator=(const MarkedLaps&) = delete;

  private:
    Backend& backend_;
};

constexpr std::string_view discarded =
    "OpenGL has discarded this solve: conditional rendering may be active; x is as it was";

/// The worse of two outcomes.
Report worse(Report a, Report b) {
    const auto badness = [](const Report& r) { return std::pair(!r.converged(), !(r.relative_residual >= 0)); };
    const bool second = badness(a) == badness(b) ? b.relative_residual > a.relative_residual : badness(a) < badness(b);
    const std::int64_t iterations = std::max(a.iterations, b.iterations);
    Report worst = second ? std::move(b) : std::move(a);
    worst.iterations = iterations;
    return worst;
}

}  // namespace

TextureWork::TextureWork(System system) : system_(std::move(system)), backend_(system_.backend) {
    if (system_.one.residuals(0) != nullptr) return;
    const std::string& fault = backend_.info().two_float_fault;
    if (!fault.empty()) throw DeviceError(fmt::format("textures: this device cannot compute residuals: {}", fault));
    const Options& options = system_.options;
    if (!backend_.can().textures) {
        throw InvalidInput(
            "textures: this device is the host; textures are solved on by a device that works in their "
            "OpenGL context (Device::adopt_current_opengl)");
    }
    throw InvalidInput(fmt::format(
        "textures: {} reads numbers back while it iterates, which solves with textures must not; {} do not (gmres and "
        "fgmres with LeastSquares::device)",
        name(options.method), listed(methods_that([](const MethodTraits& is) { return !is.reads; }))));
}

TextureWork::~TextureWork() {
    const std::unique_ptr<Session> open = session_if_any(backend_);
    while (open && !pending_.empty()) forget_oldest();
}

void TextureWork::check_columns(const TextureView& b, const TextureView& x) {
    if (b.right_hand_sides == x.right_hand_sides) return;
    throw InvalidInput(fmt::format("b holds {} right-hand sides, and x has room for {} solutions", b.right_hand_sides,
                                   x.right_hand_sides));
}

/// Together where the method can, else one after the other.
std::vector<TextureWork::Batch> TextureWork::batches(const TextureView& b, const TextureView& x) {
    check_columns(b, x);
    const int count = b.right_hand_sides;
    if (count > 1 && system_.several) return {{system_.several(), 0, count}};
    std::vector<Batch> each;
    for (int k = 0; k < count; ++k) each.push_back({system_.one, k, 1});
    return each;
}

TextureWindow::Mask TextureWork::mask(const Vector& other) const {
    return system_.unknowns ? TextureWindow::Mask{system_.unknowns, true} : TextureWindow::Mask{other.id()};
}

void TextureWork::precondition(const TextureView& b, const TextureView& x) {
    const Session inside(backend_);
    const TextureWindow from(backend_, b, system_.numbering, TextureUse::read, "b"),
        to(backend_, x, system_.numbering, TextureUse::written, "x");
    check_columns(b, x);
    ScaledPreconditioner& M = system_.preconditioner();
    for (int column = 0; column < b.right_hand_sides; ++column) {
        Vector& r = M.right_hand_side();
        from.take(r, scalar_arg(1), mask(M.other()), column);
        if (system_.prepare_x) system_.prepare_x(r);
        Vector& z = M.solution(system_.factor);
        if (system_.prepare_x) system_.prepare_x(z);
        to.put(z, column, M.zero().id());
    }
    backend_.flush();
}

void TextureWork::begin(DeviceResiduals& residuals, const TextureWindow& b, const TextureWindow& x, int column,
                        bool zero_guess) const {
    const auto take_b = [&](Vector& y, ScalarArg a, const Vector& other) {  // where b is bad, that is reported
        a.factor *= static_cast<float>(system_.factor);
        b.take(y, a, mask(other), column);
        if (system_.prepare_b) system_.prepare_b(y, residuals.taken());
    };
    const auto take_x = [&](Vector& y, const ScalarArg& a, const Vector& other) {  // of a bad guess the rest is used
        x.take(y, a, mask(other), column, true);
        if (system_.prepare_x) system_.prepare_x(y);
    };
    residuals.begin(take_b, zero_guess ? DeviceResiduals::MakeVector() : take_x, tolerance());
}

DeviceResiduals::Tolerance TextureWork::tolerance() const {
    return {system_.options.tolerance, system_.options.absolute_tolerance * std::abs(system_.factor)};
}

/// Iterations that the budget has room for.
std::int64_t TextureWork::affordable(const Budget& budget) const {
    const std::int64_t most = budget.iterations > 0 ? budget.iterations : usual_iterations;
    if (budget.milliseconds <= 0) return most;
    if (seconds_an_iteration_ <= 0) return std::min(most, first_iterations);  // a first guess; then it is known
    const double room = 1e-3 * budget.milliseconds - seconds_beside_;
    const double fit = std::clamp(room / seconds_an_iteration_, 1.0, 65536.0);
    return std::min(static_cast<std::int64_t>(fit), budget.iterations > 0 ? most : 65536);
}

void TextureWork::enqueue(const TextureView& b, const TextureView& x, const Budget& budget) {
    const auto started = Clock::now();
    if (budget.iterations < 0 || budget.iterations > 65536 || !(budget.milliseconds >= 0)) {
        throw InvalidInput(fmt::format("budget: {} iterations and {} ms; 0 to 65536 and 0 or more are possible",
                                       budget.iterations, budget.milliseconds));
    }
    const Session inside(backend_);
    const TextureWindow from(backend_, b, system_.numbering, TextureUse::read, "b"),
        to(backend_, x, system_.numbering, TextureUse::written, "x");
    const std::uint64_t passes = backend_.counters().passes;
    const std::vector<Batch> all = batches(b, x);
    const bool timed = budget.report || budget.milliseconds > 0;
    forget_timed();
    if (pending_.size() >= most_pending) forget_oldest();
    const bool zero_guess = budget.zero_guess || system_.options.zero_guess;
    Pending now{};
    now.iterations = affordable(budget);
    if (timed) now.begin = backend_.mark_time();
    const bool profiles = system_.options.profile && budget.report;
    const MarkedLaps marked(backend_, profiles);
    for (const Batch& batch : all) {
        const bool first = batch.first == 0;  // it is timed
        const bool records = first && budget.history && budget.report;
        DeviceRun run{.columns = batch.count, .iterations = now.iterations, .target = target, .records = records};
        run.begin = [&](int k) {
            begin(*batch.runs.residuals(k), from, to, batch.first + k, zero_guess);
            if (timed && first && k == batch.count - 1) now.iterate = backend_.mark_time();
        };
        run.end = [&](int k, const Scalar& status) {
            if (timed && first && k == 0) now.iterated = backend_.mark_time();
            DeviceResiduals& residuals = *batch.runs.residuals(k);
            residuals.end(status);
            to.put(residuals.solution(), batch.first + k, residuals.refused());
            if (timed && batch.first + k == b.right_hand_sides - 1) now.end = backend_.mark_time();
            if (records && k == 0) now.history = batch.runs.read_history_later();
            if (budget.report)
                now.results.push_back({backend_.read_later(residuals.results().id()), residuals.number()});
        };
        batch.runs.run_on_device(run);
    }
    if (profiles) now.laps = backend_.take_laps();
    if (timed) {
        now.passes = backend_.counters().passes - passes;
        now.seconds = seconds_since(started);
        pending_.push_back(std::move(now));
    }
    backend_.flush();
}

/// Those that nobody wants to hear of, once their times are known.
void TextureWork::forget_timed() {
    while (!pending_.empty() && pending_.front().results.empty() && learn(pending_.front()) > 0) forget_oldest();
}

void TextureWork::forget_oldest() {
    const Pending& oldest = pending_.front();
    learn(oldest);
    for (const Ticket ticket : {oldest.begin, oldest.iterate, oldest.iterated, oldest.end}) {
        backend_.forget(ticket);
    }
    for (const Lap& lap : oldest.laps) {
        backend_.forget(lap.begin);
        backend_.forget(lap.end);
    }
    for (const Asked& asked : oldest.results) backend_.forget(asked.results);
    if (oldest.history) backend_.forget(*oldest.history);
    pending_.pop_front();
}

std::optional<Report> TextureWork::poll() {
    if (pending_.empty()) return {};
    const CollectSession inside(backend_);
    forget_timed();
    if (pending_.empty() || pending_.front().results.empty()) return {};
    Pending& oldest = pending_.front();
    // They arrive in the order in which they were asked for: the last one first says that all are there.
    Results results{};
    if (!backend_.try_collect(oldest.results.back().results, results)) return {};
    std::optional<Report> worst;
    std::vector<HistoryEntry> history;
    for (; !oldest.results.empty(); oldest.results.pop_back()) {
        const int column = static_cast<int>(oldest.results.size()) - 1;
        const Asked asked = oldest.results.back();
        if (worst) backend_.collect(asked.results, results);  // else it is the one that has been taken
        Report report = judged(results, asked.number, oldest.iterations, column);
        oldest.discarded = oldest.discarded || report.outcome == Outcome::cancelled;
        if (column == 0) history = take_history(oldest, report);
        worst = worst ? worse(std::move(report), std::move(*worst)) : std::move(report);
    }
    Report report = std::move(*worst);
    report.history = std::move(history);
    report.passes = oldest.passes;
    report.solve_seconds = oldest.seconds;
    report.device_seconds = learn(oldest);
    report.profile = profile(oldest);
    forget_oldest();
    return report;
}

/// How the residual of the first right-hand side has fallen, whose report is given; it was asked for before the
/// outcome, and so is there.
std::vector<HistoryEntry> TextureWork::take_history(Pending& done, const Report& first) {
    std::vector<HistoryEntry> history;
    if (!done.history) return history;
    backend_.collect(*std::exchange(done.history, std::nullopt), [&](std::span<const float> texels) {
        history = History::entries(texels, first.iterations, first.relative_residual);
    });
    return history;
}

/// What the device took for it, 0 if it does not say so yet; later budgets go by it.
double TextureWork::learn(const Pending& done) {
    if (done.discarded) return 0;
    const auto end = backend_.try_time(done.end);
    if (!end) return 0;
    const auto begin = backend_.try_time(done.begin), iterate = backend_.try_time(done.iterate),
               iterated = backend_.try_time(done.iterated);
    if (!begin || !iterate || !iterated) return 0;
    // Passes after the stop cost what they cost, so encoded iterations count.
    seconds_an_iteration_ = (*iterated - *iterate) / static_cast<double>(done.iterations);
    seconds_beside_ = *end - *begin - (*iterated - *iterate);
    return *end - *begin;
}

/// By kind of pass; nothing where the device does not say so yet.
std::vector<PassReport> TextureWork::profile(const Pending& done) const {
    if (done.laps.empty()) return {};
    std::map<PassId, PassReport> kinds;
    for (const Lap& lap : done.laps) {
        const std::optional<double> begin = backend_.try_time(lap.begin), end = backend_.try_time(lap.end);
        if (!begin || !end) return {};
        PassReport& kind = kinds[lap.pass];
        ++kind.calls;
        kind.seconds += *end - *begin;
    }
    std::vector<PassReport> all;
    for (auto& [pass, kind] : kinds) {
        kind.name = row(pass).name;
        all.push_back(std::move(kind));
    }
    return all;
}

/// Of a run of so many `iterations`, after those `before`. `on_the_way`: why it was ended, if it was.
Report TextureWork::judged(const Results& results, float number, std::int64_t iterations, int column,
                           std::int64_t before, const std::optional<Verdict>& on_the_way) const {
    const DeviceResiduals::RunResult found = DeviceResiduals::run_result(results);
    const Options& options = system_.options;
    const DeviceResiduals::Tolerance wanted = tolerance();
    const StatusLook look = StatusLook::of(found.status, 0);
    Report report;
    if (found.number != number) {
        report.outcome = Outcome::cancelled;
        report.reason = discarded;
        report.relative_residual = std::numeric_limits<double>::quiet_NaN();
        return report;
    }
    report.iterations = look.iterations;
    report.relative_residual = found.b > 0 ? found.residual / found.b : found.residual;
    report.residuals = "in two floats on the device";
    report.remarks = system_.remarks;
    if (const double all = std::hypot(found.b, found.taken); found.taken > worth_telling_of_textures * all) {
        report.remarks += (report.remarks.empty() ? "" : "; ") + system_.tell_of_taken(found.taken / all);
    }
    Verdict verdict =
        verdict_on_device(found, std::max(wanted.relative * found.b, wanted.absolute), iterations, before);
    const bool is_final = verdict.outcome == Outcome::met_on_device || verdict.outcome == Outcome::not_finite;
    if (on_the_way && !is_final) verdict = *on_the_way;
    report.outcome = verdict.outcome;
    report.reason = fmt::format("{}{}; residual {:.2e} on the device, tolerance {:.2e}",
                                column > 0 ? fmt::format("right-hand side {}: ", column + 1) : "", verdict.why,
                                report.relative_residual, options.tolerance);
    return report;
}

Report TextureWork::solve(const TextureView& b, const TextureView& x) {
    const Work work(backend_, system_.options.profile);
    const TextureWindow from(backend_, b, system_.numbering, TextureUse::read, "b"),
        to(backend_, x, system_.numbering, TextureUse::written, "x");
    std::optional<Report> report;
    for (const Batch& batch : batches(b, x)) {
        Report of_batch = solve_batch(batch, from, to);
        report = report ? worse(std::move(*report), std::move(of_batch)) : std::move(of_batch);
    }
    backend_.flush();
    work.account({&*report, 1}, system_.subject());
    return std::move(*report);
}

/// Rounds, each from the x that the one before has left, as long as they are worth it.
Report TextureWork::solve_batch(const Batch& batch, const TextureWindow& b, const TextureWindow& x) {
    std::array<Report, DeviceRun::most> reports;
    std::array<double, DeviceRun::most> before;
    before.fill(INFINITY);
    std::int64_t done = 0, rounds = 0, longest = 0;
    RunWatch watch(system_.options.observer, batch.runs.patience_on_device());
    bool told = false;  // the first column that takes part speaks for all of them
    Results results{};
    DeviceRun run{
        .columns = batch.count, .target = target, .look = [&](const StatusLook& seen) { return watch.look(seen); }};
    std::fill(run.takes_part.begin() + batch.count, run.takes_part.end(), false);
    run.begin = [&](int k) {
        DeviceResiduals& residuals = *batch.runs.residuals(k);
        if (rounds > 0) {
            residuals.begin_again(tolerance());
        } else {
            begin(residuals, b, x, batch.first + k, system_.options.zero_guess);
        }
        if (std::exchange(told, true)) return;
        residuals.tell_start();
        backend_.read(residuals.results().id(), results);
        const DeviceResiduals::RunStart start = DeviceResiduals::run_start(results);
        watch.begin(start, done, rounds);
        if (start.number != residuals.number()) watch.end(Outcome::cancelled, std::string(discarded));
    };
    run.end = [&](int k, const Scalar& status) {
        const auto at = static_cast<std::size_t>(k);
        DeviceResiduals& residuals = *batch.runs.residuals(k);
        residuals.end(status);
        backend_.read(residuals.results().id(), results);
        x.put(residuals.solution(), batch.first + k, residuals.refused());
        reports[at] = judged(results, residuals.number(), run.iterations, batch.first + k, done, watch.verdict());
        longest = std::max(longest, reports[at].iterations);
        const double now = reports[at].relative_residual;
        const bool may_go_on =
            reports[at].outcome == Outcome::precision_limit || reports[at].outcome == Outcome::breakdown;
        run.takes_part[at] = may_go_on && now < std::exchange(before[at], now) / 2;
    };
    do {
        longest = 0;
        told = false;
        run.iterations = system_.max_iterations - done;
        batch.runs.run_on_device(run);
        done += longest;
        ++rounds;
    } while (longest > 0 && done < system_.max_iterations
             && std::ranges::find(run.takes_part, true) != run.takes_part.end());
    Report report = reports[0];
    for (int k = 1; k < batch.count; ++k) report = worse(std::move(report), reports[static_cast<std::size_t>(k)]);
    report.iterations = done;
    report.corrections = report.corrections_on_device = rounds;
    return report;
}

}  // namespace glsolve::inline v0_1
