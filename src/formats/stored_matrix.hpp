/// What all formats end in: textures of values and of structure, three passes over them, and their arguments.
#pragma once

#include <string>

#include "core/operator.hpp"

namespace glsolve::inline v0_1 {

/// The passes of a format. Inputs: x, the values, the textures of structure, and b where there is one.
struct ProductPasses {
    PassId multiply, multiply_dot, residual;
};

class StoredMatrix final : public Operator {
  public:
    /// `integers` in the order of the passes' rows. `definitions` specialise the shaders.
    StoredMatrix(Backend& backend, ProductPasses passes, const std::array<std::int32_t, max_integers>& integers,
                 const std::string& definitions)
        : backend_(backend), passes_(passes), integers_(integers), variant_(backend.variant(definitions)) {}

    /// The next input of the passes, with its texels.
    void add(Extent extent, std::span<const float> values);
    void add(Extent extent, std::span<const std::int32_t> structure);

    std::int64_t bytes() const override;
    void multiply(Vector& y, const Vector& x) override;
    void multiply_dot(Vector& y, const Vector& x, PartialSums& sum) override;
    void residual(Vector& r, const Vector& b, const Vector& x) override;

  private:
    PassCall call(PassId pass, const Vector& y, const Vector& x) const;

    Backend& backend_;
    ProductPasses passes_;
    std::array<std::int32_t, max_integers> integers_;
    VariantId variant_;
    std::vector<Storage> storages_;
};

/// The integers of formats whose texture is a grid of tiles, each as large as a vector; the last tile holds the
/// diagonal part. `count`: how many slots or diagonals the passes go through.
std::array<std::int32_t, max_integers> tile_integers(const Layout& rows, const TileGrid& grid, int count,
                                                     bool differences);

}  // namespace glsolve::inline v0_1
