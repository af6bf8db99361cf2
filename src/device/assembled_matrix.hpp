/// What a matrix has whose entries are stored, on top of what every operator has: the pass that ends its product can go
/// on, with inner products or with the step that the product is for. (A^T A, say, is never assembled: no single pass
/// ends two products.)
#pragma once

#include <span>

#include "device/operator.hpp"
#include "device/verbs.hpp"

namespace glsolve::inline v0_1 {

class AssembledMatrix : public Operator {
  public:
    /// Of a recurrence with two terms: x moves by alpha p, of whose past beta stays.
    struct Step {
        float alpha = 1, beta = 0;
    };

    using Operator::multiply_dot;
    /// Y <- A X,  sum <- X * Y  for four right-hand sides.
    virtual void multiply_dot(MultiVector& y, const MultiVector& x, PartialSums& sum) = 0;
    /// y <- A x, sums <- ((r,z), (x,y), (u,y), (z,y)) with z = d * r, u = d * y; `d` may be null: all ones
    virtual void multiply_dots(Vector& y, const Vector& x, const Vector& r, const Vector* d, PartialSums& sums) = 0;

    // Steps of iterations without inner products: the product and all that follows in the pass that ends it. `d` may be
    // null: all ones. Guarded by `status`.
    /// x <- x + weight d * (b - A x)
    virtual void relax(Vector& x, const Vector& b, const Vector* d, float weight, StorageId status) = 0;
    /// Two such steps from x = 0, the first of which need not be stored. Not guarded.
    virtual void relax_twice(Vector& x, const Vector& b, const Vector* d, float first, float second) {
        d != nullptr ? glsolve::hadamard(x, *d, b, scalar_arg(first)) : scale(x, scalar_arg(first), b);
        relax(x, b, d, second, {});
    }
    /// p <- d * r + beta p,  x <- x + alpha p  with r = b - A x;  sums <- ((r,r), (x,x), 0, 0) where they are asked for
    virtual void chebyshev(Vector& x, Vector& p, const Vector& b, const Vector* d, Step step, StorageId status,
                           PartialSums* sums) = 0;

    /// Are several such steps one pass, whose texels do not wait for all others in between (PassRow::asynchronous)?
    virtual bool has_asynchronous_steps() const { return false; }
    /// Several such steps, after a `chebyshev`: that pass, or one step after the other.
    virtual void chebyshev_steps(Vector& x, Vector& p, const Vector& b, const Vector* d, std::span<const Step> steps,
                                 StorageId status) {
        for (const Step& step : steps) chebyshev(x, p, b, d, step, status, nullptr);
    }
};

}  // namespace glsolve::inline v0_1
