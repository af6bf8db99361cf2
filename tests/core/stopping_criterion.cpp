// Outcomes are decided from true residuals only: each of them, without a device.
#include "methods/stopping_criterion.hpp"

#include <glsolve/generate.hpp>
#include <limits>
#include <memory>

#include "support/catch.hpp"

namespace tests_of_stopping_criterion {

using namespace glsolve;

namespace {

/// A system of 36 unknowns whose "device" answers whatever the test says.
struct Case {
    CsrMatrix A = poisson2d(6);
    std::vector<double> known = known_answer(36), b = std::vector<double>(36), x = std::vector<double>(36, 0.0);
    std::vector<double> scale = std::vector<double>(36, 1.0);
    Options options;
    std::unique_ptr<TrueResidual> truth;
    std::unique_ptr<StoppingCriterion> judgement;

    explicit Case(double tolerance = 1e-8, std::int64_t limit = 100'000, bool finite_termination = true,
                  const Deadline& deadline = {}) {
        multiply(A, known, b);
        truth = std::make_unique<TrueResidual>(A, RowFactors(scale), b, x, tolerance, 0);
        truth->recompute();
        truth->set_deadline(deadline);
        judgement = std::make_unique<StoppingCriterion>(*truth, options, 36, limit, finite_termination);
    }

    /// The device has added `factor` times the answer after so many iterations.
    Report correct(double factor, std::int64_t iterations, Stop stop = Stop::reduced) {
        std::vector<float> y(36);
        for (std::size_t i = 0; i < 36; ++i) y[i] = static_cast<float>(factor * known[i]);
        truth->add(y, 1);
        truth->recompute();
        judgement->corrected({stop, iterations, 0});
        Report report;
        judgement->report(report);
        return report;
    }
};

}  // namespace

TEST_CASE("converged, by the true residual", "[core]") {
    Case c(1e-6);
    CHECK_FALSE(c.judgement->final());
    CHECK(c.correct(1, 5).outcome == Outcome::converged);
    CHECK(c.judgement->final());
}

TEST_CASE("diverged: the residual has grown beyond all use", "[core]") {
    Case c;
    const Report report = c.correct(1e20, 5);
    CHECK(c.judgement->final());
    CHECK(report.outcome == Outcome::diverged);
    CHECK_THAT(report.reason, ContainsSubstring("times the first one"));
}

TEST_CASE("not finite: the solution overflowed", "[core]") {
    Case c;
    CHECK(c.correct(std::numeric_limits<double>::infinity(), 5).outcome == Outcome::not_finite);
}

TEST_CASE("stagnated or a precision limit, by what the method promises", "[core]") {
    const bool promises = GENERATE(true, false);
    Case c(1e-8, 100'000, promises);
    c.correct(0.1, 10);
    CHECK_FALSE(c.judgement->final());
    const Report report = c.correct(0.01, 10 + c.judgement->patience() + 1);
    CHECK(c.judgement->final());
    CHECK(report.outcome == (promises ? Outcome::precision_limit : Outcome::stagnated));
    CHECK_THAT(report.reason, ContainsSubstring("no halving"));
}

TEST_CASE("a breakdown that double precision confirms is one, others are rounding", "[core]") {
    Case confirmed;
    confirmed.judgement->indefinite(-0.5);
    CHECK(confirmed.correct(0.1, 3, Stop::indefinite).outcome == Outcome::breakdown);

    Case rounding;
    for (int i = 0; i < 20 && !rounding.judgement->final(); ++i) {
        rounding.judgement->indefinite(1e-9);
        rounding.correct(0, 3, Stop::indefinite);
    }
    Report report;
    rounding.judgement->report(report);
    CHECK(report.outcome == Outcome::precision_limit);

    Case met(1e-6);  // the tolerance is met all the same
    met.judgement->indefinite(-0.5);
    CHECK(met.correct(1, 3, Stop::indefinite).outcome == Outcome::converged);
}

TEST_CASE("max_iterations and cancelled", "[core]") {
    Case limited(1e-8, 7);
    CHECK(limited.correct(0.5, 7, Stop::limit).outcome == Outcome::max_iterations);

    Case cancelled;
    cancelled.options.observer = [](const Progress&) { return false; };
    CHECK_FALSE(cancelled.judgement->observe({3, 0.5, 0}));
    CHECK(cancelled.correct(0.5, 3, Stop::running).outcome == Outcome::cancelled);
}

TEST_CASE("time_limit", "[core]") {
    const Deadline over(1e-9);
    const auto told = [](const Report& report) {
        CHECK(report.outcome == Outcome::time_limit);
        CHECK_THAT(report.reason, ContainsSubstring("the time limit of 1e-09 s is over; best true relative residual"));
    };
    Case late(1e-8, 100'000, true, over);  // before it has begun
    CHECK(late.judgement->final());
    Report report;
    late.judgement->report(report);
    told(report);

    Case looked;
    looked.truth->set_deadline(over);
    bool asked = false;
    looked.options.observer = [&](const Progress&) { return asked = true; };
    CHECK_FALSE(looked.judgement->observe({3, 0.5, 0}));
    CHECK_FALSE(asked);
    told(looked.correct(0.5, 3, Stop::running));

    Case not_looked;
    not_looked.truth->set_deadline(over);
    told(not_looked.correct(0.5, 3));

    Case with_others;
    with_others.judgement->stop_as(*looked.judgement);
    told(with_others.correct(0.5, 3, Stop::running));

    Case met(1e-6);
    met.truth->set_deadline(over);
    CHECK(met.correct(1, 3).outcome == Outcome::converged);

    Case unlimited(1e-6, 100'000, true, Deadline(0));
    CHECK(unlimited.judgement->observe({3, 0.5, 0}));
    CHECK_FALSE(unlimited.judgement->final());
}

}  // namespace tests_of_stopping_criterion
