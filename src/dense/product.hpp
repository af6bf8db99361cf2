/// Products with dense matrices on a device, in two passes: parts of y, then their sum.
///
/// The columns are split over zones of c; a fragment or an invocation makes four rows of its share, and `dense_reduce`
/// adds the zones up. One zone is the plain loop over a row; n of them are the product that Xia and Wei published. In
/// between lies what fills a device without writing more parts than needed: `columns_a_part` is that parameter.
#pragma once

#include <map>
#include <string_view>

#include "dense/zones.hpp"
#include "device/product_matrix.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {

/// How many columns a part should have, by measurement (docs/dense.md): as many parts as fill the device, since more
/// take longer to add up; and as many columns as a fragment's or an invocation's start is worth.
int columns_a_part(const Backend& backend, Index n);

/// The products with a matrix that stays the caller's.
class DenseProduct : public ProductMatrix {
  public:
    /// `columns`: how many make a part; 0: `columns_a_part` decides. Allocates on first use of each kind of product.
    explicit DenseProduct(const ZoneMatrix& A, int columns = 0);

    using ProductMatrix::multiply_dot;
    void multiply_dot(MultiVector& y, const MultiVector& x, PartialSums& sum) override;
    void multiply_four(MultiVector& y, const MultiVector& x);  // Y <- A X
    void multiply_transposed(Vector& y, const Vector& x);      // y <- A^T x

    std::int64_t bytes() const override { return A_.bytes(); }
    int parts() const { return parts_.count; }

  protected:
    // c <- the parts of A x; y is their sum.
    ProductOperands operands(const Vector& x) override;
    ProductOperands operands_two_float(const Vector& x) override;
    ProductOperands operands_two_float(const TwoFloatVector& x) override;
    Variants variants() const override { return {.with_d = has_d_, .two_float = parts_have_low_}; }

  private:
    StorageId part(std::size_t i);
    ProductOperands sum_of_parts(StorageId c_low, StorageId c_size);
    pass::dense_partial in_parts(const Vector& x);
    pass::dense_partial in_parts_two_float(const Vector& x);
    void multiply_in_parts(const MultiVector& x);
    void multiply_four(MultiVector& y, const MultiVector& x, const PartialSums* sum);
    /// How many columns passes go through.
    std::int32_t count() const { return step_ > 0 ? A_.grid().count : A_.size(); }
    /// What is read where a low part is asked for.
    StorageId low() const { return A_.low() ? A_.low() : A_.id(); }

    const ZoneMatrix& A_;
    int columns_;
    TileLayout parts_;
    int step_;                        // columns that are taken together; 0: one after the other
    std::array<Storage, 4> c_;        // the parts; low parts, sizes and further right-hand sides when first needed
    std::array<StorageId, 1> sizes_;  // of the product at hand
    std::array<std::int32_t, 6> integers_;  // of its sum
    VariantId parts_have_low_, has_d_, in_single_, in_two_floats_;
};

/// A <- A + alpha x y^T. Matrices whose low parts are kept cannot be changed: throws Error.
void rank_one_update(ZoneMatrix& A, ScalarArg alpha, const Vector& x, const Vector& y);

}  // namespace glsolve::inline v0_1
