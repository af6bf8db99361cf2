#include "methods/corrections_on_host.hpp"

#include <fmt/format.h>

#include <cmath>

#include "methods/corrections.hpp"
#include "methods/stopping_criterion.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// Is it over? Says why.
bool ended(const TrueResidual& truth, const Corrections& corrections, const HostCorrections& with, Report& report) {
    const double best = truth.best_norm() / truth.norm_b();
    const auto end = [&](Outcome outcome, const std::string& what) {
        report.outcome = outcome;
        report.reason = fmt::format("{}; in double precision on the host, {}", what, with.how);
        return true;
    };
    if (!std::isfinite(truth.norm()) && report.corrections == 0) return end(Outcome::not_finite, no_first_residual());
    if (truth.met()) return end(Outcome::converged, truth.outcome());
    if (!std::isfinite(truth.norm())) {
        return end(
            Outcome::precision_limit,
            fmt::format("a correction leaves the range of double precision; best true relative residual {:.2e}", best));
    }
    if (corrections.are_in_vain()) {
        return end(Outcome::precision_limit,
                   fmt::format("corrections no longer halve the residual; best true relative residual {:.2e}; {}", best,
                               rounding_limit(truth)));
    }
    if (report.corrections >= with.limit) {
        return end(Outcome::max_iterations,
                   fmt::format("all {} corrections used; best true relative residual {:.2e}", with.limit, best));
    }
    return false;
}

}  // namespace

void correct_on_host(TrueResidual& truth, const HostStep& step, const HostCorrections& with, Report& report) {
    Corrections corrections(truth, with.observer, report);
    std::vector<double> r(truth.b().size());
    while (!ended(truth, corrections, with, report)) {
        for (std::size_t i = 0; i < r.size(); ++i) r[i] = truth.residual_of(i);
        const std::vector<double> y = step(r);
        for (std::size_t j = 0; j < y.size(); ++j) truth.x()[j] += y[j];
        truth.recompute();
        if (!corrections.done()) break;
    }
    truth.restore_best();
}

}  // namespace glsolve::inline v0_1
