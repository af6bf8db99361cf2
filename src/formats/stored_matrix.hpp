/// What all formats end in: textures of values and of structure, the passes over them, and their arguments.
#pragma once

#include <optional>
#include <string>

#include "core/assembled_matrix.hpp"
#include "formats/format_table.hpp"

namespace glsolve::inline v0_1 {

/// The passes of a format. Inputs: x, the values, the textures of structure, and b where there is one; in two floats
/// each but the structure is followed by its low part.
struct ProductPasses {
    PassId multiply, multiply_dot, residual, multiply_two_float, residual_two_float, relax, relax_twice, chebyshev,
        chebyshev_norms, multiply_dots, field, chebyshev_chaotic;
    PassId relax_field = PassId::count, relax_twice_field = PassId::count;  // of grids
};

/// Those of the family whose first pass is `multiply`: in every family they stand in this order.
constexpr ProductPasses product_passes(PassId multiply) {
    const auto pass = [&](int k) { return static_cast<PassId>(static_cast<int>(multiply) + k); };
    return {pass(0), pass(1), pass(2), pass(3), pass(4),  pass(5),
            pass(6), pass(7), pass(8), pass(9), pass(10), pass(11)};
}

class StoredMatrix final : public AssembledMatrix {
  public:
    /// `integers` in the order of the passes' rows, but for the width of a Field, which comes last. `definitions`
    /// specialise the shaders, and `source` is text of the caller's for passes that take some; what belongs to the
    /// matrix's numbers goes into the `table`, so that matrices of one structure share their programs.
    StoredMatrix(Backend& backend, const ProductPasses& passes, const std::array<std::int32_t, max_integers>& integers,
                 std::string definitions, std::vector<float> table = {}, std::string source = {})
        : backend_(backend),
          passes_(passes),
          integers_(integers),
          definitions_(std::move(definitions)),
          table_(std::move(table)),
          source_(std::move(source)) {
        make_variants();
    }

    /// The values, rounded to single precision, with low parts: and what rounding has lost, where that is anything; or
    /// rounded to half precision.
    void add(const FormatInput& in, Extent extent, std::span<const double> values);
    /// The next texture of structure.
    void add(Extent extent, std::span<const std::int32_t> structure);
    /// The same, filled by passes: values that single precision holds, and the next texture of structure.
    void take_values(Storage values) { values_ = std::move(values); }
    void take_structure(Storage structure) { structure_.push_back(std::move(structure)); }
    /// Other numbers, as many as before.
    void set_table(std::vector<float> table) { table_ = std::move(table); }

    std::int64_t bytes() const override;
    void multiply(Vector& y, const Vector& x) override;
    void multiply_dot(Vector& y, const Vector& x, PartialSums& sum) override;
    void multiply_dots(Vector& y, const Vector& x, const Vector& r, const Vector* d, PartialSums& sums) override;
    void multiply_dot(Field& y, const Field& x, PartialSums& sum) override;
    void residual(Vector& r, const Vector& b, const Vector& x) override;
    void relax(Vector& x, const Vector& b, const Vector* d, float weight, StorageId status) override;
    void relax_twice(Vector& x, const Vector& b, const Vector* d, float first, float second) override;
    // The same for four right-hand sides, where there are passes for that; not guarded.
    void relax(Field& x, const Field& b, const Vector& d, float weight);
    void relax_twice(Field& x, const Field& b, const Vector& d, float first, float second);
    void chebyshev(Vector& x, Vector& p, const Vector& b, const Vector* d, Step step, StorageId status,
                   PartialSums* sums) override;
    bool has_chaotic_steps() const override { return true; }
    void chebyshev_chaotic(Vector& x, Vector& p, const Vector& b, const Vector* d, std::span<const Step> steps,
                           StorageId status) override;
    void multiply_two_float(Vector& y, Vector& y_low, const Vector& x, PartialSums& sum) override;
    void residual_two_float(Vector& r, Vector& r_low, const TwoFloatVector& b, const TwoFloatVector& x,
                            PartialSums& sum) override;

  private:
    void make_variants();
    PassCall call(PassId pass, std::initializer_list<StorageId> outputs, std::initializer_list<StorageId> x,
                  std::initializer_list<StorageId> rest = {}) const;
    PassCall field_call(PassId pass, std::initializer_list<StorageId> outputs, const Field& x,
                        std::initializer_list<StorageId> rest = {}) const;
    PassCall step(PassId pass, std::initializer_list<StorageId> outputs, const Vector& x,
                  std::initializer_list<StorageId> rest, const Vector* d, StorageId status) const;

    Backend& backend_;
    ProductPasses passes_;
    std::array<std::int32_t, max_integers> integers_;
    std::string definitions_;
    std::vector<float> table_;
    std::string source_;  // of the caller's
    VariantId variant_, with_d_, chaotic_, chaotic_with_d_, two_float_variant_;
    Storage values_;
    std::optional<Storage> low_values_;  // none: single precision holds all values
    std::vector<Storage> structure_;
};

/// The integers of formats whose texture is a grid of tiles, each as large as a vector; the last tile holds the
/// diagonal part, unless that has none. `count`: how many slots or diagonals the passes go through.
std::array<std::int32_t, max_integers> tile_integers(const Layout& rows, const TileGrid& grid, int count,
                                                     bool differences);

}  // namespace glsolve::inline v0_1
