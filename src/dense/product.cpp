#include "dense/product.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>

namespace glsolve::inline v0_1 {

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
PassCall DenseProduct::in_parts(PassId pass) {
    return {.pass = pass,
            .output = {part(0)},
            .integer = {A_.rows().log2_width, A_.grid().log2_columns, columns_, A_.grid().tile.height,
                        step_ > 0 ? A_.grid().count : A_.size(), parts_.log2_columns, A_.log2_strip()},
            .variant = row(pass).two_float ? in_two_floats_ : in_single_};
}

/// y from the zones of c.
PassCall DenseProduct::from_parts(PassId pass, const TileGrid& zones) const {
    return {.pass = pass,
            .integer = {A_.rows().log2_width, zones.log2_columns, zones.count, zones.tile.height, A_.size()}};
}

void DenseProduct::multiply_in_parts(const Vector& x) {
    PassCall call = in_parts(PassId::dense_partial);
    call.input = {x.id(), A_.id()};
    backend_.encode(call);
}

/// The product, with the rest of the inputs in the order of the row that ends it.
PassCall DenseProduct::product(PassId pass, std::initializer_list<StorageId> outputs, const Vector& x,
                               std::initializer_list<StorageId> rest) {
    multiply_in_parts(x);
    PassCall call = from_parts(pass, parts_);
    std::copy(outputs.begin(), outputs.end(), call.output.begin());
    call.input = {x.id(), part(0), part(0)};
    std::copy(rest.begin(), rest.end(), call.input.begin() + 3);
    return call;
}

/// The rest ends with d, in whose place its beginning stands (b, or r) where there is none.
PassCall DenseProduct::step(PassId pass, std::initializer_list<StorageId> outputs, const Vector& x,
                            std::initializer_list<StorageId> rest, const Vector* d, StorageId status) {
    PassCall call = product(pass, outputs, x, rest);
    call.input[row(pass).inputs.size() - 1] = d != nullptr ? d->id() : *rest.begin();
    if (d != nullptr) call.variant = has_d_;
    call.status = status;
    return call;
}

void DenseProduct::multiply(Vector& y, const Vector& x) { backend_.encode(product(PassId::sumVector, {y.id()}, x)); }

void DenseProduct::multiply_dot(Vector& y, const Vector& x, PartialSums& sum) {
    backend_.encode(product(PassId::sumVector_dot, {y.id(), sum.id()}, x));
}

void DenseProduct::multiply_dots(Vector& y, const Vector& x, const Vector& r, const Vector* d, PartialSums& sums) {
    backend_.encode(step(PassId::sumVector_multiply_dots, {y.id(), sums.id()}, x, {r.id()}, d, {}));
}

void DenseProduct::residual(Vector& r, const Vector& b, const Vector& x) {
    backend_.encode(product(PassId::sumVector_residual, {r.id()}, x, {b.id()}));
}

void DenseProduct::relax(Vector& x, const Vector& b, const Vector* d, float weight, StorageId status) {
    PassCall call = step(PassId::sumVector_relax, {x.id()}, x, {b.id()}, d, status);
    call.constant = {weight};
    backend_.encode(call);
}

void DenseProduct::chebyshev(Vector& x, Vector& p, const Vector& b, const Vector* d, AssembledMatrix::Step s,
                             StorageId status, PartialSums* sums) {
    PassCall call =
        sums == nullptr
            ? step(PassId::sumVector_chebyshev, {x.id(), p.id()}, x, {b.id(), p.id()}, d, status)
            : step(PassId::sumVector_chebyshev_norms, {x.id(), p.id(), sums->id()}, x, {b.id(), p.id()}, d, status);
    call.constant = {s.alpha, s.beta};
    backend_.encode(call);
}

void DenseProduct::multiply_two_float(Vector& y, Vector& y_low, const Vector& x, PartialSums& sum) {
    PassCall call = in_parts(PassId::dense_partial_two_float);
    call.output[1] = part(1);
    call.input = {x.id(), A_.id(), A_.low() ? A_.low() : A_.id()};
    backend_.encode(call);
    call = from_parts(PassId::sumVector_two_float, parts_);
    call.output = {y.id(), y_low.id(), sum.id()};
    call.input = {x.id(), part(0), part(1), part(0)};
    call.variant = parts_have_low_;
    backend_.encode(call);
}

void DenseProduct::residual_two_float(Vector& r, Vector& r_low, const TwoFloatVector& b, const TwoFloatVector& x,
                                      PartialSums& sum) {
    PassCall call = in_parts(PassId::dense_partial_residual_two_float);
    call.output[1] = part(1);
    call.output[2] = part(2);
    call.input = {x.hi.id(), x.lo.id(), A_.id(), A_.low() ? A_.low() : A_.id()};
    backend_.encode(call);
    call = from_parts(PassId::sumVector_residual_two_float, parts_);
    call.output = {r.id(), r_low.id(), sum.id()};
    call.input = {x.hi.id(), x.lo.id(), part(0), part(1), part(2), b.hi.id(), b.lo.id()};
    call.variant = parts_have_low_;
    backend_.encode(call);
}

void DenseProduct::multiply_transposed(Vector& y, const Vector& x) {
    const int texels = (A_.grid().count / 4 + parts_.count - 1) / parts_.count;
    PassCall call = in_parts(PassId::dense_transposed);
    call.input = {x.id(), A_.id()};
    call.integer[2] = texels;
    call.integer[4] = A_.grid().count;
    call.variant = {};
    backend_.encode(call);
    call = from_parts(PassId::sumVector, parts_);
    call.output = {y.id()};
    call.input = {x.id(), part(0), part(0)};
    backend_.encode(call);
}

void DenseProduct::multiply_in_parts(const Field& x) {
    PassCall call = in_parts(PassId::dense_four);
    for (std::size_t side = 0; side < 4; ++side) call.output[side] = part(side);
    call.input = {x.id(), A_.id()};
    call.integer[4] = A_.size();
    call.integer[7] = x.layout().log2_width;
    call.variant = {};
    backend_.encode(call);
}

PassCall DenseProduct::from_four_parts(PassId pass, const Field& y) {
    PassCall call = from_parts(pass, parts_);
    call.output = {y.id()};
    for (std::size_t side = 0; side < 4; ++side) call.input[side] = part(side);
    call.integer[5] = y.layout().log2_width;
    return call;
}

void DenseProduct::multiply_four(Field& y, const Field& x) {
    multiply_in_parts(x);
    backend_.encode(from_four_parts(PassId::sumVector_four, y));
}

void DenseProduct::multiply_dot(Field& y, const Field& x, PartialSums& sum) {
    multiply_in_parts(x);
    PassCall call = from_four_parts(PassId::sumVector_four_dot, y);
    call.output[1] = sum.id();
    call.input[4] = x.id();
    backend_.encode(call);
}

void rank_one_update(ZoneMatrix& A, ScalarArg alpha, const Vector& x, const Vector& y) {
    if (A.low()) throw Error("rank_one_update: the matrix has low parts, which the update would not change");
    A.backend().encode(
        {.pass = PassId::dense_rank_one,
         .output = {A.id()},
         .input = {A.id(), x.id(), y.id()},
         .scalar = {alpha},
         .integer = {A.rows().log2_width, A.grid().log2_columns, A.grid().tile.height, A.size(), A.log2_strip()}});
}

}  // namespace glsolve::inline v0_1
