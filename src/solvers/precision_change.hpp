/// From single precision to two floats, in the middle of a solve.
#pragma once

#include <functional>

#include "core/refinement.hpp"
#include "solvers/judgement.hpp"

namespace glsolve::inline v0_1 {

/// How a method iterates in one arithmetic and in the other.
struct PrecisionChange {
    bool allowed = false;          ///< when single precision no longer helps
    JudgementRules first, second;  ///< of the arithmetic it begins with, and of two floats after the change
    std::function<Judgement(const JudgementRules&)> judge;
    std::function<void(Judgement&)> run;  ///< iterates and corrects until the judgement is final
    std::function<void()> change;         ///< from here on in two floats
};

/// Runs to the end, with a change on the way where that is allowed and may help; the report says so.
void run_with_change(Refinement& refinement, Report& report, const PrecisionChange& how);

}  // namespace glsolve::inline v0_1
