/// How a matrix is stored by diagonals: which of them need a texture, and the texts and tables that say so to a device.
#pragma once

#include <string>
#include <vector>

#include "formats/diagonals.hpp"

namespace glsolve::inline v0_1 {

inline constexpr int no_tile = -1;

struct DiaPlan {
    std::vector<Index> offsets;          ///< of all diagonals that hold nonzeros
    std::vector<MatrixDiagonal> beside;  ///< the main diagonal
    std::vector<int> tile;               ///< of each of them, or no_tile
    MainDiagonal main;                   ///< in the last tile, or nowhere
    int tiles = 0;

    /// Few enough diagonals for their offsets to be constants of the shader: then numbers may be, too.
    bool unrolled() const;
    /// Texels of x and of structure that one texel of a product reads.
    double fetches() const;
    /// Definitions for the shader; empty where it reads the structure.
    std::string definitions(int log2_width) const;
    /// The numbers of the diagonals beside the main one, then its own, in two floats each; 0 for those with a tile.
    std::vector<float> table() const;
    /// A texel for each diagonal beside the main one, its offset; read where there are no definitions.
    std::vector<std::int32_t> structure() const;
};

/// `offsets`: of all diagonals that hold nonzeros.
DiaPlan plan_dia(const FormatInput& in, std::vector<Index> offsets);

}  // namespace glsolve::inline v0_1
