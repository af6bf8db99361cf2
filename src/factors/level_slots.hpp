/// A triangular factor as one work group solves with it: rows in the order of their levels, four to a texel.
#pragma once

#include <cstdint>
#include <glsolve/csr.hpp>
#include <vector>

#include "factors/levels.hpp"

namespace glsolve::inline v0_1 {

/// Rows stand level after level, within a level the longest first, and each level begins with a texel of its own. The
/// nonzeros of the four rows at a texel stand in slots of four numbers and four columns, as many as the longest of
/// these rows needs; what is not needed holds a zero, and a place that is read anyway.
struct LevelSlots {
    std::vector<Index> row_at;            ///< the row at each place, -1: none; four places to a texel
    std::vector<Index> place_of;          ///< the place of each row
    std::vector<std::int32_t> levels{0};  ///< first texel of each level; then how many texels there are
    std::vector<std::int32_t> slots{0};   ///< first slot of each texel; then how many slots there are
    std::vector<double> values;           ///< four to a slot
    std::vector<std::int32_t> columns;    ///< the same: places

    std::int32_t texels() const { return levels.back(); }
    std::int32_t count() const { return static_cast<std::int32_t>(levels.size()) - 1; }
};

/// Of a square matrix that is strictly lower or upper triangular. Throws InvalidInput for entries on the other side.
LevelSlots level_slots(CsrView T, Triangle triangle);

}  // namespace glsolve::inline v0_1
