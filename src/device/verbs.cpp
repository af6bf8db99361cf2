#include "device/verbs.hpp"

#include "passes.hpp"

namespace glsolve::inline v0_1 {

ScalarArg scalar_arg(const Scalar& s, float factor) { return {factor, s.id(), {}}; }
ScalarArg scalar_arg(float factor) { return {factor, {}, {}}; }
ScalarArg scalar_arg(const Scalar& n, const Scalar& d, float factor) { return {factor, n.id(), d.id()}; }

namespace {

template <class Numbers>
void fill_numbers(Numbers& y, float value) {
    const auto length = static_cast<std::int32_t>(y.layout().length);
    y.backend().encode(pass::fill{.y = y, .length = length, .log2_width = y.layout().log2_width, .value = value});
}

/// y <- a x. By the program of a x + b z; where b = 0 it does not matter which z is read.
void scale(Backend& backend, StorageId y, ScalarArg a, StorageId x) {
    backend.encode(pass::axpby{.y = y, .z = x, .x = x, .a = a, .b = scalar_arg(0)});
}

/// A texel of y at (column, line) <- the only one of x
void copy_texel(Backend& backend, StorageId y, int column, int line, StorageId x) {
    backend.encode(pass::record{.history = y, .value = x, .left = column, .bottom = line, .columns = 1, .rows = 1});
}

}  // namespace

void fill(Vector& y, float value) { fill_numbers(y, value); }
void fill(MultiVector& y, float value) { fill_numbers(y, value); }

void fill(Scalar& y, float value) {
    if (value == 0) return scale(y.backend(), y.id(), scalar_arg(0), y.id());  // by a program that is there anyway
    y.backend().encode(pass::fill{.y = y, .length = 4, .log2_width = 0, .value = value});
}

void copy(Backend& backend, StorageId y, StorageId x) { scale(backend, y, scalar_arg(1), x); }
void copy(Vector& y, const Vector& x) { copy(y.backend(), y.id(), x.id()); }
void copy(Scalar& y, const Scalar& x) { copy_texel(y.backend(), y.id(), 0, 0, x.id()); }

void axpy(Vector& y, ScalarArg a, const Vector& x, StorageId status) {
    y.backend().encode(pass::axpby{.y = y, .z = y, .x = x, .a = a, .b = scalar_arg(1), .status = status});
}

void axpy(Vector& y, ScalarArg a, StorageId x) {
    y.backend().encode(pass::axpby{.y = y, .z = y, .x = x, .a = a, .b = scalar_arg(1)});
}

void axpy(TwoFloatVector& y, ScalarArg a, const Vector& x) {
    x.backend().encode(pass::two_float_axpy{.y = y.hi, .y_low = y.lo, .x = x, .a = a});
}

void xpay(Vector& y, const Vector& x, ScalarArg a, StorageId status) {
    y.backend().encode(pass::axpby{.y = y, .z = y, .x = x, .a = scalar_arg(1), .b = a, .status = status});
}

void xpay(MultiVector& y, const MultiVector& x, ScalarArg a, StorageId stops) {
    y.backend().encode(pass::axpby{.y = y, .z = y, .x = x, .a = scalar_arg(1), .b = a, .field = true, .status = stops});
}

void xpay(MultiVector& y, const MultiVector& x, const Vector& m, ScalarArg a, StorageId stops) {
    y.backend().encode(pass::axpby{.y = y,
                                   .z = y,
                                   .x = x,
                                   .m = m,
                                   .a = scalar_arg(1),
                                   .b = a,
                                   .log2_field = y.layout().log2_width,
                                   .log2_width = m.layout().log2_width,
                                   .field = true,
                                   .status = stops});
}

void scale(Vector& y, ScalarArg a, const Vector& x) { scale(y.backend(), y.id(), a, x.id()); }

void hadamard(Vector& z, const Vector& x, const Vector& y, const ScalarArg& a) {
    z.backend().encode(pass::multiply{.z = z, .x = x, .y = y, .a = a});
}

void add_where(Vector& y, const Vector& x, const ScalarArg& a, const Vector& m) {
    y.backend().encode(pass::add_where{.y = y, .x = x, .m = m, .a = a});
}

void put(MultiVector& y, const Vector& x, int component) {
    y.backend().encode(pass::field_put{.y = y,
                                       .x = x,
                                       .log2_field = y.layout().log2_width,
                                       .log2_width = x.layout().log2_width,
                                       .length = y.size(),
                                       .component = component});
}

void take(Vector& y, const MultiVector& x, int component) {
    y.backend().encode(pass::field_take{.y = y,
                                        .x = x,
                                        .log2_field = x.layout().log2_width,
                                        .log2_width = y.layout().log2_width,
                                        .length = x.size(),
                                        .component = component});
}

void sum(Scalar& s, PartialSums& partial, Finish finish) {
    Backend& backend = s.backend();
    StorageId from = partial.id();
    const auto add_up = [&](StorageId to, SumStage stage) {
        const auto [width, height] = backend.extent(from);
        backend.encode(pass::sum{.s = to,
                                 .x = from,
                                 .y = from,
                                 .width = width,
                                 .height = height,
                                 .products = 0,
                                 .last = static_cast<std::int32_t>(stage)});
        from = to;
    };
    for (const Storage& between : partial.stages()) add_up(between.id(), SumStage::tiles);
    add_up(s.id(), finish == Finish::add_components ? SumStage::components : SumStage::all);
}

void record(Storage& history, int position, const Scalar& value) {
    const int width = history.backend().extent(history.id()).width;
    copy_texel(history.backend(), history.id(), position % width, position / width, value.id());
}

}  // namespace glsolve::inline v0_1
