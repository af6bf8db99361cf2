/// Which blocks of 2 x 2 to 4 x 4 numbers the nonzeros of a matrix lie in (shaders/pass/bcsr.glsl).
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "formats/format_table.hpp"

namespace glsolve::inline v0_1 {

inline constexpr std::array block_sizes{2, 3, 4};

/// A texel of four rows belongs to so many rows of blocks.
constexpr int block_rows_of_texel(int block) { return block == 4 ? 1 : 2; }

/// The blocks of the one or two rows of blocks that four rows belong to, beside those that hold nothing but the
/// diagonal.
class BlockPlanner {
  public:
    BlockPlanner(const CsrMatrix& A, int block) : A_(A), block_(block) {}

    /// The first columns of the blocks of each row of blocks, ascending. Valid until the next call.
    const std::array<std::vector<Index>, 2>& plan(std::int64_t texel);
    /// As many as the one has that has more.
    std::int64_t slots(std::int64_t texel);

  private:
    const CsrMatrix& A_;
    int block_;
    std::array<std::vector<Index>, 2> columns_;
};

/// What is expected of a block size, by a sample of texels.
struct BlockEstimate {
    int block = 0;
    double slots = 0;       ///< of a texel, in the mean
    double most_slots = 0;  ///< of the busiest one
    double full = 0;        ///< share of the values that are nonzeros of the matrix

    /// Texels that one product reads for four rows.
    double fetches() const;
};

/// For the block size whose product reads least, or for `wanted`, if that is not 0.
BlockEstimate estimate_blocks(const CsrMatrix& A, int wanted);

}  // namespace glsolve::inline v0_1
