#include "formats/tiled_matrix.hpp"

#include <fmt/format.h>

namespace glsolve::inline v0_1 {

TiledMatrix::TiledMatrix(Backend& backend, const Layout& rows, const TileGrid& grid, int count, bool differences,
                         ProductPasses passes, std::span<const float> values, Extent integer_extent,
                         std::span<const std::int32_t> integers, const std::string& definitions)
    : backend_(backend),
      passes_(passes),
      integers_{rows.log2_width, grid.log2_columns,  count, grid.tile.height, static_cast<std::int32_t>(rows.length),
                grid.count - 1,  differences ? 1 : 0},
      variant_(backend.variant(
          definitions.empty() ? "" : fmt::format("{}LOG2_COLUMNS {}\n", definitions, grid.log2_columns))),
      values_(backend, grid.extent(), Element::real, "matrix values"),
      structure_(backend, integer_extent, Element::integer, "matrix structure") {
    backend.upload(values_.id(), values);
    backend.upload(structure_.id(), integers);
}

PassCall TiledMatrix::call(PassId pass, const Vector& y, const Vector& x) const {
    return {.pass = pass,
            .output = {y.id()},
            .input = {x.id(), values_.id(), structure_.id()},
            .integer = integers_,
            .variant = variant_};
}

void TiledMatrix::multiply(Vector& y, const Vector& x) { backend_.encode(call(passes_.multiply, y, x)); }

void TiledMatrix::multiply_dot(Vector& y, const Vector& x, PartialSums& sum) {
    PassCall c = call(passes_.multiply_dot, y, x);
    c.output[1] = sum.id();
    backend_.encode(c);
}

void TiledMatrix::residual(Vector& r, const Vector& b, const Vector& x) {
    PassCall c = call(passes_.residual, r, x);
    c.input[3] = b.id();
    backend_.encode(c);
}

}  // namespace glsolve::inline v0_1
