/// The corrections of a direct solve: what is told of each, and how long ago the residual was halved.
#pragma once

#include <fmt/format.h>

#include <glsolve/options.hpp>
#include <glsolve/report.hpp>
#include <optional>

#include "methods/stopping_criterion.hpp"
#include "refinement/true_residual.hpp"

namespace glsolve::inline v0_1 {

/// Of a direct solve, at most.
inline std::int64_t correction_limit(const Options& options) {
    constexpr std::int64_t usual = 100;
    return options.max_iterations > 0 ? options.max_iterations : usual;
}

class Corrections {
  public:
    /// All arguments must outlive the object.
    Corrections(const TrueResidual& truth, const Observer& observer, Report& report)
        : truth_(truth), observer_(observer), report_(report), halved_(truth.norm()) {}

    /// Three corrections have not halved the residual.
    bool are_in_vain() const { return since_halved_ >= 3; }
    /// After a correction; false: the caller stops it.
    bool done() {
        ++report_.corrections;
        report_.history.push_back({report_.corrections, truth_.relative(), true});
        ++since_halved_;
        if (truth_.norm() <= halved_ / 2) {
            halved_ = truth_.norm();
            since_halved_ = 0;
        }
        const Progress progress{report_.corrections, truth_.relative(), report_.corrections};
        const std::optional<Verdict> stop = stop_from_outside(truth_.deadline(), observer_, progress);
        if (!stop || truth_.met()) return true;
        report_.outcome = stop->outcome;
        report_.reason = fmt::format("{}; relative residual {:.2e}", stop->why, truth_.relative());
        return false;
    }

  private:
    const TrueResidual& truth_;
    const Observer& observer_;
    Report& report_;
    double halved_;
    int since_halved_ = 0;
};

}  // namespace glsolve::inline v0_1
