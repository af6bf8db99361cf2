#include "core/verbs.hpp"

namespace glsolve::inline v0_1 {

ScalarArg scalar_arg(const Scalar& s, float factor) { return {factor, s.id(), {}}; }
ScalarArg scalar_arg(float factor) { return {factor, {}, {}}; }
ScalarArg scalar_arg(const Scalar& n, const Scalar& d, float factor) { return {factor, n.id(), d.id()}; }

namespace {

template <class Numbers>
void fill_numbers(Numbers& y, float value) {
    const auto length = static_cast<std::int32_t>(y.layout().length);
    y.backend().encode(
        {.pass = PassId::fill, .output = {y.id()}, .integer = {length, y.layout().log2_width}, .constant = {value}});
}

/// y <- a x + b y: one program for all that is made of it.
void axpby(Backend& backend, PassId pass, StorageId y, ScalarArg a, StorageId x, ScalarArg b, StorageId status) {
    backend.encode({.pass = pass, .output = {y}, .input = {y, x}, .scalar = {a, b}, .status = status});
}

/// Where b = 0 it does not matter which y is read.
void scale(Backend& backend, StorageId y, ScalarArg a, StorageId x) {
    backend.encode({.pass = PassId::axpby, .output = {y}, .input = {x, x}, .scalar = {a, scalar_arg(0)}});
}

/// A texel of y at (column, line) <- the only one of x
void copy_texel(Backend& backend, StorageId y, int column, int line, StorageId x) {
    backend.encode({.pass = PassId::record, .output = {y}, .input = {x}, .integer = {column, line, 1, 1}});
}

}  // namespace

void fill(Vector& y, float value) { fill_numbers(y, value); }
void fill(Field& y, float value) { fill_numbers(y, value); }

void fill(Scalar& y, float value) {
    if (value == 0) return scale(y.backend(), y.id(), scalar_arg(0), y.id());  // by a program that is there anyway
    y.backend().encode({.pass = PassId::fill, .output = {y.id()}, .integer = {4, 0}, .constant = {value}});
}

void copy(Backend& backend, StorageId y, StorageId x) { scale(backend, y, scalar_arg(1), x); }
void copy(Vector& y, const Vector& x) { copy(y.backend(), y.id(), x.id()); }
void copy(Scalar& y, const Scalar& x) { copy_texel(y.backend(), y.id(), 0, 0, x.id()); }

void axpy(Vector& y, ScalarArg a, const Vector& x, StorageId status) {
    axpby(y.backend(), PassId::axpby, y.id(), a, x.id(), scalar_arg(1), status);
}

void axpy(Vector& y, ScalarArg a, StorageId x) { axpby(y.backend(), PassId::axpby, y.id(), a, x, scalar_arg(1), {}); }

void axpy(TwoFloatVector& y, ScalarArg a, const Vector& x) {
    x.backend().encode({.pass = PassId::two_float_axpy,
                        .output = {y.hi.id(), y.lo.id()},
                        .input = {y.hi.id(), y.lo.id(), x.id()},
                        .scalar = {a}});
}

void xpay(Vector& y, const Vector& x, ScalarArg a, StorageId status) {
    axpby(y.backend(), PassId::axpby, y.id(), scalar_arg(1), x.id(), a, status);
}

void xpay(Field& y, const Field& x, ScalarArg a, StorageId stops) {
    axpby(y.backend(), PassId::axpby_field, y.id(), scalar_arg(1), x.id(), a, stops);
}

void xpay(Field& y, const Field& x, const Vector& m, ScalarArg a, StorageId stops) {
    y.backend().encode({.pass = PassId::axpby_field_scaled,
                        .output = {y.id()},
                        .input = {y.id(), x.id(), m.id()},
                        .scalar = {scalar_arg(1), a},
                        .integer = {y.layout().log2_width, m.layout().log2_width},
                        .status = stops});
}

void scale(Vector& y, ScalarArg a, const Vector& x) { scale(y.backend(), y.id(), a, x.id()); }

void multiply(Vector& z, const Vector& x, const Vector& y, const ScalarArg& a) {
    z.backend().encode({.pass = PassId::multiply, .output = {z.id()}, .input = {x.id(), y.id()}, .scalar = {a}});
}

void add_where(Vector& y, const Vector& x, const ScalarArg& a, const Vector& m) {
    y.backend().encode({.pass = PassId::add_where, .output = {y.id()}, .input = {x.id(), m.id()}, .scalar = {a}});
}

void put(Field& y, const Vector& x, int component) {
    y.backend().encode({.pass = PassId::field_put,
                        .output = {y.id()},
                        .input = {y.id(), x.id()},
                        .integer = {y.layout().log2_width, x.layout().log2_width, y.size(), component}});
}

void take(Vector& y, const Field& x, int component) {
    y.backend().encode({.pass = PassId::field_take,
                        .output = {y.id()},
                        .input = {x.id()},
                        .integer = {x.layout().log2_width, y.layout().log2_width, x.size(), component}});
}

void sum(Scalar& s, PartialSums& partial, Finish finish) {
    Backend& backend = s.backend();
    StorageId from = partial.id();
    const auto add_up = [&](StorageId to, SumStage stage) {
        const auto [width, height] = backend.extent(from);
        backend.encode({.pass = PassId::sum,
                        .output = {to},
                        .input = {from, from},
                        .integer = {width, height, 0, static_cast<std::int32_t>(stage)}});
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
