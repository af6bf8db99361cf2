#include "formats/stored_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/parallel.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {

namespace ending = pass::ending;

void StoredMatrix::make_variants() {
    const auto with = [&](const std::string& more) {
        return backend_.variant(format_.definitions + more, format_.source);
    };
    variant_ = with("");
    with_d_ = with("HAS_D\n");
    const std::string first_step = fmt::format("FIRST_STEP {}\n", format_.table.size() / 2);
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

template <class EndingCall>
PassCall StoredMatrix::call(const EndingCall& ending) const {
    std::vector<StorageId> structure;
    for (const Storage& storage : structure_) structure.push_back(storage.id());
    return ending.of({.passes = format_.passes,
                      .a = values_.id(),
                      .a_low = low_values_ ? low_values_->id() : values_.id(),  // not read without A_LOW
                      .structure = structure,
                      .integers = format_.integers,
                      .table = format_.table});
}

void StoredMatrix::multiply(Vector& y, const Vector& x) {
    backend_.encode(call(ending::multiply{.y = y, .x = x, .variant = variant_}));
}

void StoredMatrix::multiply_dot(Vector& y, const Vector& x, PartialSums& sum) {
    backend_.encode(call(ending::multiply_dot{.y = y, .sum = sum, .x = x, .variant = variant_}));
}

// Where there is no d, passes take another vector in its place and do not look at it.

void StoredMatrix::multiply_dots(Vector& y, const Vector& x, const Vector& r, const Vector* d, PartialSums& sums) {
    backend_.encode(call(ending::multiply_dots{.y = y,
                                               .sum = sums,
                                               .x = x,
                                               .r = r,
                                               .d = d != nullptr ? *d : r,
                                               .variant = d != nullptr ? with_d_ : variant_}));
}

void StoredMatrix::multiply_dot(Field& y, const Field& x, PartialSums& sum) {
    backend_.encode(
        call(ending::field{.y = y, .sum = sum, .x = x, .log2_field = x.layout().log2_width, .variant = variant_}));
}

void StoredMatrix::residual(Vector& r, const Vector& b, const Vector& x) {
    backend_.encode(call(ending::residual{.y = r, .x = x, .b = b, .variant = variant_}));
}

void StoredMatrix::relax(Vector& x, const Vector& b, const Vector* d, float weight, StorageId status) {
    backend_.encode(call(ending::relax{.y = x,
                                       .x = x,
                                       .b = b,
                                       .d = d != nullptr ? *d : b,
                                       .weight = weight,
                                       .status = status,
                                       .variant = d != nullptr ? with_d_ : variant_}));
}

/// x_2 = x_1 + w_2 d (b - A x_1)  with  x_1 = w_1 z, z = d b:  (w_1 + w_2) z - w_1 w_2 d (A z)
/// Formats that gather b one by one would gather d as well, which takes longer than the pass that is saved: 1.2 ... 1.5
/// times as long as both, where those that read lines take 0.4 ... 0.8.
void StoredMatrix::relax_twice(Vector& x, const Vector& b, const Vector* d, float first, float second) {
    if (format_.gathers && d != nullptr) return AssembledMatrix::relax_twice(x, b, d, first, second);
    backend_.encode(call(ending::relax_twice{.y = x,
                                             .x = b,
                                             .d = d != nullptr ? *d : b,
                                             .share = first + second,
                                             .weight = first * second,
                                             .variant = d != nullptr ? with_d_ : variant_}));
}

void StoredMatrix::relax(Field& x, const Field& b, const Vector& d, float weight) {
    backend_.encode(call(ending::relax_field{
        .y = x, .x = x, .b = b, .d = d, .log2_field = x.layout().log2_width, .weight = weight, .variant = with_d_}));
}

void StoredMatrix::relax_twice(Field& x, const Field& b, const Vector& d, float first, float second) {
    backend_.encode(call(ending::relax_twice_field{.y = x,
                                                   .x = b,
                                                   .d = d,
                                                   .log2_field = b.layout().log2_width,
                                                   .share = first + second,
                                                   .weight = first * second,
                                                   .variant = with_d_}));
}

void StoredMatrix::chebyshev(Vector& x, Vector& p, const Vector& b, const Vector* d, Step s, StorageId status,
                             PartialSums* sums) {
    const VariantId variant = d != nullptr ? with_d_ : variant_;
    const Vector& factors = d != nullptr ? *d : b;
    if (sums == nullptr) {
        backend_.encode(call(ending::chebyshev{.y = x,
                                               .p = p,
                                               .x = x,
                                               .b = b,
                                               .d = factors,
                                               .alpha = s.alpha,
                                               .beta = s.beta,
                                               .status = status,
                                               .variant = variant}));
    } else {
        backend_.encode(call(ending::chebyshev_norms{.y = x,
                                                     .p = p,
                                                     .sum = *sums,
                                                     .x = x,
                                                     .b = b,
                                                     .d = factors,
                                                     .alpha = s.alpha,
                                                     .beta = s.beta,
                                                     .status = status,
                                                     .variant = variant}));
    }
}

void StoredMatrix::chebyshev_chaotic(Vector& x, Vector& p, const Vector& b, const Vector* d,
                                     std::span<const Step> steps, StorageId status) {
    PassCall pass = call(ending::chebyshev_chaotic{.y = x,
                                                   .p = p,
                                                   .x = x,
                                                   .b = b,
                                                   .d = d != nullptr ? *d : b,
                                                   .steps = static_cast<std::int32_t>(steps.size()),
                                                   .status = status,
                                                   .variant = d != nullptr ? chaotic_with_d_ : chaotic_});
    std::vector<float> table = format_.table;
    for (const Step& s : steps) table.insert(table.end(), {s.alpha, s.beta});
    pass.table = table;
    backend_.encode(pass);
}

void StoredMatrix::multiply_two_float(Vector& y, Vector& y_low, const Vector& x, PartialSums& sum) {
    backend_.encode(
        call(ending::multiply_two_float{.y = y, .y_low = y_low, .sum = sum, .x = x, .variant = two_float_variant_}));
}

void StoredMatrix::residual_two_float(Vector& r, Vector& r_low, const TwoFloatVector& b, const TwoFloatVector& x,
                                      PartialSums& sum) {
    backend_.encode(call(ending::residual_two_float{.y = r,
                                                    .y_low = r_low,
                                                    .sum = sum,
                                                    .x = x.hi,
                                                    .x_low = x.lo,
                                                    .b = b.hi,
                                                    .b_low = b.lo,
                                                    .variant = two_float_variant_}));
}

std::vector<std::int32_t> tile_integers(const Layout& rows, const TileGrid& grid, int count, bool differences) {
    return {rows.log2_width, grid.log2_columns,  count, grid.tile.height, static_cast<std::int32_t>(rows.length),
            grid.count - 1,  differences ? 1 : 0};
}

}  // namespace glsolve::inline v0_1
