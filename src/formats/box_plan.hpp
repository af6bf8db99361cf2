/// What a transfer in boxes (transfer_formats.hpp) stores: found on the host, texel by texel of the rows.
#pragma once

#include <optional>

#include "base/host_array.hpp"
#include "formats/transfer.hpp"

namespace glsolve::inline v0_1 {

/// The box of columns of the row in lane r = 0 ... 3 of a texel: `wide` x `high` x `deep` of them, `stride` r further
/// along the first axis than that of lane 0.
struct BoxShape {
    int stride = 0;
    int wide = 0, high = 0, deep = 0;

    int slots() const { return wide * high * deep; }
    /// Numbers of a line that a texel of rows uses, and texels of x that hold them wherever they begin.
    int reach() const { return 3 * stride + wide; }
    int texels() const { return (reach() + 6) / 4; }
    int fetches() const { return high * deep * (texels() + wide) + 1; }
};

/// The smallest boxes that hold what rows of P use; none where there are no lattices, or where slices fetch less.
std::optional<BoxShape> boxes_of(const TransferInput& in);

/// Do records fit a texture, even where each texel of so many rows has its own?
bool fits(const BoxShape& shape, Index rows, int max_texture_size);

/// Records of `slots` texels each, one for all texels of rows whose numbers are alike. Slot s of record k is texel
/// (k / 4 * slots + s) * 4 + k % 4: four neighbours read what lies together.
struct BoxRecords {
    Offset count = 0;
    Layout value_layout;
    HostArray<float> values;
    HostArray<std::int32_t> places;  ///< of each texel of rows: the first number of x of the box that lane 0 has, or
                                     ///< would have, for the rows before `split`, for those behind; `split`; the record
    bool split = false;              ///< some texels hold the end of a line of rows and the beginning of the next
};

BoxRecords make_records(const TransferInput& in, const BoxShape& shape);

}  // namespace glsolve::inline v0_1
