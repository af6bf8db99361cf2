/// Any method with any preconditioner on any problem: what became of it, judged from outside.
#pragma once

#include <glsolve/solver.hpp>
#include <string>

#include "support/problems.hpp"

namespace glsolve::test {

inline constexpr double conformance_tolerance = 1e-8;

/// What became of a combination.
struct Attempt {
    std::string refused;       ///< why it was not tried; empty: it was
    Report report;             ///< of the solve
    double true_residual = 0;  ///< relative, in double precision, of the answer handed back

    /// Either it was refused or ended in words, or the answer is as good as it says.
    bool honest() const;
    /// Did it solve the system, as judged from outside?
    bool solved() const { return refused.empty() && report.converged() && honest(); }
};

Attempt attempt(Device& device, const Problem& problem, const Options& options);

/// Combinations that theory promises: what the method needs of a matrix the problem has, and the preconditioner too.
bool promised(const Problem& problem, Method method, PreconditionerKind preconditioner);

}  // namespace glsolve::test
