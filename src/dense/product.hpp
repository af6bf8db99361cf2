/// Products with dense matrices on a device, in two passes: parts of y, then their sum.
///
/// The columns are split over zones of c; a fragment or an invocation makes four rows of its share, and `sumVector`
/// adds the zones up. One zone is the plain loop over a row; n of them are the product that Xia and Wei published. In
/// between lies what fills a device without writing more parts than needed: `columns_a_part` is that parameter.
#pragma once

#include <map>
#include <string_view>

#include "core/assembled_matrix.hpp"
#include "dense/zones.hpp"

namespace glsolve::inline v0_1 {

/// How many columns a part should have, by measurement (docs/dense.md): as many parts as fill the device, since more
/// take longer to add up; and as many columns as a fragment's or an invocation's start is worth.
int columns_a_part(const DeviceInfo& device, Index n);

/// The products with a matrix that stays the caller's.
class DenseProduct {
  public:
    /// `columns`: how many make a part; 0: `columns_a_part` decides. Allocates on first use of each kind of product.
    explicit DenseProduct(const ZoneMatrix& A, int columns = 0);

    void multiply(Vector& y, const Vector& x);                        // y <- A x
    void multiply_dot(Vector& y, const Vector& x, PartialSums& sum);  // y <- A x, sum <- x * y
    void multiply_dots(Vector& y, const Vector& x, const Vector& r, const Vector* d, PartialSums& sums);
    void residual(Vector& r, const Vector& b, const Vector& x);  // r <- b - A x
    void relax(Vector& x, const Vector& b, const Vector* d, float weight, StorageId status);
    void chebyshev(Vector& x, Vector& p, const Vector& b, const Vector* d, AssembledMatrix::Step s, StorageId status,
                   PartialSums* sums);
    void multiply_transposed(Vector& y, const Vector& x);           // y <- A^T x
    void multiply_four(Field& y, const Field& x);                   // Y <- A X
    void multiply_dot(Field& y, const Field& x, PartialSums& sum);  // the same, sum <- X * Y
    void multiply_two_float(Vector& y, Vector& y_low, const Vector& x, PartialSums& sum);
    void residual_two_float(Vector& r, Vector& r_low, const TwoFloatVector& b, const TwoFloatVector& x,
                            PartialSums& sum);

    int parts() const { return parts_.count; }

  private:
    StorageId part(std::size_t i);
    void multiply_in_parts(const Vector& x);
    void multiply_in_parts(const Field& x);
    void multiply_four(Field& y, const Field& x, const PartialSums* sum);
    /// How many columns passes go through.
    std::int32_t count() const { return step_ > 0 ? A_.grid().count : A_.size(); }
    /// The product with the parts c, each as large as a column of A: y is their sum, with some ending.
    template <class EndingCall>
    PassCall from_parts(const EndingCall& ending, StorageId c, StorageId c_low, StorageId c_size) const;

    const ZoneMatrix& A_;
    Backend& backend_;
    int columns_;
    TileGrid parts_;
    int step_;                  // columns that are taken together; 0: one after the other
    std::array<Storage, 4> c_;  // the parts; low parts, sizes and further right-hand sides when first needed
    VariantId parts_have_low_, has_d_, in_single_, in_two_floats_;
};

/// A <- A + alpha x y^T. Matrices whose low parts are kept cannot be changed: throws Error.
void rank_one_update(ZoneMatrix& A, ScalarArg alpha, const Vector& x, const Vector& y);

}  // namespace glsolve::inline v0_1
