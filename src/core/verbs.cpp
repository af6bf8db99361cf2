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

void put_components(Field& y, const Vector& x, std::int32_t components) {
    y.backend().encode({.pass = PassId::field_put,
                        .output = {y.id()},
                        .input = {y.id(), x.id()},
                        .integer = {y.layout().log2_width, x.layout().log2_width, y.size(), components}});
}

}  // namespace

void fill(Vector& y, float value) { fill_numbers(y, value); }
void fill(Field& y, float value) { fill_numbers(y, value); }

void fill(Scalar& y, float value) {
    y.backend().encode({.pass = PassId::fill, .output = {y.id()}, .integer = {4, 0}, .constant = {value}});
}

void copy(Vector& y, const Vector& x) {
    y.backend().encode({.pass = PassId::copy, .output = {y.id()}, .input = {x.id()}});
}

/// By 1: solvers that copy scalars scale as well, and have a program less to compile.
void copy(Scalar& y, const Scalar& x) {
    y.backend().encode({.pass = PassId::scale, .output = {y.id()}, .input = {x.id()}});
}

void axpy(Vector& y, ScalarArg a, const Vector& x, StorageId status) {
    y.backend().encode(
        {.pass = PassId::axpy, .output = {y.id()}, .input = {y.id(), x.id()}, .scalar = {a}, .status = status});
}

void axpy(TwoFloatVector& y, ScalarArg a, const Vector& x) {
    x.backend().encode({.pass = PassId::two_float_axpy,
                        .output = {y.hi.id(), y.lo.id()},
                        .input = {y.hi.id(), y.lo.id(), x.id()},
                        .scalar = {a}});
}

void xpay(Vector& y, const Vector& x, ScalarArg a, StorageId status) {
    y.backend().encode(
        {.pass = PassId::xpay, .output = {y.id()}, .input = {y.id(), x.id()}, .scalar = {a}, .status = status});
}

void xpay(Field& y, const Field& x, ScalarArg a, StorageId stops) {
    y.backend().encode(
        {.pass = PassId::xpay_field, .output = {y.id()}, .input = {y.id(), x.id()}, .scalar = {a}, .status = stops});
}

void scale(Vector& y, ScalarArg a, const Vector& x) {
    y.backend().encode({.pass = PassId::scale, .output = {y.id()}, .input = {x.id()}, .scalar = {a}});
}

void multiply(Vector& z, const Vector& x, const Vector& y, const ScalarArg& a) {
    z.backend().encode({.pass = PassId::multiply, .output = {z.id()}, .input = {x.id(), y.id()}, .scalar = {a}});
}

void add_where(Vector& y, const Vector& x, const ScalarArg& a, const Vector& m) {
    y.backend().encode({.pass = PassId::add_where, .output = {y.id()}, .input = {x.id(), m.id()}, .scalar = {a}});
}

void multiply(Field& z, const Field& x, const Field& y) {
    z.backend().encode({.pass = PassId::multiply, .output = {z.id()}, .input = {x.id(), y.id()}});
}

void put(Field& y, const Vector& x, int component) { put_components(y, x, 1 << component); }
void put(Field& y, const Vector& x) { put_components(y, x, 0b1111); }

void take(Vector& y, const Field& x, int component) {
    y.backend().encode({.pass = PassId::field_take,
                        .output = {y.id()},
                        .input = {x.id()},
                        .integer = {x.layout().log2_width, y.layout().log2_width, x.size(), component}});
}

void sum(Scalar& s, PartialSums& partial, Finish finish) {
    Backend& backend = s.backend();
    StorageId from = partial.id();
    for (const Storage& stage : partial.stages()) {
        const Extent extent = backend.extent(from);
        backend.encode(
            {.pass = PassId::sum, .output = {stage.id()}, .input = {from}, .integer = {extent.width, extent.height}});
        from = stage.id();
    }
    const Extent extent = backend.extent(from);
    backend.encode({.pass = PassId::sum_last,
                    .output = {s.id()},
                    .input = {from},
                    .integer = {extent.width, extent.height, finish == Finish::add_components ? 1 : 0}});
}

void record(Storage& history, int position, const Scalar& value) {
    const int width = history.backend().extent(history.id()).width;
    history.backend().encode({.pass = PassId::record,
                              .output = {history.id()},
                              .input = {value.id()},
                              .integer = {position % width, position / width, 1, 1}});
}

}  // namespace glsolve::inline v0_1
