/// A matrix whose products are a format and an ending: the endings, once for all formats.
#pragma once

#include "device/assembled_matrix.hpp"
#include "device/pass_call.hpp"

namespace glsolve::inline v0_1 {

class ProductMatrix : public AssembledMatrix {
  public:
    void multiply(Vector& y, const Vector& x) final;
    void multiply_dot(Vector& y, const Vector& x, PartialSums& sum) final;
    void multiply_dots(Vector& y, const Vector& x, const Vector& r, const Vector* d, PartialSums& sums) final;
    void residual(Vector& r, const Vector& b, const Vector& x) final;
    void relax(Vector& x, const Vector& b, const Vector* d, float weight, StorageId status) final;
    void chebyshev(Vector& x, Vector& p, const Vector& b, const Vector* d, Step step, StorageId status,
                   PartialSums* sums) final;
    void multiply_two_float(Vector& y, Vector& y_low, const Vector& x, PartialSums& sum) final;
    void residual_two_float(Vector& r, Vector& r_low, const TwoFloatVector& b, const TwoFloatVector& x,
                            PartialSums& sum) final;
    using AssembledMatrix::multiply_dot;

  protected:
    /// What is added to the shader of a product: nothing, where there is a d, and in two floats.
    struct Variants {
        VariantId plain = {}, with_d = {}, two_float = {};
    };

    explicit ProductMatrix(Backend& backend) : backend_(backend) {}

    // Where the terms of A x are: some formats make them first. What is returned lives until the next product.
    virtual ProductOperands operands(const Vector& x) = 0;
    virtual ProductOperands operands_two_float(const Vector& x) = 0;
    virtual ProductOperands operands_two_float(const TwoFloatVector& x) = 0;
    virtual Variants variants() const = 0;

    Backend& backend() const { return backend_; }
    VariantId variant(const Vector* d) const { return d != nullptr ? variants().with_d : variants().plain; }

  private:
    Backend& backend_;
};

}  // namespace glsolve::inline v0_1
