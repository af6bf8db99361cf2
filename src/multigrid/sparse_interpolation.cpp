#include "multigrid/sparse_interpolation.hpp"

#include <algorithm>
#include <array>

#include "amg/independent_roots.hpp"
#include "device/verbs.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

Backend& backend_of(const RowTextures& A) { return *A.backend; }
double entries_of_row(const RowTextures& A) {
    return static_cast<double>(A.size.entries) / std::max<double>(A.rows, 1);
}
/// Read only where there is t.
pass::Optional columns_for(const RowTextures& A, const Vector* t) {
    return t != nullptr ? pass::Optional(A.columns) : pass::Optional();
}
Storage integers_of_rows(const RowTextures& A, std::string_view label) {
    return {backend_of(A), A.layout.of_integers(A.rows), Element::integer, label};
}

}  // namespace

RowFacts look_at_rows(const RowTextures& A, Vector& d, const Vector* t) {
    Vector bound(backend_of(A), A.rows, "bounds of rows");
    backend_of(A).encode(pass::rows_diagonal{.d = d,
                                             .bound = bound,
                                             .offsets = A.offsets,
                                             .a = A.values,
                                             .columns = columns_for(A, t),
                                             .t = t,
                                             .log2_entries = A.layout.log2_width,
                                             .log2_width = d.layout().log2_width,
                                             .length = A.rows,
                                             .left_first = A.first});
    const std::array<float, 4> most = read_largest(std::move(bound));
    return {static_cast<double>(*std::ranges::max_element(most))};
}

Storage strong_columns(const RowTextures& A, const Vector& d, double threshold) {
    Backend& backend = backend_of(A);
    Storage made(backend, backend.extent(A.columns), Element::integer, "strong columns");
    backend.encode(pass::strong_columns{.s = made,
                                        .rows = A.parts,
                                        .offsets = A.offsets,
                                        .columns = A.columns,
                                        .a = A.values,
                                        .d = d,
                                        .log2_entries = A.layout.log2_width,
                                        .log2_width = d.layout().log2_width,
                                        .length = A.rows,
                                        .left_first = A.first,
                                        .strong = static_cast<float>(threshold)});
    return made;
}

namespace {

/// Of each unknown whether it is a root, by its key.
Storage find_roots(const RowTextures& A, StorageId strong) {
    constexpr int rounds_at_once = 4;  // before somebody looks whether all is decided
    Backend& backend = backend_of(A);
    Storage keys = integers_of_rows(A, "keys"), reached = integers_of_rows(A, "reached keys");
    backend.encode(pass::independent_keys{.keys = keys,
                                          .offsets = A.offsets,
                                          .s = strong,
                                          .log2_entries = A.layout.log2_width,
                                          .length = A.rows,
                                          .bits = bits_of_keys(A.rows)});
    PartialSums partial(backend, backend.extent(keys.id()));
    Scalar undecided(backend, "undecided");
    std::array<float, 4> left{1};
    while (left[0] > 0) {
        for (int round = 0; round < rounds_at_once; ++round) {
            backend.encode(pass::independent_reach{.reached = reached,
                                                   .offsets = A.offsets,
                                                   .s = strong,
                                                   .keys = keys,
                                                   .log2_entries = A.layout.log2_width,
                                                   .length = A.rows});
            backend.encode(pass::independent_decide{.keys = keys,
                                                    .sum = partial,
                                                    .offsets = A.offsets,
                                                    .s = strong,
                                                    .reached = reached,
                                                    .log2_entries = A.layout.log2_width,
                                                    .length = A.rows});
        }
        sum(undecided, partial, Finish::add_components);
        backend.collect(backend.read_later(undecided.id()), std::span<float>(left));
    }
    return keys;
}

}  // namespace

DeviceAggregates aggregates_around_roots(const RowTextures& A, StorageId strong) {
    Backend& backend = backend_of(A);
    const Storage keys = find_roots(A, strong);
    const Storage flags(backend, A.layout.extent(A.rows), Element::integer, "roots");
    backend.encode(
        pass::root_flags{.flags = flags, .keys = keys, .log2_entries = A.layout.log2_width, .length = A.rows});
    PrefixSums numbers = prefix_sums(backend, A.layout, flags, A.rows, 1);
    const Storage nearest = integers_of_rows(A, "aggregates within a step");
    DeviceAggregates made{.count = static_cast<Index>(numbers.size.texels),
                          .of = integers_of_rows(A, "aggregates"),
                          .numbers = std::move(numbers.offsets)};
    backend.encode(pass::aggregates_near{.aggregate = nearest,
                                         .keys = keys,
                                         .numbers = made.numbers,
                                         .offsets = A.offsets,
                                         .s = strong,
                                         .log2_entries = A.layout.log2_width,
                                         .length = A.rows});
    backend.encode(pass::aggregates_far{.aggregate = made.of,
                                        .nearest = nearest,
                                        .offsets = A.offsets,
                                        .s = strong,
                                        .log2_entries = A.layout.log2_width,
                                        .length = A.rows});
    return made;
}

namespace {

/// The unknowns of each aggregate.
DeviceRows members_of(const RowTextures& A, StorageId strong, const DeviceAggregates& aggregates) {
    const RowsToMake what{
        .rows = aggregates.count, .offered = entries_of_row(A) * entries_of_row(A), .has_values = false};
    return make_rows(backend_of(A), A.layout, what, [&](const RowsPass& to) -> PassCall {
        return pass::members{.columns = to.columns,
                             .counts = to.counts,
                             .rows = to.rows,
                             .offsets = to.offsets,
                             .numbers = aggregates.numbers,
                             .aggregate = aggregates.of,
                             .s_offsets = A.offsets,
                             .s = strong,
                             .log2_entries = A.layout.log2_width,
                             .length = aggregates.count,
                             .unknowns = A.rows};
    });
}

/// m <- omega / D, where D has the weak entries of a row, too.
Vector lumped(const RowTextures& A, const Vector& d, StorageId strong, double omega, const Vector* t) {
    Vector m(backend_of(A), A.rows, "omega / diagonal");
    backend_of(A).encode(pass::rows_lumped{.m = m,
                                           .offsets = A.offsets,
                                           .a = A.values,
                                           .columns = columns_for(A, t),
                                           .t = t,
                                           .d = d,
                                           .s = strong,
                                           .log2_entries = A.layout.log2_width,
                                           .log2_width = d.layout().log2_width,
                                           .length = A.rows,
                                           .left_first = A.first,
                                           .omega = static_cast<float>(omega)});
    return m;
}

}  // namespace

DeviceInterpolation smoothed_interpolation(const RowTextures& A, const Vector& d, StorageId strong,
                                           const DeviceAggregates& aggregates, double omega, const Vector* t) {
    Backend& backend = backend_of(A);
    const Vector m = lumped(A, d, strong, omega, t);
    DeviceRows P = make_rows(backend, A.layout, {.rows = A.rows}, [&](const RowsPass& to) -> PassCall {
        return pass::prolongation{.columns = to.columns,
                                  .values = to.values,
                                  .counts = to.counts,
                                  .rows = to.rows,
                                  .offsets = to.offsets,
                                  .aggregate = aggregates.of,
                                  .s_offsets = A.offsets,
                                  .s = strong,
                                  .a = A.values,
                                  .m = m,
                                  .t = t,
                                  .log2_entries = A.layout.log2_width,
                                  .log2_width = d.layout().log2_width,
                                  .length = A.rows,
                                  .left_first = A.first,
                                  .first = to.first,
                                  .omega = static_cast<float>(omega)};
    });
    const DeviceRows members = members_of(A, strong, aggregates);
    const RowsToMake of_Pt{.rows = aggregates.count, .offered = entries_of_row(members.at) * entries_of_row(A)};
    DeviceRows Pt = make_rows(backend, A.layout, of_Pt, [&](const RowsPass& to) -> PassCall {
        return pass::transposed_rows{.columns = to.columns,
                                     .values = to.values,
                                     .counts = to.counts,
                                     .rows = to.rows,
                                     .offsets = to.offsets,
                                     .m_offsets = members.offsets,
                                     .members = members.columns,
                                     .s_offsets = A.offsets,
                                     .s = strong,
                                     .p_offsets = P.at.offsets,
                                     .p_columns = P.at.columns,
                                     .p_values = P.at.values,
                                     .log2_entries = A.layout.log2_width,
                                     .length = aggregates.count,
                                     .first = to.first};
    });
    return {std::move(P), std::move(Pt)};
}

namespace {

/// What is left out, or said otherwise, where rows are multiplied.
struct RowsProduct {
    const Vector* d = nullptr;  ///< 1 / d is the diagonal of A, which is not among its entries; null: A has no such
    bool whole = false;         ///< all of A B; else, without d, but its diagonal
    std::int32_t of_sums = 0;   ///< texels in front of the values
};

DeviceRows product_of_rows(const RowTextures& A, const RowTextures& B, const RowsProduct& how) {
    const RowsToMake made{.rows = A.rows, .offered = entries_of_row(A), .of_sums = how.of_sums};
    return make_rows(backend_of(A), A.layout, made, [&](const RowsPass& to) -> PassCall {
        return pass::rows_product{.columns = to.columns,
                                  .values = to.values,
                                  .counts = to.counts,
                                  .rows = to.rows,
                                  .offsets = to.offsets,
                                  .left_offsets = A.offsets,
                                  .left_columns = A.columns,
                                  .a = A.values,
                                  .d = how.d,
                                  .right_offsets = B.offsets,
                                  .right_columns = B.columns,
                                  .right_values = B.values,
                                  .log2_entries = A.layout.log2_width,
                                  .log2_width = how.d != nullptr ? how.d->layout().log2_width : 0,
                                  .length = A.rows,
                                  .left_first = A.first,
                                  .first = to.first,
                                  .whole = how.whole};
    });
}

}  // namespace

DeviceRows product_of_patterns(const RowTextures& A, const RowTextures& B) {
    return product_of_rows(A, B, {.whole = true});
}

std::optional<DeviceRows> galerkin_rows(const DeviceInterpolation& interpolation, const RowTextures& A,
                                        const Vector& d) {
    constexpr double too_many = 256;   // entries of a row
    constexpr double too_much = 4e9;   // texels to be looked at: some 0.1 s on an H200
    constexpr double times_found = 8;  // the same column, by so many neighbours
    const DeviceRows AP = product_of_rows(A, interpolation.P.at, {.d = &d});
    const RowTextures& Pt = interpolation.Pt.at;
    const double offered = entries_of_row(Pt) * entries_of_row(AP.at);
    const double found = std::min<double>(offered / times_found, Pt.rows);
    if (found > too_many && found * offered / 4 * Pt.rows > too_much) return {};
    return product_of_rows(Pt, AP.at, {.of_sums = texels_of_sums(A.layout, Pt.rows)});
}

}  // namespace glsolve::inline v0_1
