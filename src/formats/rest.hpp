/// Entries that have passes of their own. These passes sum them, and the last pass of the product adds the sums to the
/// rows. Very long rows are divided among many invocations this way, and ELL uses it for entries that have no slot.
#pragma once

#include <array>
#include <list>

#include "formats/rest_pass.hpp"

namespace glsolve::inline v0_1 {

class Rest {
  public:
    /// Ranges in the order of their rows, of which a row may have several. Where one has very many, a further pass adds
    /// up neighbours, and another one, until each row has few. `differences`: entries multiply x_j - x_i
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
    /// Of the same shape, for kernels that have no rest, which read none of it. `integers`, `reals`: any storages.
    static Operands none(StorageId integers, StorageId reals) { return {{integers, reals, reals, reals}, {0, 0}}; }

    std::int64_t bytes() const;

  private:
    Operands operands(const RestPass::Numbers& numbers) const;

    Backend& backend_;
    RestPass first_;
    std::list<RestPass> further_;  // sums of neighbours
    Layout rests_layout_;
    Storage rests_;
};

}  // namespace glsolve::inline v0_1
