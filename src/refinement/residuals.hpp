/// Where a run on the device begins, and where it is taken in.
#pragma once

#include "device/vectors.hpp"

namespace glsolve::inline v0_1 {

class Residuals {
  public:
    virtual ~Residuals() = default;

    /// r <- s S (b - A x), for the next run on the device. `r_low` may be null.
    virtual void restart(Vector& r, Vector* r_low, double s) = 0;
    /// x <- x + S y / s,  r <- b - A x.  Returns how far the recurrence's `r` had drifted from it, as far as that is
    /// known. `y_low` may be null.
    virtual double correct(const Vector& y, const Vector* y_low, const Vector& r, double s) = 0;
};

}  // namespace glsolve::inline v0_1
