#include "grid/coarsest_grid.hpp"

#include "grid/grid_multigrid.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

// D^-1 A has its spectrum in [0, 2], from 0.01 on where 8 x 8 cells have a value on one of four sides. What is below,
// of grids that are nearly closed, is left to others.
constexpr double smallest_on_coarsest = 0.01, largest_on_coarsest = 2;
constexpr int degree = 40;  // what is in between becomes 1 to 0.7 %

}  // namespace

CoarsestGrid::CoarsestGrid(Backend& backend, const GridOperator& grid)
    : backend_(backend),
      grid_(grid),
      copies_(backend, grid.cells().copied(static_cast<Index>(grid.cells().size())), grid.weight(), false),
      units_(backend, copies_.cells().size(), "unit vectors"),
      columns_(backend, copies_.cells().size(), "columns of the coarsest grid"),
      polynomial_(system_of(backend, copies_), smallest_on_coarsest, largest_on_coarsest) {
    const auto count = static_cast<std::size_t>(grid.cells().size());
    std::vector<float> units(count * count, 0.0f);
    for (std::size_t j = 0; j < count; ++j) units[j * count + j] = 1;
    units_.upload(units);
}

void CoarsestGrid::update(const GridOperator& fine, const std::array<Index, 3>& joined) {
    copies_.coarsen(fine, joined, static_cast<Index>(grid_.cells().size()));
    fill(columns_, 0);
    polynomial_.smooth(columns_, units_, degree);  // by a program that other levels have, too
}

void CoarsestGrid::solve(Vector& x, const Vector& b) {
    const auto count = static_cast<std::int32_t>(grid_.cells().size());
    backend_.encode(pass::grid_columns{.y = x,
                                       .x = columns_,
                                       .b = b,
                                       .log2_width = x.layout().log2_width,
                                       .log2_x = columns_.layout().log2_width,
                                       .log2_b = b.layout().log2_width,
                                       .count = count / 4,
                                       .columns = count});
}

void CoarsestGrid::solve(MultiVector& x, const MultiVector& b) {
    const auto count = static_cast<std::int32_t>(grid_.cells().size());
    backend_.encode(pass::grid_columns_field{.y = x,
                                             .x = columns_,
                                             .b = b,
                                             .log2_field = x.layout().log2_width,
                                             .log2_x = columns_.layout().log2_width,
                                             .count = count / 4,
                                             .columns = count});
}

}  // namespace glsolve::inline v0_1
