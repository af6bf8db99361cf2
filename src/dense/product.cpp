#include "dense/product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>

namespace glsolve::inline v0_1 {

namespace {

/// Columns that stand side by side in the grid and go into a part together: a power of two from 4 to 16, or 0. Software
/// renderers do best with four.
int columns_a_step(const DeviceInfo& device, int columns, const TileLayout& grid) {
    for (const int step : {16, 8, 4}) {
        if (device.software && step > 4) continue;
        if (columns % step == 0 && step <= 1 << grid.log2_columns) return step;
    }
    return 0;
}

}  // namespace

int columns_a_part(const Backend& backend, Index n) {
    const auto sixteens = [](int columns) { return (columns + 15) / 16 * 16; };
    if (backend.info().software) return n > 6000 ? 32 : sixteens(std::clamp(n / 32, 16, 128));
    if (!backend.can().groups) return sixteens(std::max((n + 63) / 64, 64));
    return n > 6000 ? 256 : sixteens(std::clamp(n / 32, 16, 64));
}

DenseProduct::DenseProduct(const ZoneMatrix& A, int columns)
    : ProductMatrix(A.backend()),
      A_(A),
      columns_(columns > 0 ? columns : columns_a_part(backend(), A.size())),
      parts_(zone_grid(A.size(), (std::max(A.size(), 1) + columns_ - 1) / columns_, backend().info().max_texture_size)),
      step_(columns_a_step(backend().info(), columns_, A.grid())),
      integers_{A.rows().log2_width, parts_.log2_columns, parts_.count, parts_.tile.height, A.size(), 0},
      parts_have_low_(backend().variant("A_LOW\n")),
      has_d_(backend().variant("HAS_D\n")) {
    const std::string how =
        step_ > 0 ? fmt::format("COLUMNS {}\nSTEP {}\nLOG2_WIDTH {}\nLOG2_COLUMNS {}\nLOG2_STRIP {}\n", columns_, step_,
                                A.rows().log2_width, A.grid().log2_columns, A.log2_strip())
                  : std::string();
    in_single_ = backend().variant(how);
    in_two_floats_ = A.low() ? backend().variant(fmt::format("A_LOW\n{}", how)) : in_single_;
}

StorageId DenseProduct::part(std::size_t i) {
    if (!c_[i].id()) c_[i] = Storage(backend(), parts_.extent(), Element::real, "parts of a product");
    return c_[i].id();
}

/// Zones of c, each of the share of some columns.
pass::dense_partial DenseProduct::in_parts(const Vector& x) {
    return {.c = part(0),
            .x = x,
            .a = A_.id(),
            .log2_width = A_.rows().log2_width,
            .log2_columns = A_.grid().log2_columns,
            .columns = columns_,
            .tile_height = A_.grid().tile.height,
            .count = count(),
            .log2_zones = parts_.log2_columns,
            .log2_strip = A_.log2_strip(),
            .differences = 0,
            .variant = in_single_};
}

pass::dense_partial DenseProduct::in_parts_two_float(const Vector& x) {
    pass::dense_partial call = in_parts(x);
    call.c_low = part(1);
    call.a_low = low();
    call.variant = in_two_floats_;
    return call;
}

/// Sizes, and low parts, are read in two floats alone.
ProductOperands DenseProduct::sum_of_parts(StorageId c_low, StorageId c_size) {
    sizes_ = {c_size};
    return {.passes = product_of::dense_reduce,
            .a = part(0),
            .a_low = c_low,
            .structure = sizes_,
            .integers = integers_,
            .table = {}};
}

ProductOperands DenseProduct::operands(const Vector& x) {
    backend().encode(in_parts(x));
    return sum_of_parts(part(0), part(0));
}

ProductOperands DenseProduct::operands_two_float(const Vector& x) {
    backend().encode(in_parts_two_float(x));
    return sum_of_parts(part(1), part(0));
}

ProductOperands DenseProduct::operands_two_float(const TwoFloatVector& x) {
    pass::dense_partial call = in_parts_two_float(x.hi);
    call.c_size = part(2);
    call.x_low = x.lo;
    backend().encode(call);
    return sum_of_parts(part(1), part(2));
}

void DenseProduct::multiply_transposed(Vector& y, const Vector& x) {
    const int texels = (A_.grid().count / 4 + parts_.count - 1) / parts_.count;
    backend().encode(pass::dense_transposed{.c = part(0),
                                            .x = x,
                                            .a = A_.id(),
                                            .log2_width = A_.rows().log2_width,
                                            .log2_columns = A_.grid().log2_columns,
                                            .texels = texels,
                                            .tile_height = A_.grid().tile.height,
                                            .count = A_.grid().count,
                                            .log2_zones = parts_.log2_columns,
                                            .log2_strip = A_.log2_strip()});
    backend().encode(pass::ending::multiply{.y = y, .x = x}.of(sum_of_parts(part(0), part(0))));
}

void DenseProduct::multiply_in_parts(const MultiVector& x) {
    backend().encode(pass::dense_four{.c0 = part(0),
                                      .c1 = part(1),
                                      .c2 = part(2),
                                      .c3 = part(3),
                                      .x = x,
                                      .a = A_.id(),
                                      .log2_width = A_.rows().log2_width,
                                      .log2_columns = A_.grid().log2_columns,
                                      .columns = columns_,
                                      .tile_height = A_.grid().tile.height,
                                      .count = A_.size(),
                                      .log2_zones = parts_.log2_columns,
                                      .log2_strip = A_.log2_strip(),
                                      .log2_field = x.layout().log2_width});
}

void DenseProduct::multiply_four(MultiVector& y, const MultiVector& x) { multiply_four(y, x, nullptr); }
void DenseProduct::multiply_dot(MultiVector& y, const MultiVector& x, PartialSums& sum) { multiply_four(y, x, &sum); }

void DenseProduct::multiply_four(MultiVector& y, const MultiVector& x, const PartialSums* sum) {
    multiply_in_parts(x);
    backend().encode(pass::dense_reduce_four{.y = y,
                                             .sum = sum,
                                             .c0 = part(0),
                                             .c1 = part(1),
                                             .c2 = part(2),
                                             .c3 = part(3),
                                             .x = sum != nullptr ? &x : nullptr,
                                             .log2_width = A_.rows().log2_width,
                                             .log2_columns = parts_.log2_columns,
                                             .count = parts_.count,
                                             .tile_height = parts_.tile.height,
                                             .length = A_.size(),
                                             .log2_field = y.layout().log2_width});
}

void rank_one_update(ZoneMatrix& A, ScalarArg alpha, const Vector& x, const Vector& y) {
    if (A.low()) throw Error("rank_one_update: the matrix has low parts, which the update would not change");
    A.backend().encode(pass::dense_rank_one{.a = A.id(),
                                            .x = x,
                                            .y = y,
                                            .alpha = alpha,
                                            .log2_width = A.rows().log2_width,
                                            .log2_columns = A.grid().log2_columns,
                                            .tile_height = A.grid().tile.height,
                                            .length = A.size(),
                                            .log2_strip = A.log2_strip()});
}

}  // namespace glsolve::inline v0_1
