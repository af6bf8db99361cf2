/// What every method needs of A on a device, whatever its format: products. Sums are left in parts, to be added up.
#pragma once

#include "device/vectors.hpp"

namespace glsolve::inline v0_1 {

class Operator {
  public:
    virtual ~Operator() = default;

    virtual std::int64_t bytes() const = 0;                                       // held on the device
    virtual void multiply(Vector& y, const Vector& x) = 0;                        // y <- A x
    virtual void multiply_dot(Vector& y, const Vector& x, PartialSums& sum) = 0;  // y <- A x, sum <- x * y
    virtual void residual(Vector& r, const Vector& b, const Vector& x) = 0;       // r <- b - A x

    // In two floats, the matrix's numbers included.
    /// y + y_low <- A x, sum <- x * y
    virtual void multiply_two_float(Vector& y, Vector& y_low, const Vector& x, PartialSums& sum) = 0;
    /// r + r_low <- b - A x, sum <- ((r,r), | |A| |x| + |b| |^2, 0, 0)
    virtual void residual_two_float(Vector& r, Vector& r_low, const TwoFloatVector& b, const TwoFloatVector& x,
                                    PartialSums& sum) = 0;
};

}  // namespace glsolve::inline v0_1
