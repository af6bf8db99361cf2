#include "solvers/texture_work.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glsolve/error.hpp>
#include <vector>

#include "core/iterate.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr std::int64_t usual_iterations = 32, first_iterations = 4;
/// |u S b| is between 1/2 and 1, and what stops the recurrence is a residual: half the tolerance is safe for both.
constexpr double safe = 0.5;

DeviceResiduals& residuals_of(IterativeMethod& method, Backend& backend) {
    if (DeviceResiduals* const residuals = method.residuals()) return *residuals;
    const std::string& fault = backend.info().two_float_fault;
    if (!fault.empty()) throw DeviceError(fmt::format("textures: this device cannot compute residuals: {}", fault));
    throw InvalidInput(
        "textures: cg, pipelined-cg, minres, bicgstab and bicgstab2 solve on textures, on OpenGL; this method, or the "
        "host, does not");
}

}  // namespace

TextureWork::TextureWork(Backend& backend, IterativeMethod& method, const Options& options, const Numbering& numbering,
                         double factor, Preparation preparation)
    : backend_(backend),
      method_(method),
      options_(options),
      numbering_(numbering),
      factor_(factor),
      preparation_(std::move(preparation)),
      residuals_(residuals_of(method, backend)) {}

void TextureWork::begin(const TextureWindow& b, const TextureWindow& x, bool zero_guess) {
    const auto taken = [](const TextureWindow& from, const Prepare& prepare, Vector& y, const ScalarArg& a,
                          Vector& work) {
        from.take(prepare ? work : y, a);
        if (prepare) prepare(y, work);
    };
    const auto take_b = [&](Vector& y, ScalarArg a, Vector& work) {
        a.factor *= static_cast<float>(factor_);
        taken(b, preparation_.of_b, y, a, work);
    };
    const auto take_x = [&](Vector& y, const ScalarArg& a, Vector& work) { taken(x, preparation_.of_x, y, a, work); };
    residuals_.begin(take_b, zero_guess ? DeviceResiduals::MakeVector() : take_x);
}

/// Iterations that the budget has room for.
std::int64_t TextureWork::affordable(const Budget& budget) const {
    const std::int64_t most = budget.iterations > 0 ? budget.iterations : usual_iterations;
    if (budget.milliseconds <= 0) return most;
    if (seconds_an_iteration_ <= 0) return std::min(most, first_iterations);  // a first guess; then it is known
    const double room = 1e-3 * budget.milliseconds - seconds_beside_;
    const std::int64_t fit = static_cast<std::int64_t>(room / seconds_an_iteration_);
    return std::clamp<std::int64_t>(fit, 1, budget.iterations > 0 ? most : 1 << 16);
}

void TextureWork::enqueue(const TextureView& b, const TextureView& x, const Budget& budget) {
    const auto started = Clock::now();
    if (budget.iterations < 0 || budget.iterations > 1 << 16 || !(budget.milliseconds >= 0)) {
        throw InvalidInput(fmt::format("budget: {} iterations and {} ms; 0 to 65536 and 0 or more are possible",
                                       budget.iterations, budget.milliseconds));
    }
    const Session inside(backend_);
    const TextureWindow from(backend_, b, numbering_, TextureUse::read, "b"),
        to(backend_, x, numbering_, TextureUse::written, "x");
    const std::uint64_t passes = backend_.counters().passes;
    Pending now{};
    now.iterations = affordable(budget);
    if (budget.report) now.begin = backend_.mark_time();
    begin(from, to, budget.zero_guess);
    if (budget.report) now.iterate = backend_.mark_time();
    const Scalar& status =
        *method_.run_on_device({.iterations = now.iterations, .target = static_cast<float>(safe * options_.tolerance)});
    if (budget.report) {
        now.iterated = backend_.mark_time();
        residuals_.encode_norms(status);
    }
    to.put(residuals_.solution());
    if (budget.report) {
        now.end = backend_.mark_time();
        if (pending_.size() >= most_pending) forget_oldest();
        now.results = backend_.read_later(residuals_.results().id());
        now.passes = backend_.counters().passes - passes;
        now.seconds = seconds_since(started);
        pending_.push_back(now);
    }
    backend_.flush();
}

void TextureWork::forget_oldest() {
    const Pending& oldest = pending_.front();
    for (const Ticket ticket : {oldest.results, oldest.begin, oldest.iterate, oldest.iterated, oldest.end}) {
        backend_.forget(ticket);
    }
    pending_.pop_front();
}

std::optional<Report> TextureWork::poll() {
    if (pending_.empty()) return {};
    const Session inside(backend_);
    const Pending oldest = pending_.front();
    std::array<float, 16> results{};
    if (!backend_.try_collect(oldest.results, results)) return {};
    pending_.pop_front();
    Report report = judged(results, oldest.iterations);
    report.passes = oldest.passes;
    report.solve_seconds = oldest.seconds;
    const auto begin = backend_.try_time(oldest.begin), iterate = backend_.try_time(oldest.iterate),
               iterated = backend_.try_time(oldest.iterated), end = backend_.try_time(oldest.end);
    if (begin && iterate && iterated && end) {
        report.device_seconds = *end - *begin;
        // Passes after the stop cost what they cost, so encoded iterations count.
        seconds_an_iteration_ = (*iterated - *iterate) / static_cast<double>(oldest.iterations);
        seconds_beside_ = report.device_seconds - (*iterated - *iterate);
    } else {
        for (const Ticket mark : {oldest.begin, oldest.iterate, oldest.iterated, oldest.end}) backend_.forget(mark);
    }
    return report;
}

Report TextureWork::judged(std::span<const float, 16> results, std::int64_t iterations) const {
    const DeviceResiduals::Norms norms = residuals_.norms(results);
    const double norm_b = DeviceResiduals::norms_of_b(results)[0];
    const StatusLook look = StatusLook::of(norms.status, 0);
    Report report;
    report.iterations = look.iterations;
    report.relative_residual = norm_b > 0 ? norms.residual / norm_b : norms.residual;
    report.residuals = "in two floats on the device";
    const auto says = [&](Status status, std::string_view why) {
        report.status = status;
        report.reason = fmt::format("{}; residual {:.2e} on the device, tolerance {:.2e}", why,
                                    report.relative_residual, options_.tolerance);
    };
    if (!std::isfinite(norm_b) || !std::isfinite(norms.residual)) {
        says(Status::not_finite, "b, x or what comes of them is not finite, or too large for single precision");
    } else if (norms.residual <= std::max(options_.tolerance * norm_b, options_.absolute_tolerance * factor_)) {
        says(Status::met_on_device, "met on the device");
    } else if (look.stop == Stop::target || look.stop == Stop::drifted || look.stop == Stop::reduced) {
        says(Status::precision_limit, "the recurrence met the tolerance, the residual did not");
    } else if (look.stop == Stop::indefinite) {
        says(Status::breakdown,
             "the matrix, or the preconditioner, is not positive definite, or rounding is all there is");
    } else if (look.stop == Stop::running || look.stop == Stop::limit) {
        says(Status::max_iterations, fmt::format("all {} iterations were used up", iterations));
    } else {
        says(look.stop == Stop::diverged ? Status::diverged : Status::breakdown, "the method cannot go on");
    }
    return report;
}

Report TextureWork::solve(const TextureView& b, const TextureView& x, std::int64_t max_iterations) {
    const Work work(backend_, options_.profile);
    const TextureWindow from(backend_, b, numbering_, TextureUse::read, "b"),
        to(backend_, x, numbering_, TextureUse::written, "x");
    begin(from, to, options_.zero_guess);
    Report report;
    std::int64_t done = 0, corrections = 0;
    double s = 1, target = safe * options_.tolerance;
    for (double before = INFINITY;; before = report.relative_residual) {
        const Scalar& status = *method_.run_on_device(
            {.iterations = max_iterations - done, .s = s, .target = static_cast<float>(target), .waits = true});
        residuals_.encode_norms(status);
        std::array<float, 16> results{};
        backend_.read(residuals_.results().id(), results);
        report = judged(results, max_iterations);
        done += report.iterations;
        ++corrections;
        // What remains is solved for anew, as long as that is worth it.
        const bool worth_it = report.status == Status::precision_limit || report.status == Status::breakdown;
        if (!worth_it || !(report.relative_residual < before / 2) || done >= max_iterations) break;
        // s S r is as long as S b again, in the residuals' unit; and so is what the tolerance allows.
        s = DeviceResiduals::norms_of_b(results)[1] / residuals_.norms(results).scaled;
        target = safe * options_.tolerance / report.relative_residual;
    }
    to.put(residuals_.solution());
    backend_.flush();
    report.iterations = done;
    report.corrections = report.corrections_on_device = corrections;
    work.account({&report, 1}, {0, numbering_.unknowns, 0});
    return report;
}

void TextureWork::warm_up(const TextureView& b, const TextureView& x) {
    const Session inside(backend_);
    const TextureWindow from(backend_, b, numbering_, TextureUse::read, "b"),
        to(backend_, x, numbering_, TextureUse::written, "x");
    const Rehearsal only(backend_);
    // What is read and written has two textures, which take turns with each frame or with each iteration: even and odd
    // numbers of iterations, each in two frames, bring all pairs of them together.
    for (int frame = 0; frame < 8; ++frame) {
        begin(from, to, frame >= 4);
        const Scalar& status = *method_.run_on_device({.iterations = 2 + frame / 2 % 2, .target = 1});
        residuals_.encode_norms(status);
        to.put(residuals_.solution(), false);
    }
    // Room for as many outcomes as may be under way.
    std::vector<Ticket> tickets;
    for (std::size_t k = 0; k < most_pending; ++k) {
        tickets.push_back(backend_.read_later(residuals_.results().id()));
        for (int mark = 0; mark < 4; ++mark) tickets.push_back(backend_.mark_time());
    }
    for (const Ticket ticket : tickets) backend_.forget(ticket);
    backend_.flush();
}

}  // namespace glsolve::inline v0_1
