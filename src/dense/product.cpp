#include "dense/product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>

#include "passes.hpp"

namespace glsolve::inline v0_1 {

namespace ending = pass::ending;

namespace {

/// Columns that stand side by side in the grid and go into a part together: a power of two from 4 to 16, or 0. Software
/// renderers do best with four.
int columns_a_step(const DeviceInfo& device, int columns, const TileGrid& grid) {
    for (const int step : {16, 8, 4}) {
        if (device.software && step > 4) continue;
        if (columns % step == 0 && step <= 1 << grid.log2_columns) return step;
    }
    return 0;
}

}  // namespace

int columns_a_part(const DeviceInfo& device, Index n) {
    const auto sixteens = [](int columns) { return (columns + 15) / 16 * 16; };
    if (device.software) return n > 6000 ? 32 : sixteens(std::clamp(n / 32, 16, 128));
    if (device.backend != BackendKind::opengl || device.stage != Stage::compute) {
        return sixteens(std::max((n + 63) / 64, 64));
    }
    return n > 6000 ? 256 : sixteens(std::clamp(n / 32, 16, 64));
}

DenseProduct::DenseProduct(const ZoneMatrix& A, int columns)
    : A_(A),
      backend_(A.backend()),
      columns_(columns > 0 ? columns : columns_a_part(backend_.info(), A.size())),
      parts_(zone_grid(A.size(), (std::max(A.size(), 1) + columns_ - 1) / columns_, backend_.info().max_texture_size)),
      step_(columns_a_step(backend_.info(), columns_, A.grid())),
      parts_have_low_(backend_.variant("A_LOW\n")),
      has_d_(backend_.variant("HAS_D\n")) {
    const std::string how =
        step_ > 0 ? fmt::format("COLUMNS {}\nSTEP {}\nLOG2_WIDTH {}\nLOG2_COLUMNS {}\nLOG2_STRIP {}\n", columns_, step_,
                                A.rows().log2_width, A.grid().log2_columns, A.log2_strip())
                  : std::string("SINGLE\n");
    in_single_ = backend_.variant(how);
    in_two_floats_ = A.low() ? backend_.variant(fmt::format("A_LOW\n{}", how)) : in_single_;
}

StorageId DenseProduct::part(std::size_t i) {
    if (!c_[i].id()) c_[i] = Storage(backend_, parts_.extent(), Element::real, "parts of a product");
    return c_[i].id();
}

/// Zones of c, each of the share of some columns.
void DenseProduct::multiply_in_parts(const Vector& x) {
    backend_.encode(pass::dense_partial{.c = part(0),
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
                                        .variant = in_single_});
}

/// y from the zones of c, with some ending: sizes, and low parts, are read in two floats alone.
template <class EndingCall>
PassCall DenseProduct::from_parts(const EndingCall& ending, StorageId c, StorageId c_low, StorageId c_size) const {
    const std::array structure{c_size};
    const std::array<std::int32_t, 7> integers{
        A_.rows().log2_width, parts_.log2_columns, parts_.count, parts_.tile.height, A_.size(), 0, 0};
    return ending.of({.passes = product_of::sumVector,
                      .a = c,
                      .a_low = c_low,
                      .structure = structure,
                      .integers = integers,
                      .table = {}});
}

void DenseProduct::multiply(Vector& y, const Vector& x) {
    multiply_in_parts(x);
    backend_.encode(from_parts(ending::multiply{.y = y, .x = x}, part(0), part(0), part(0)));
}

void DenseProduct::multiply_dot(Vector& y, const Vector& x, PartialSums& sum) {
    multiply_in_parts(x);
    backend_.encode(from_parts(ending::multiply_dot{.y = y, .sum = sum, .x = x}, part(0), part(0), part(0)));
}

// Where there is no d, passes take another vector in its place and do not look at it.

void DenseProduct::multiply_dots(Vector& y, const Vector& x, const Vector& r, const Vector* d, PartialSums& sums) {
    multiply_in_parts(x);
    const ending::multiply_dots ending{.y = y,
                                       .sum = sums,
                                       .x = x,
                                       .r = r,
                                       .d = d != nullptr ? *d : r,
                                       .variant = d != nullptr ? has_d_ : VariantId{}};
    backend_.encode(from_parts(ending, part(0), part(0), part(0)));
}

void DenseProduct::residual(Vector& r, const Vector& b, const Vector& x) {
    multiply_in_parts(x);
    backend_.encode(from_parts(ending::residual{.y = r, .x = x, .b = b}, part(0), part(0), part(0)));
}

void DenseProduct::relax(Vector& x, const Vector& b, const Vector* d, float weight, StorageId status) {
    multiply_in_parts(x);
    const ending::relax ending{.y = x,
                               .x = x,
                               .b = b,
                               .d = d != nullptr ? *d : b,
                               .weight = weight,
                               .status = status,
                               .variant = d != nullptr ? has_d_ : VariantId{}};
    backend_.encode(from_parts(ending, part(0), part(0), part(0)));
}

void DenseProduct::chebyshev(Vector& x, Vector& p, const Vector& b, const Vector* d, AssembledMatrix::Step s,
                             StorageId status, PartialSums* sums) {
    multiply_in_parts(x);
    const Vector& factors = d != nullptr ? *d : b;
    const VariantId variant = d != nullptr ? has_d_ : VariantId{};
    if (sums == nullptr) {
        const ending::chebyshev ending{.y = x,
                                       .p = p,
                                       .x = x,
                                       .b = b,
                                       .d = factors,
                                       .alpha = s.alpha,
                                       .beta = s.beta,
                                       .status = status,
                                       .variant = variant};
        backend_.encode(from_parts(ending, part(0), part(0), part(0)));
    } else {
        const ending::chebyshev_norms ending{.y = x,
                                             .p = p,
                                             .sum = *sums,
                                             .x = x,
                                             .b = b,
                                             .d = factors,
                                             .alpha = s.alpha,
                                             .beta = s.beta,
                                             .status = status,
                                             .variant = variant};
        backend_.encode(from_parts(ending, part(0), part(0), part(0)));
    }
}

void DenseProduct::multiply_two_float(Vector& y, Vector& y_low, const Vector& x, PartialSums& sum) {
    backend_.encode(pass::dense_partial{.c = part(0),
                                        .c_low = part(1),
                                        .x = x,
                                        .a = A_.id(),
                                        .a_low = A_.low() ? A_.low() : A_.id(),
                                        .log2_width = A_.rows().log2_width,
                                        .log2_columns = A_.grid().log2_columns,
                                        .columns = columns_,
                                        .tile_height = A_.grid().tile.height,
                                        .count = count(),
                                        .log2_zones = parts_.log2_columns,
                                        .log2_strip = A_.log2_strip(),
                                        .differences = 0,
                                        .variant = in_two_floats_});
    const ending::multiply_two_float ending{.y = y, .y_low = y_low, .sum = sum, .x = x, .variant = parts_have_low_};
    backend_.encode(from_parts(ending, part(0), part(1), part(0)));
}

void DenseProduct::residual_two_float(Vector& r, Vector& r_low, const TwoFloatVector& b, const TwoFloatVector& x,
                                      PartialSums& sum) {
    backend_.encode(pass::dense_partial_residual_two_float{.c = part(0),
                                                           .c_low = part(1),
                                                           .c_size = part(2),
                                                           .x = x.hi,
                                                           .x_low = x.lo,
                                                           .a = A_.id(),
                                                           .a_low = A_.low() ? A_.low() : A_.id(),
                                                           .log2_width = A_.rows().log2_width,
                                                           .log2_columns = A_.grid().log2_columns,
                                                           .columns = columns_,
                                                           .tile_height = A_.grid().tile.height,
                                                           .count = count(),
                                                           .log2_zones = parts_.log2_columns,
                                                           .log2_strip = A_.log2_strip(),
                                                           .differences = 0,
                                                           .variant = in_two_floats_});
    const ending::residual_two_float ending{.y = r,
                                            .y_low = r_low,
                                            .sum = sum,
                                            .x = x.hi,
                                            .x_low = x.lo,
                                            .b = b.hi,
                                            .b_low = b.lo,
                                            .variant = parts_have_low_};
    backend_.encode(from_parts(ending, part(0), part(1), part(2)));
}

void DenseProduct::multiply_transposed(Vector& y, const Vector& x) {
    const int texels = (A_.grid().count / 4 + parts_.count - 1) / parts_.count;
    backend_.encode(pass::dense_transposed{.c = part(0),
                                           .x = x,
                                           .a = A_.id(),
                                           .log2_width = A_.rows().log2_width,
                                           .log2_columns = A_.grid().log2_columns,
                                           .texels = texels,
                                           .tile_height = A_.grid().tile.height,
                                           .count = A_.grid().count,
                                           .log2_zones = parts_.log2_columns,
                                           .log2_strip = A_.log2_strip()});
    backend_.encode(from_parts(ending::multiply{.y = y, .x = x}, part(0), part(0), part(0)));
}

void DenseProduct::multiply_in_parts(const Field& x) {
    backend_.encode(pass::dense_four{.c0 = part(0),
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

void DenseProduct::multiply_four(Field& y, const Field& x) { multiply_four(y, x, nullptr); }
void DenseProduct::multiply_dot(Field& y, const Field& x, PartialSums& sum) { multiply_four(y, x, &sum); }

void DenseProduct::multiply_four(Field& y, const Field& x, const PartialSums* sum) {
    multiply_in_parts(x);
    backend_.encode(pass::sumVector_four{.y = y,
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
