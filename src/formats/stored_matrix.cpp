#include "formats/stored_matrix.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/parallel.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {

namespace ending = pass::ending;

void StoredMatrix::make_variants() {
    const auto with = [&](const std::string& more) {
        return backend().variant(format_.definitions + (rest_ ? "REST\n" : "") + more, format_.source);
    };
    variants_.plain = with("");
    variants_.with_d = with("HAS_D\n");
    const std::string first_step = fmt::format("FIRST_STEP {}\n", format_.table.size() / 2);
    steps_ = with(first_step);
    steps_with_d_ = with(first_step + "HAS_D\n");
    variants_.two_float = values_.has_low() ? with("A_LOW\n") : variants_.plain;
}

void StoredMatrix::add(const FormatInput& in, Extent extent, std::span<const double> values) {
    values_ = StoredValues(backend(), in, extent, values);
    make_variants();
}

void StoredMatrix::take_rest(std::unique_ptr<Rest> rest) {
    rest_ = std::move(rest);
    make_variants();
}

void StoredMatrix::add(Extent extent, std::span<const std::int32_t> structure) {
    take_structure(Storage(backend(), extent, Element::integer, "matrix structure"));
    backend().upload(structure_.back().id(), structure);
}

std::int64_t StoredMatrix::bytes() const {
    std::int64_t bytes = values_.bytes() + (rest_ ? rest_->bytes() : 0);
    for (const Storage& storage : structure_) bytes += backend().bytes(storage.id());
    return bytes;
}

template <class Multiply>
ProductOperands StoredMatrix::operands_with(const Multiply& multiply) {
    if (format_.rest_integers) {
        const Rest::Operands rest = rest_ ? multiply(*rest_) : Rest::none(structure_.front().id(), values_.id());
        structure_ids_.resize(structure_.size());
        structure_ids_.insert(structure_ids_.end(), rest.structure.begin(), rest.structure.end());
        std::ranges::copy(rest.integers,
                          format_.integers.begin() + static_cast<std::ptrdiff_t>(*format_.rest_integers));
    }
    return {.passes = format_.passes,
            .a = values_.id(),
            .a_low = values_.low(),
            .structure = structure_ids_,
            .integers = format_.integers,
            .table = format_.table,
            .team = format_.team};
}

ProductOperands StoredMatrix::operands(const Vector& x) {
    return operands_with([&](Rest& rest) { return rest.multiply(x); });
}
ProductOperands StoredMatrix::operands(const MultiVector& x) {
    return operands_with([&](Rest& rest) { return rest.multiply(x); });
}
ProductOperands StoredMatrix::operands_two_float(const Vector& x) {
    return operands_with([&](Rest& rest) { return rest.multiply_two_float(x); });
}
ProductOperands StoredMatrix::operands_two_float(const TwoFloatVector& x) {
    return operands_with([&](Rest& rest) { return rest.multiply_two_float(x); });
}

void StoredMatrix::multiply_dot(MultiVector& y, const MultiVector& x, PartialSums& sum) {
    const ending::field call{
        .y = y, .sum = sum, .x = x, .log2_field = x.layout().log2_width, .variant = variants_.plain};
    backend().encode(call.of(operands(x)));
}

/// x_2 = x_1 + w_2 d (b - A x_1)  with  x_1 = w_1 z, z = d b:  (w_1 + w_2) z - w_1 w_2 d (A z)
/// Formats that gather b one by one would gather d as well, which takes longer than the pass that is saved: 1.2 ... 1.5
/// times as long as both, where those that read lines take 0.4 ... 0.8.
void StoredMatrix::relax_twice(Vector& x, const Vector& b, const Vector* d, float first, float second) {
    if (format_.gathers && d != nullptr) return AssembledMatrix::relax_twice(x, b, d, first, second);
    backend().encode(ending::relax_twice{.y = x,
                                         .x = b,
                                         .d = d != nullptr ? *d : b,
                                         .share = first + second,
                                         .weight = first * second,
                                         .variant = variant(d)}
                         .of(operands(b)));
}

void StoredMatrix::relax(MultiVector& x, const MultiVector& b, const Vector& d, float weight) {
    backend().encode(ending::relax_field{.y = x,
                                         .x = x,
                                         .b = b,
                                         .d = d,
                                         .log2_field = x.layout().log2_width,
                                         .weight = weight,
                                         .variant = variants_.with_d}
                         .of(operands(x)));
}

void StoredMatrix::relax_twice(MultiVector& x, const MultiVector& b, const Vector& d, float first, float second) {
    backend().encode(ending::relax_twice_field{.y = x,
                                               .x = b,
                                               .d = d,
                                               .log2_field = b.layout().log2_width,
                                               .share = first + second,
                                               .weight = first * second,
                                               .variant = variants_.with_d}
                         .of(operands(b)));
}

/// What a rest adds comes from a pass before.
bool StoredMatrix::has_asynchronous_steps() const {
    return format_.passes[static_cast<std::size_t>(Ending::chebyshev_steps)] != PassId::count && !rest_
           && backend().can().asynchronous;
}

void StoredMatrix::chebyshev_steps(Vector& x, Vector& p, const Vector& b, const Vector* d, std::span<const Step> steps,
                                   StorageId status) {
    if (!has_asynchronous_steps()) return AssembledMatrix::chebyshev_steps(x, p, b, d, steps, status);
    PassCall pass = ending::chebyshev_steps{.y = x,
                                            .p = p,
                                            .x = x,
                                            .b = b,
                                            .d = d != nullptr ? *d : b,
                                            .steps = static_cast<std::int32_t>(steps.size()),
                                            .status = status,
                                            .variant = d != nullptr ? steps_with_d_ : steps_}
                        .of(operands(x));
    std::vector<float> table = format_.table;
    for (const Step& s : steps) table.insert(table.end(), {s.alpha, s.beta});
    pass.table = table;
    backend().encode(pass);
}

std::vector<std::int32_t> tile_integers(const Layout& rows, const TileLayout& grid, int count, bool differences) {
    return {rows.log2_width, grid.log2_columns,  count, grid.tile.height, static_cast<std::int32_t>(rows.length),
            grid.count - 1,  differences ? 1 : 0};
}

}  // namespace glsolve::inline v0_1
