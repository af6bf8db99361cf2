/// How the cells of a grid lie in vectors: row after row, plane after plane; a row is a whole number of texels long.
#pragma once

#include <array>
#include <glsolve/csr.hpp>

namespace glsolve::inline v0_1 {

struct GridCells {
    Index width = 1, height = 1, depth = 1;
    bool space = false;  ///< has a z axis, be it a single cell long
    Index quarter = 1;   ///< texels of a row: 4 * quarter - width cells behind each row are none
    Index rows = 1;      ///< of a plane: rows - height of them are none

    /// `gaps`: at least one cell behind each row and, in space, one row behind each plane, for operators that take the
    /// values there for zeros.
    static GridCells of(Index width, Index height, Index depth, bool space, bool gaps) {
        return {width, height, depth, space, (width + (gaps ? 1 : 0) + 3) / 4, height + (gaps && space ? 1 : 0)};
    }

    int dimensions() const { return space ? 3 : 2; }
    Index pitch() const { return 4 * quarter; }
    Index plane() const { return quarter * rows; }  ///< texels
    /// Of the vectors, cells that are none included.
    Offset size() const { return Offset{4} * quarter * rows * depth; }
    /// Where a cell is.
    std::size_t at(Index x, Index y, Index z) const {
        return static_cast<std::size_t>(pitch())
                   * (static_cast<std::size_t>(rows) * static_cast<std::size_t>(z) + static_cast<std::size_t>(y))
               + static_cast<std::size_t>(x);
    }
    /// So many copies, one behind the other along the last axis.
    GridCells copied(Index copies) const {
        GridCells all = *this;
        Index& last = space ? all.depth : all.height;
        last *= copies;
        if (!space) all.rows *= copies;
        return all;
    }
    /// The other way round.
    GridCells one_of(Index copies) const {
        GridCells one = *this;
        Index& last = space ? one.depth : one.height;
        last /= copies;
        if (!space) one.rows /= copies;
        return one;
    }
    /// How far the next cell along each axis is.
    std::array<Index, 3> strides() const { return {1, pitch(), 4 * plane()}; }
};

}  // namespace glsolve::inline v0_1
