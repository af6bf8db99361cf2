/// Entries that a format leaves to a pass of their own: what that adds up joins the rows in the pass that ends the
/// product. So rows that are much longer than most are divided among many invocations; and ELL leaves what has no slot.
#pragma once

#include <array>
#include <optional>
#include <span>

#include "formats/entry_ranges.hpp"
#include "formats/stored_values.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {

class Rest {
  public:
    /// Ranges in the order of their rows, of which a row may have several. `differences`: entries multiply x_j - x_i
    /// (src/formats/diagonal_part.hpp).
    Rest(Backend& backend, const FormatInput& in, std::span<const EntryRange> ranges, bool differences);

    /// What a kernel with REST is told: its textures `rests rest rest_low rest_size`, and `log2_rests log2_rest`.
    struct Operands {
        std::array<StorageId, 4> structure;
        std::array<std::int32_t, 2> integers;
    };
    // rest <- B x, a number for each range, where B has a row for each; in two floats; and |B| |x| where x has low
    // parts.
    Operands multiply(const Vector& x);
    Operands multiply(const MultiVector& x);
    Operands multiply_two_float(const Vector& x);
    Operands multiply_two_float(const TwoFloatVector& x);
    /// Of the same shape, to be told kernels that have no rest, which read none of it. `integers`, `reals`: any
    /// storages.
    static Operands none(StorageId integers, StorageId reals) { return {{integers, reals, reals, reals}, {0, 0}}; }

    std::int64_t bytes() const;

  private:
    StorageId part(std::size_t k);
    pass::csr_rest call(StorageId rest, StorageId x, int log2_x);
    void encode(const pass::csr_rest& call);
    Operands operands(StorageId low, StorageId size) const;

    Backend& backend_;
    Layout layout_, rests_layout_;
    std::array<std::int32_t, 4> widths_{};  // of values, columns, offsets, owners
    Index ranges_ = 0;
    std::int32_t differences_ = 0;
    int team_ = 1;
    StoredValues values_;
    Storage columns_, offsets_, owners_, rests_;
    VariantId two_float_{};
    std::array<Storage, 3> parts_;  // sums, their low parts, sizes; made when they are needed
    std::optional<MultiVector> fields_;
};

}  // namespace glsolve::inline v0_1
