/// Iterative refinement with factors in double precision on the host.
#pragma once

#include <functional>
#include <glsolve/options.hpp>
#include <glsolve/report.hpp>
#include <span>
#include <string>
#include <vector>

#include "refinement/true_residual.hpp"

namespace glsolve::inline v0_1 {

/// What is added to x for a residual r, A^-1 r but for rounding.
using HostStep = std::function<std::vector<double>(std::span<const double> r)>;

struct HostCorrections {
    const Observer& observer;
    std::int64_t limit;
    std::string how;  ///< in words: "by triangular factors"
};

/// x <- x + step(b - A x), until the tolerance is met or that no longer helps; x is the best one then. The report gets
/// the corrections, their history, the outcome and its reason.
void correct_on_host(TrueResidual& truth, const HostStep& step, const HostCorrections& with, Report& report);

}  // namespace glsolve::inline v0_1
