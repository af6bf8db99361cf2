/// A method that goes on with what another one has begun.
#pragma once

#include <string>

#include "refinement/refinement.hpp"
#include "solvers/history.hpp"
#include "solvers/judgement.hpp"

namespace glsolve::inline v0_1 {

class Successor {
  public:
    virtual ~Successor() = default;

    /// Iterates and corrects, until the judgement is final, with the other's corrections, its judgement, its history.
    virtual void take_over(Refinement& refinement, Judgement& judgement, History& history) = 0;
    /// What else there is to say about the last solve.
    virtual std::string remarks() const = 0;
};

}  // namespace glsolve::inline v0_1
