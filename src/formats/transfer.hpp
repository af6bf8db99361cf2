/// Rectangular matrices on a device, between vectors of two lengths: prolongation and restriction.
///
/// Sliced ELL, as formats/sliced.hpp has it for square matrices: texels of four rows, in slices of some texels with as
/// many slots as their longest row needs. Cost: 8 bytes for each slot of a row, and x.
#pragma once

#include <span>

#include "core/vectors.hpp"

namespace glsolve::inline v0_1 {

class Transfer {
  public:
    /// P with its rows and columns multiplied by what `row_scale` and `column_scale` hold, in single precision. Throws
    /// InvalidInput where the device's textures cannot take it.
    Transfer(Backend& backend, const CsrMatrix& P, std::span<const double> row_scale,
             std::span<const double> column_scale);

    void multiply(Vector& y, const Vector& x);  // y <- P x
    void add(Vector& y, const Vector& x);       // y <- y + P x
    std::int64_t bytes() const;

  private:
    PassCall call(PassId pass, const Vector& y) const;

    Backend& backend_;
    Storage values_, columns_, slices_;
    std::array<std::int32_t, max_integers> integers_{};
    VariantId variant_;
};

}  // namespace glsolve::inline v0_1
