#include "formats/stored_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/parallel.hpp"

namespace glsolve::inline v0_1 {

void StoredMatrix::make_variants() {
    const auto with = [&](const std::string& more) { return backend_.variant(definitions_ + more, source_); };
    variant_ = with("");
    with_d_ = with("HAS_D\n");
    const std::string first_step = fmt::format("FIRST_STEP {}\n", table_.size() / 2);
    chaotic_ = with(first_step);
    chaotic_with_d_ = with(first_step + "HAS_D\n");
    two_float_variant_ = low_values_ ? with("A_LOW\n") : variant_;
}

void StoredMatrix::add(const FormatInput& in, Extent extent, std::span<const double> values) {
    std::vector<float> part(values.size());
    parallel_each(part.size(), [&](std::size_t i) { part[i] = static_cast<float>(values[i]); });
    values_ = Storage(backend_, extent, in.halves ? Element::half : Element::real, "matrix values");
    backend_.upload(values_.id(), part);
    if (!in.low_parts || in.halves) return;
    parallel_each(part.size(),
                  [&](std::size_t i) { part[i] = static_cast<float>(values[i] - static_cast<double>(part[i])); });
    if (std::all_of(part.begin(), part.end(), [](float low) { return low == 0; })) return;
    low_values_.emplace(backend_, extent, Element::real, "matrix values, low");
    backend_.upload(low_values_->id(), part);
    make_variants();
}

void StoredMatrix::add(Extent extent, std::span<const std::int32_t> structure) {
    structure_.emplace_back(backend_, extent, Element::integer, "matrix structure");
    backend_.upload(structure_.back().id(), structure);
}

std::int64_t StoredMatrix::bytes() const {
    std::int64_t bytes = backend_.bytes(values_.id());
    if (low_values_) bytes *= 2;
    for (const Storage& storage : structure_) bytes += backend_.bytes(storage.id());
    return bytes;
}

/// In the order of the row's inputs: x and its low part, the values and theirs, the structure, then the rest.
PassCall StoredMatrix::call(PassId pass, std::initializer_list<StorageId> outputs, std::initializer_list<StorageId> x,
                            std::initializer_list<StorageId> rest) const {
    const bool two_float = row(pass).two_float;
    PassCall call{
        .pass = pass, .integer = integers_, .table = table_, .variant = two_float ? two_float_variant_ : variant_};
    std::copy(outputs.begin(), outputs.end(), call.output.begin());
    auto* next = std::copy(x.begin(), x.end(), call.input.begin());
    *next++ = values_.id();
    if (two_float) *next++ = low_values_ ? low_values_->id() : values_.id();  // not read without A_LOW
    for (const Storage& storage : structure_) *next++ = storage.id();
    std::copy(rest.begin(), rest.end(), next);
    return call;
}

/// The width of the Field is the last of the integers.
PassCall StoredMatrix::field_call(PassId pass, std::initializer_list<StorageId> outputs, const Field& x,
                                  std::initializer_list<StorageId> rest) const {
    PassCall made = call(pass, outputs, {x.id()}, rest);
    made.integer[row(pass).integers.size() - 1] = x.layout().log2_width;
    return made;
}

/// The rest ends with d, in whose place its beginning stands (b, or r) where there is none.
PassCall StoredMatrix::step(PassId pass, std::initializer_list<StorageId> outputs, const Vector& x,
                            std::initializer_list<StorageId> rest, const Vector* d, StorageId status) const {
    PassCall made = call(pass, outputs, {x.id()}, rest);
    made.input[row(pass).inputs.size() - 1] = d != nullptr ? d->id() : *rest.begin();
    if (d != nullptr) made.variant = with_d_;
    made.status = status;
    return made;
}

void StoredMatrix::multiply(Vector& y, const Vector& x) { backend_.encode(call(passes_.multiply, {y.id()}, {x.id()})); }

void StoredMatrix::multiply_dot(Vector& y, const Vector& x, PartialSums& sum) {
    backend_.encode(call(passes_.multiply_dot, {y.id(), sum.id()}, {x.id()}));
}

void StoredMatrix::multiply_dots(Vector& y, const Vector& x, const Vector& r, const Vector* d, PartialSums& sums) {
    backend_.encode(step(passes_.multiply_dots, {y.id(), sums.id()}, x, {r.id()}, d, {}));
}

void StoredMatrix::multiply_dot(Field& y, const Field& x, PartialSums& sum) {
    backend_.encode(field_call(passes_.field, {y.id(), sum.id()}, x));
}

void StoredMatrix::residual(Vector& r, const Vector& b, const Vector& x) {
    backend_.encode(call(passes_.residual, {r.id()}, {x.id()}, {b.id()}));
}

void StoredMatrix::relax(Vector& x, const Vector& b, const Vector* d, float weight, StorageId status) {
    PassCall pass = step(passes_.relax, {x.id()}, x, {b.id()}, d, status);
    pass.constant = {weight};
    backend_.encode(pass);
}

/// x_2 = x_1 + w_2 d (b - A x_1)  with  x_1 = w_1 z, z = d b:  (w_1 + w_2) z - w_1 w_2 d (A z)
/// Formats that gather b one by one would gather d as well, which takes longer than the pass that is saved: 1.2 ... 1.5
/// times as long as both, where those that read lines take 0.4 ... 0.8.
void StoredMatrix::relax_twice(Vector& x, const Vector& b, const Vector* d, float first, float second) {
    const bool gathers = passes_.multiply == PassId::ell_multiply || passes_.multiply == PassId::sliced_multiply;
    if (gathers && d != nullptr) return AssembledMatrix::relax_twice(x, b, d, first, second);
    PassCall pass = call(passes_.relax_twice, {x.id()}, {b.id()});
    pass.input[row(pass.pass).inputs.size() - 1] = (d != nullptr ? *d : b).id();
    if (d != nullptr) pass.variant = with_d_;
    pass.constant = {first + second, first * second};
    backend_.encode(pass);
}

void StoredMatrix::relax(Field& x, const Field& b, const Vector& d, float weight) {
    PassCall pass = field_call(passes_.relax_field, {x.id()}, x, {b.id(), d.id()});
    pass.constant = {weight};
    pass.variant = with_d_;
    backend_.encode(pass);
}

void StoredMatrix::relax_twice(Field& x, const Field& b, const Vector& d, float first, float second) {
    PassCall pass = field_call(passes_.relax_twice_field, {x.id()}, b, {d.id()});
    pass.constant = {first + second, first * second};
    pass.variant = with_d_;
    backend_.encode(pass);
}

void StoredMatrix::chebyshev(Vector& x, Vector& p, const Vector& b, const Vector* d, Step s, StorageId status,
                             PartialSums* sums) {
    PassCall pass = sums == nullptr
                        ? step(passes_.chebyshev, {x.id(), p.id()}, x, {b.id(), p.id()}, d, status)
                        : step(passes_.chebyshev_norms, {x.id(), p.id(), sums->id()}, x, {b.id(), p.id()}, d, status);
    pass.constant = {s.alpha, s.beta};
    backend_.encode(pass);
}

void StoredMatrix::chebyshev_chaotic(Vector& x, Vector& p, const Vector& b, const Vector* d,
                                     std::span<const Step> steps, StorageId status) {
    PassCall pass = step(passes_.chebyshev_chaotic, {x.id(), p.id()}, x, {b.id(), p.id()}, d, status);
    pass.variant = d != nullptr ? chaotic_with_d_ : chaotic_;
    pass.integer[row(pass.pass).integers.size() - 1] = static_cast<std::int32_t>(steps.size());
    std::vector<float> table = table_;
    for (const Step& s : steps) table.insert(table.end(), {s.alpha, s.beta});
    pass.table = table;
    backend_.encode(pass);
}

void StoredMatrix::multiply_two_float(Vector& y, Vector& y_low, const Vector& x, PartialSums& sum) {
    backend_.encode(call(passes_.multiply_two_float, {y.id(), y_low.id(), sum.id()}, {x.id()}));
}

void StoredMatrix::residual_two_float(Vector& r, Vector& r_low, const TwoFloatVector& b, const TwoFloatVector& x,
                                      PartialSums& sum) {
    backend_.encode(call(passes_.residual_two_float, {r.id(), r_low.id(), sum.id()}, {x.hi.id(), x.lo.id()},
                         {b.hi.id(), b.lo.id()}));
}

std::array<std::int32_t, max_integers> tile_integers(const Layout& rows, const TileGrid& grid, int count,
                                                     bool differences) {
    return {rows.log2_width, grid.log2_columns,  count, grid.tile.height, static_cast<std::int32_t>(rows.length),
            grid.count - 1,  differences ? 1 : 0};
}

}  // namespace glsolve::inline v0_1
