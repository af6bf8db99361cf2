/// The numbers of a call as programs of OpenGL get them: one array of four words each, handed over in one call. Real
/// numbers are there as their bits.
#pragma once

#include <cstddef>

#include "device/pass_table.hpp"

namespace glsolve::inline v0_1 {

/// Where they begin in the array, counted in words. The first four are where the pass runs: the domain, and its origin.
struct ArgumentWords {
    std::size_t texels = 4;  ///< 1 / width and 1 / height of each input; none where nothing is sampled
    std::size_t integers = texels;
    std::size_t constants = integers;
    std::size_t factors = constants;  ///< of the scalars
    std::size_t layer = factors;      ///< of a texture of the caller's
    std::size_t end = layer;

    ArgumentWords() = default;
    /// `row`: of the program.
    ArgumentWords(const PassRow& row, bool is_sampled)
        : integers(texels + (is_sampled ? 2 * row.inputs.size() : 0)),
          constants(integers + row.integers.size()),
          factors(constants + row.constants.size()),
          layer(factors + row.scalars.size()),
          end(layer + 1) {}

    std::size_t fours() const { return (end + 3) / 4; }
    /// Enough for every row.
    static constexpr std::size_t most = 4 + 2 * max_inputs + max_integers + max_constants + max_scalars + 4;
};

}  // namespace glsolve::inline v0_1
