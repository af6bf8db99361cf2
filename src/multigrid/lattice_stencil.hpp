/// A matrix on a lattice as passes make it: a tile for each neighbour of the points, and one of row sums, which are
/// what the format DIA multiplies (formats/dia_plan.hpp).
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <span>

#include "amg/lattice.hpp"
#include "device/vectors.hpp"
#include "formats/stored_matrix.hpp"

namespace glsolve::inline v0_1 {

struct LatticeStencil {
    static constexpr int neighbours = static_cast<int>(
        neighbours_and_itself);  ///< of a point, itself among them: the step to each is x + 3 y + 9 z + 13
    static constexpr int itself = 13;
    static constexpr int no_tile = -1;

    Lattice points;
    std::array<int, neighbours> tile{};  ///< of each neighbour, in the order of the diagonals; no_tile where A has none
    int sums = 0;                        ///< the last tile
    TileLayout grid;
    Layout rows;

    /// With these neighbours. None where the lattice is too narrow, so that two of them would stand on one diagonal, or
    /// where tiles do not fit a texture.
    static std::optional<LatticeStencil> of(const Lattice& points, const std::array<bool, neighbours>& has,
                                            int max_size);
    /// With all neighbours that there are.
    static std::optional<LatticeStencil> full(const Lattice& points, int max_size);
    /// With those that diagonals of a matrix lead to, all of whose connections fit the lattice.
    static std::optional<LatticeStencil> of(const Lattice& points, std::span<const Index> diagonals, int max_size);

    Index distance(int neighbour) const { return points.number(step(neighbour)); }
    static std::array<Index, 3> step(int neighbour) {
        return {neighbour % 3 - 1, neighbour / 3 % 3 - 1, neighbour / 9 - 1};
    }
    /// As bits, which is how kernels know them (shaders/lattice.glsl).
    std::int32_t bits() const;
    Offset nonzeros() const;
};

/// Lines of a tile <- the numbers of x, whose lines are as wide: number k of the lines is number k - shift of x, or
/// zero where x has none.
void put_lines(Backend& backend, StorageId tiles, const TileLayout& grid, int tile, Lines lines, StorageId x,
               Index shift);

/// The tiles of A on the device; none where single precision does not hold its numbers. Lines of all tiles go there
/// together, as many as so many texels hold: to hand out memory for all would take longer than all else.
std::optional<Storage> upload_stencil(Backend& backend, CsrView A, const LatticeStencil& stencil,
                                      std::int64_t texels_at_once = 1 << 19);

/// The matrix whose tiles passes have made, for products.
std::unique_ptr<StoredMatrix> stencil_matrix(Backend& backend, const LatticeStencil& stencil, Storage tiles);

/// The matrix again, on the host; waits.
CsrMatrix download_stencil(Backend& backend, const LatticeStencil& stencil, StorageId tiles);

}  // namespace glsolve::inline v0_1
