/// The pass that adds up ranges of entries: s <- B x, where B has a row for each range (`csr_rest`,
/// shaders/pass/csr.glsl).
#pragma once

#include <array>
#include <optional>
#include <span>

#include "formats/entry_ranges.hpp"
#include "formats/stored_values.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {

class RestPass {
  public:
    /// `differences`: entries multiply x_j - x_i (src/formats/diagonal_part.hpp).
    RestPass(Backend& backend, const FormatInput& in, std::span<const EntryRange> ranges, bool differences);

    /// A vector, and where the numbers of one lie.
    struct Numbers {
        StorageId sums, low, sizes;  ///< low parts and sizes where there are any; else the sums
        int log2_width = 0;
    };
    /// s <- B x
    Numbers multiply(const Numbers& x);
    /// The same for four right-hand sides.
    Numbers multiply_field(const Numbers& x);
    /// s + s_low <- B x with the single precision of x;
    Numbers multiply_two_float(const Numbers& x);
    /// with x's low parts, and the sizes |B| |x|.
    Numbers multiply_with_sizes(const Numbers& x);
    /// The same where x has sizes of its own: B sizes.
    Numbers add_sizes(const Numbers& x);

    std::int64_t bytes() const;

  private:
    StorageId part(std::size_t k);
    pass::csr_rest call(StorageId sums, StorageId x, int log2_x);
    void encode(const pass::csr_rest& call);

    Backend& backend_;
    Layout layout_;
    std::array<std::int32_t, 4> widths_{};  // of values, columns, offsets, owners
    Index ranges_ = 0;
    std::int32_t differences_ = 0;
    int team_ = 1;
    StoredValues values_;
    Storage columns_, offsets_, owners_;
    VariantId plain_{}, two_float_{};
    std::array<Storage, 3> parts_;  // sums, their low parts, sizes; made when they are needed
    std::optional<MultiVector> fields_;
};

/// A texture of such numbers, filled.
Storage structure_of(Backend& backend, const Layout& layout, std::span<const std::int32_t> numbers);

}  // namespace glsolve::inline v0_1
