#include "inverses/fixed_point_sweeps.hpp"

#include <algorithm>

#include "formats/csr_of_passes.hpp"
#include "formats/packed_numbers.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

// Places, as the pass `quotients` reads them.
constexpr std::int32_t zero = -1, one = -2, undivided = -1;

}  // namespace

FixedPointSweeps::FixedPointSweeps(Backend& backend, const FixedPointPattern& pattern)
    : backend_(backend),
      pattern_(pattern),
      v_(backend, pattern.places(), "factors V"),
      w_(backend, pattern.places(), "V over its pivots"),
      c_(backend, pattern.places(), "C"),
      terms_(packed_integers(backend, pattern.terms, "terms of sweeps")),
      first_term_(packed_integers(backend, padded_terms(), "first terms of sweeps")),
      itself_(places([](std::int32_t e, std::int32_t) { return e; })),
      pivot_of_row_(
          places([&](std::int32_t, std::int32_t row) { return pattern.diagonal[static_cast<std::size_t>(row)]; })) {}

/// The terms behind the last place begin, and end, where all terms end.
std::vector<std::int32_t> FixedPointSweeps::padded_terms() const {
    std::vector<std::int32_t> first = pattern_.first_term;
    first.resize(static_cast<std::size_t>(v_.layout().extent().texels() + 1) * 4, first.back());
    return first;
}

/// For each number of a vector as V: place(e, row) of place e; nothing behind the last one.
template <class Place>
Storage FixedPointSweeps::places(const Place& place) const {
    std::vector<std::int32_t> numbers(static_cast<std::size_t>(pattern_.places()));
    for (std::int32_t row = 0; row < pattern_.rows(); ++row) {
        for (auto e = static_cast<std::int32_t>(pattern_.offsets[static_cast<std::size_t>(row)]);
             e < pattern_.offsets[static_cast<std::size_t>(row) + 1]; ++e)
            numbers[static_cast<std::size_t>(e)] = place(e, row);
    }
    return integers_as(backend_, v_.layout(), numbers, zero);
}

void FixedPointSweeps::begin(std::span<const float> c) {
    c_.upload(c);
    v_.upload(c);
}

/// y <- v[n] / v[d]
void FixedPointSweeps::fill(StorageId y, const Storage& n, const Storage& d) {
    backend_.encode(pass::quotients{.y = y, .x = v_, .n = n, .d = d, .log2_width = v_.layout().log2_width});
}

void FixedPointSweeps::sweep(int times) {
    for (int k = 0; k < times; ++k) {
        fill(w_.id(), itself_, pivot_of_row_);  // w_kj = v_kj / v_kk
        backend_.encode(pass::ilu_sweep{.v = v_,
                                        .w = w_,
                                        .c = c_,
                                        .terms = terms_.storage,
                                        .offsets = first_term_.storage,
                                        .log2_width = v_.layout().log2_width,
                                        .log2_terms = terms_.log2_width,
                                        .log2_offsets = first_term_.log2_width});
    }
}

std::vector<double> FixedPointSweeps::numbers() const {
    const std::vector<float> texels = v_.download_texels();
    return {texels.begin(), texels.begin() + pattern_.places()};
}

std::unique_ptr<AssembledMatrix> FixedPointSweeps::triangle(Triangle which) {
    const bool lower = which == Triangle::lower;
    CsrMatrix T{.rows = pattern_.rows(), .columns = pattern_.rows()};
    std::vector<std::int32_t> place, pivot;  // of each entry of T
    for (std::size_t i = 0; i < pattern_.diagonal.size(); ++i) {
        const std::int32_t d = pattern_.diagonal[i];
        const auto begin = lower ? static_cast<std::int32_t>(pattern_.offsets[i]) : d + 1,
                   end = lower ? d : static_cast<std::int32_t>(pattern_.offsets[i + 1]);
        for (std::int32_t e = begin; e < end; ++e) {
            const Index j = pattern_.column[static_cast<std::size_t>(e)];
            T.column.push_back(j);
            place.push_back(e);
            pivot.push_back(lower ? pattern_.diagonal[static_cast<std::size_t>(j)] : d);  // v_ij / v_jj or / v_ii
        }
        T.offsets.push_back(static_cast<Offset>(T.column.size()));
    }
    T.value.assign(T.column.size(), 0.0);
    CsrOfPasses made = csr_of_passes(backend_, T);
    const auto of_each = [&](const std::vector<std::int32_t>& of_entry, std::int32_t otherwise) {
        std::vector<std::int32_t> numbers;
        numbers.reserve(made.entry.size());
        for (const std::int32_t e : made.entry)
            numbers.push_back(e < 0 ? otherwise : of_entry[static_cast<std::size_t>(e)]);
        return integers_as(backend_, made.layout, numbers, otherwise);
    };
    fill(made.values, of_each(place, zero), of_each(pivot, undivided));
    return std::move(made.matrix);
}

Vector FixedPointSweeps::reciprocals() {
    Vector made(backend_, pattern_.rows(), "1 / pivots");
    const std::vector<std::int32_t> ones(pattern_.diagonal.size(), one);
    const Storage numerators = integers_as(backend_, made.layout(), ones, zero),
                  denominators = integers_as(backend_, made.layout(), pattern_.diagonal, undivided);
    fill(made.id(), numerators, denominators);
    return made;
}

}  // namespace glsolve::inline v0_1
