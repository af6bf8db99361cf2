/// What a method needs of a matrix on a device, whatever its format.
#pragma once

#include "core/vectors.hpp"

namespace glsolve::inline v0_1 {

class Operator {
  public:
    virtual ~Operator() = default;

    virtual std::int64_t bytes() const = 0;                                       // held on the device
    virtual void multiply(Vector& y, const Vector& x) = 0;                        // y <- A x
    virtual void multiply_dot(Vector& y, const Vector& x, PartialSums& sum) = 0;  // y <- A x, sum <- x * y
    virtual void residual(Vector& r, const Vector& b, const Vector& x) = 0;       // r <- b - A x
};

}  // namespace glsolve::inline v0_1
