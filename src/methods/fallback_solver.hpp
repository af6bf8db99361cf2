/// A method that goes on with what another one has begun.
#pragma once

#include <string>

#include "methods/history.hpp"
#include "methods/stopping_criterion.hpp"
#include "refinement/refinement.hpp"

namespace glsolve::inline v0_1 {

class FallbackSolver {
  public:
    virtual ~FallbackSolver() = default;

    /// Iterates and corrects, until the judgement is final, with the other's corrections, its judgement, its history.
    virtual void take_over(Refinement& refinement, StoppingCriterion& judgement, History& history) = 0;
    /// What else there is to say about the last solve.
    virtual std::string remarks() const = 0;
};

}  // namespace glsolve::inline v0_1
