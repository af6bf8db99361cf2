/// What the formats ELL and DIA share: `count` tiles, each as large as a vector, whose texel t belongs to rows
/// 4t ... 4t + 3; one texture of values, one of integers, and three passes. The last tile holds the diagonal part.
#pragma once

#include <functional>
#include <string>

#include "core/operator.hpp"

namespace glsolve::inline v0_1 {

/// The passes of a format.
struct ProductPasses {
    PassId multiply, multiply_dot, residual;
};

class TiledMatrix final : public Operator {
  public:
    /// `values` has four floats for each texel of `grid`; `integers` four for each of `integer_extent`. `count`: how
    /// many slots or diagonals the passes go through. `definitions` specialise the shaders.
    TiledMatrix(Backend& backend, const Layout& rows, const TileGrid& grid, int count, bool differences,
                ProductPasses passes, std::span<const float> values, Extent integer_extent,
                std::span<const std::int32_t> integers, const std::string& definitions);

    void multiply(Vector& y, const Vector& x) override;
    void multiply_dot(Vector& y, const Vector& x, PartialSums& sum) override;
    void residual(Vector& r, const Vector& b, const Vector& x) override;

  private:
    PassCall call(PassId pass, const Vector& y, const Vector& x) const;

    Backend& backend_;
    ProductPasses passes_;
    std::array<std::int32_t, max_integers> integers_;
    VariantId variant_;
    Storage values_, structure_;
};

}  // namespace glsolve::inline v0_1
