/// Which blocks of a few rows and columns the nonzeros of a matrix lie in (shaders/pass/bcsr.glsl).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/format_table.hpp"

namespace glsolve::inline v0_1 {

/// Square blocks as several unknowns of a point make them; and four rows that share columns, as those of a texel may.
inline constexpr std::array<BlockShape, 5> block_shapes{{{2, 2}, {3, 3}, {4, 4}, {4, 2}, {4, 1}}};

/// A texel of four rows belongs to so many rows of blocks.
constexpr int block_rows_of_texel(BlockShape block) { return block.rows == 4 ? 1 : 2; }

/// The blocks of the one or two rows of blocks that four rows belong to, beside those that hold nothing but the
/// diagonal.
class BlockPlanner {
  public:
    BlockPlanner(CsrView A, BlockShape block) : A_(A), block_(block) {}

    /// The first columns of the blocks of each row of blocks, ascending. Valid until the next call.
    const std::array<std::vector<Index>, 2>& plan(std::int64_t texel);
    /// As many as the one has that has more.
    std::int64_t slots(std::int64_t texel);

  private:
    CsrView A_;
    BlockShape block_;
    std::array<std::vector<Index>, 2> columns_;
};

/// What is expected of a shape, by a sample of texels.
struct BlockEstimate {
    BlockShape block;
    double slots = 0;       ///< of a texel, in the mean
    double most_slots = 0;  ///< of the busiest one
    double full = 0;        ///< share of the values that are nonzeros of the matrix

    /// Texels that one product reads for four rows.
    double fetches() const;
};

BlockEstimate estimate_blocks(CsrView A, BlockShape block);

}  // namespace glsolve::inline v0_1
