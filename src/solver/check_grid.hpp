/// What a grid can be, and the numbers that follow from it.
#pragma once

#include <array>
#include <glsolve/grid.hpp>

namespace glsolve::inline v0_1 {

inline constexpr double faintest = 1e-25;  ///< of the strongest, what single precision has room for

/// Each throws InvalidInput that says what is wrong and what would be accepted.
void check_grid(const Grid& grid);
void check_grid_options(const Options& options);
void check_cells(const Grid& grid, std::span<const Cell> kinds, std::span<const float> coefficients);

inline std::int64_t cells_of(const Grid& grid) { return std::int64_t{grid.width} * grid.height * grid.depth; }
/// 1 / spacing^2 of the axes that there are, and the largest of them.
std::array<double, 3> weights(const Grid& grid);
double strongest(const Grid& grid);

}  // namespace glsolve::inline v0_1
