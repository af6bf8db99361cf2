/// What improves a solution a little, and cheaply: a step of a preconditioner, of a multigrid cycle, or of an iteration
/// of its own.
#pragma once

#include <string>

#include "device/vectors.hpp"

namespace glsolve::inline v0_1 {

class Smoother {
  public:
    virtual ~Smoother() = default;

    /// x <- after so many steps towards A x = b. Guarded by `status`.
    virtual void smooth(Vector& x, const Vector& b, int steps, StorageId status = {}) = 0;
    /// The same from x = 0, whatever x holds: the first step needs no product. At least one step.
    virtual void smooth_from_zero(Vector& x, const Vector& b, int steps) = 0;

    /// The same where x holds what the first of them makes already.
    virtual void smooth_from_first(Vector& x, const Vector& b, int steps) { smooth_from_zero(x, b, steps); }

    /// The adjoint of `smooth` with respect to (x, A x): what smooths after a correction from a coarser level, so that
    /// the whole is symmetric.
    virtual void smooth_adjoint(Vector& x, const Vector& b, int steps) = 0;

    /// Is what steps from zero make of b symmetric where A is? Conjugate gradients need that of a preconditioner.
    virtual bool symmetric() const = 0;
    /// How it was set up, in words.
    virtual std::string remarks() const = 0;
};

}  // namespace glsolve::inline v0_1
