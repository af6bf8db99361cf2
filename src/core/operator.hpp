/// What a method needs of a matrix on a device, whatever its format. Sums are left in parts, to be added up.
#pragma once

#include <span>

#include "core/vectors.hpp"

namespace glsolve::inline v0_1 {

class Operator {
  public:
    /// Of a recurrence with two terms: x moves by alpha p, of whose past beta stays.
    struct Step {
        float alpha = 1, beta = 0;
    };

    virtual ~Operator() = default;

    virtual std::int64_t bytes() const = 0;                                       // held on the device
    virtual void multiply(Vector& y, const Vector& x) = 0;                        // y <- A x
    virtual void multiply_dot(Vector& y, const Vector& x, PartialSums& sum) = 0;  // y <- A x, sum <- x * y
    /// y <- A x, sums <- ((r,z), (x,y), (u,y), (z,y)) with z = d * r, u = d * y; `d` may be null: all ones
    virtual void multiply_dots(Vector& y, const Vector& x, const Vector& r, const Vector* d, PartialSums& sums) = 0;
    /// Y <- A X,  sum <- X * Y  for four right-hand sides.
    virtual void multiply_dot(Field& y, const Field& x, PartialSums& sum) = 0;
    virtual void residual(Vector& r, const Vector& b, const Vector& x) = 0;  // r <- b - A x

    // Steps of iterations without inner products: the product and all that follows in the pass that ends it. `d` may be
    // null: all ones. Guarded by `status`.
    /// x <- x + weight d * (b - A x)
    virtual void relax(Vector& x, const Vector& b, const Vector* d, float weight, StorageId status) = 0;
    /// p <- d * r + beta p,  x <- x + alpha p  with r = b - A x;  sums <- ((r,r), (x,x), 0, 0) where they are asked for
    virtual void chebyshev(Vector& x, Vector& p, const Vector& b, const Vector* d, Step step, StorageId status,
                           PartialSums* sums) = 0;

    /// Are several such steps a pass that waits for nothing in between?
    virtual bool has_chaotic_steps() const = 0;
    /// That pass (PassRow::chaotic), after a `chebyshev`; or, where there is none, one step after the other.
    virtual void chebyshev_chaotic(Vector& x, Vector& p, const Vector& b, const Vector* d, std::span<const Step> steps,
                                   StorageId status) = 0;

    // In two floats, the matrix's numbers included.
    /// y + y_low <- A x, sum <- x * y
    virtual void multiply_two_float(Vector& y, Vector& y_low, const Vector& x, PartialSums& sum) = 0;
    /// r + r_low <- b - A x, sum <- ((r,r), | |A| |x| + |b| |^2, 0, 0)
    virtual void residual_two_float(Vector& r, Vector& r_low, const TwoFloatVector& b, const TwoFloatVector& x,
                                    PartialSums& sum) = 0;
};

}  // namespace glsolve::inline v0_1
