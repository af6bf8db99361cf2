/// What all formats end in: textures of values and of structure, the passes over them, and their arguments.
#pragma once

#include <optional>
#include <string>

#include "device/product_matrix.hpp"
#include "formats/format_table.hpp"
#include "formats/rest.hpp"
#include "formats/stored_values.hpp"

namespace glsolve::inline v0_1 {

/// How a format finds the terms of a row: its passes, and what they are told.
struct StoredFormat {
    ProductPasses passes;
    std::vector<std::int32_t> integers;  ///< in the order of the head of its kernel
    std::string definitions = {};        ///< specialise the shaders
    /// Numbers of the matrix that shaders look up, so that matrices of one structure share their programs.
    std::vector<float> table = {};
    std::string source = {};  ///< text of the caller's, for passes that take some
    /// The first of the two integers that say where a rest is; the textures that do so are the last ones. None: the
    /// kernel has no REST.
    std::optional<std::size_t> rest_integers = {};
    bool gathers = false;  ///< reads x one by one, and not in lines
    int team = 1;          ///< invocations for the four rows at a texel (PassCall::team)
};

class StoredMatrix final : public ProductMatrix {
  public:
    StoredMatrix(Backend& backend, StoredFormat format) : ProductMatrix(backend), format_(std::move(format)) {
        make_variants();
    }

    /// The values (StoredValues).
    void add(const FormatInput& in, Extent extent, std::span<const double> values);
    /// The next texture of structure.
    void add(Extent extent, std::span<const std::int32_t> structure);
    /// The same, filled by passes: values that single precision holds, and the next texture of structure.
    void take_values(Storage values) { values_ = StoredValues(std::move(values)); }
    void take_structure(Storage structure) {
        structure_ids_.push_back(structure.id());
        structure_.push_back(std::move(structure));
    }
    /// Entries that are stored elsewhere; of formats whose kernels have REST.
    void take_rest(std::unique_ptr<Rest> rest);
    /// Other numbers, as many as before.
    void set_table(std::vector<float> table) { format_.table = std::move(table); }

    std::int64_t bytes() const override;
    using ProductMatrix::multiply_dot, ProductMatrix::relax;
    void multiply_dot(MultiVector& y, const MultiVector& x, PartialSums& sum) override;
    void relax_twice(Vector& x, const Vector& b, const Vector* d, float first, float second) override;
    // The same for four right-hand sides, where there are passes for that; not guarded.
    void relax(MultiVector& x, const MultiVector& b, const Vector& d, float weight);
    void relax_twice(MultiVector& x, const MultiVector& b, const Vector& d, float first, float second);
    bool has_asynchronous_steps() const override;
    void chebyshev_steps(Vector& x, Vector& p, const Vector& b, const Vector* d, std::span<const Step> steps,
                         StorageId status) override;

  private:
    void make_variants();
    /// With what the rest makes of x, where there is one.
    template <class Multiply>
    ProductOperands operands_with(const Multiply& multiply);
    ProductOperands operands(const Vector& x) override;
    ProductOperands operands(const MultiVector& x);
    ProductOperands operands_two_float(const Vector& x) override;
    ProductOperands operands_two_float(const TwoFloatVector& x) override;
    Variants variants() const override { return variants_; }

    StoredFormat format_;
    Variants variants_;
    VariantId steps_, steps_with_d_;
    StoredValues values_;
    std::unique_ptr<Rest> rest_;
    std::vector<Storage> structure_;
    std::vector<StorageId> structure_ids_;
};

/// The integers of formats whose texture is a grid of tiles, each as large as a vector; the last tile holds the
/// diagonal part, unless that has none. `count`: how many slots or diagonals the passes go through.
std::vector<std::int32_t> tile_integers(const Layout& rows, const TileLayout& grid, int count, bool differences);

}  // namespace glsolve::inline v0_1
