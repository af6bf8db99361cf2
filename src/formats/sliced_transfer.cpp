#include "formats/loop_rounds.hpp"
#include "formats/transfer_formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>
#include <numeric>

#include "base/parallel.hpp"
#include "formats/product_costs.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr int log2_slice = 2;         // texels: 16 rows
constexpr int most_equal_slots = 32;  // beyond, the shader's loop is not worth unrolling
constexpr Offset most_slots = 4 * most_loop_rounds;
constexpr Index transfer_grain = 1 << 12;  // slices

/// Slots of each slice of y, the texels behind the last row included.
std::vector<Offset> slots_of_slices(CsrView P, const Layout& rows) {
    const std::int64_t slices = ((rows.extent().texels() - 1) >> log2_slice) + 1;
    std::vector<Offset> slots(static_cast<std::size_t>(slices), 0);
    constexpr Index rows_of_slice = 4 << log2_slice;
    parallel_each(slots.size(), transfer_grain, [&](std::size_t slice) {
        const auto first = static_cast<Index>(slice) * rows_of_slice;
        for (Index i = first; i < std::min(first + rows_of_slice, P.rows); ++i)
            slots[slice] = std::max<Offset>(slots[slice], std::ssize(P.row(i)));
    });
    return slots;
}

/// The numbers of P and their columns, slice after slice.
struct SlicedNumbers {
    std::vector<float> a;
    std::vector<std::int32_t> columns;

    /// `first`: four numbers for each slice, its first texel in front.
    SlicedNumbers(const TransferInput& in, std::size_t count, std::span<const Offset> slots,
                  std::span<const std::int32_t> first)
        : a(count, 0.0f), columns(count, 0) {
        parallel_for(static_cast<Index>(slots.size()), transfer_grain, [&](int, Index begin, Index end) {
            for (Index slice = begin; slice < end; ++slice) {
                write(in, slice, static_cast<std::size_t>(first[static_cast<std::size_t>(slice) * 4]),
                      static_cast<std::size_t>(slots[static_cast<std::size_t>(slice)]));
            }
        });
    }

  private:
    void write(const TransferInput& in, Index slice, std::size_t first, std::size_t slots) {
        const CsrView P = in.P;
        for (Index r = 0; r < (4 << log2_slice); ++r) {
            const Index i = (slice << (log2_slice + 2)) + r;
            if (i >= P.rows) break;
            const auto row = static_cast<std::size_t>(i);
            std::size_t at = 4 * first + static_cast<std::size_t>(r);
            for (Offset k = P.offsets[row]; k < P.offsets[row + 1]; ++k, at += 4 << log2_slice) {
                a[at] = in.scaled(i, k);
                columns[at] = P.column[static_cast<std::size_t>(k)];
            }
            // Slots that stay empty multiply some number that the row has anyway by 0: an infinity elsewhere must not
            // turn this row into NaN.
            const Index any = P.row(row).empty() ? 0 : P.row(row).columns().front();
            for (const std::size_t behind = 4 * (first + (slots << log2_slice)); at < behind; at += 4 << log2_slice) {
                columns[at] = any;
            }
        }
    }
};

}  // namespace

TransferCost cost_of_sliced_transfer(const TransferInput& in, const std::optional<ProductCosts>& costs) {
    const Layout rows = layout_of(in.P.rows);
    const std::vector<Offset> slots = slots_of_slices(in.P, rows);
    const Offset most = *std::max_element(slots.begin(), slots.end());
    const double texels = static_cast<double>(std::accumulate(slots.begin(), slots.end(), Offset{0}) << log2_slice);
    const std::int64_t of_y = rows.extent().texels();
    TransferCost cost{.possible = most <= most_slots};
    cost.fetches = 6 * texels + 2 * static_cast<double>(of_y);  // of a slot: values, columns, four texels of x
    if (costs) cost.seconds = product_seconds(*costs, of_y, 1, static_cast<double>(most), 16 * 2 * texels);
    return cost;
}

Transfer make_sliced_transfer(Backend& backend, const TransferInput& in) {
    const CsrView P = in.P;
    const Layout rows = layout_of(P.rows);
    std::vector<Offset> slots = slots_of_slices(P, rows);
    const Offset most = *std::max_element(slots.begin(), slots.end());
    Offset needed = 0;
    for (const Offset s : slots) needed += s;
    const bool equal = most <= most_equal_slots && 4 * most * static_cast<Offset>(slots.size()) <= 5 * needed;
    if (equal) std::fill(slots.begin(), slots.end(), most);
    if (most > most_slots) {
        throw InvalidInput(fmt::format("a transfer between levels has a row of {} numbers; shaders may go through {}",
                                       most, most_slots));
    }
    std::vector<std::int32_t> found;  // first texel and slots of each slice
    Offset texels = 0;
    for (const Offset s : slots) {
        found.insert(found.end(), {static_cast<std::int32_t>(texels), static_cast<std::int32_t>(s), 0, 0});
        texels += s << log2_slice;
    }
    const Layout values = layout_of(std::max<Offset>(4 * texels, 1)),
                 table = layout_of(equal ? 1 : static_cast<Offset>(found.size()));
    const int limit = backend.info().max_texture_size;
    if (std::max({values.extent().width, values.height, table.extent().width, table.height}) > limit) {
        throw InvalidInput(fmt::format(
            "a transfer between levels needs {} texels, which do not fit a texture of {} x {}", texels, limit, limit));
    }

    const SlicedNumbers made(in, static_cast<std::size_t>(values.extent().texels()) * 4, slots, found);
    std::vector<Storage> textures;
    textures.emplace_back(backend, values.extent(), in.element(), "transfer values");
    textures.emplace_back(backend, values.extent(), Element::integer, "transfer columns");
    textures.emplace_back(backend, table.extent(), Element::integer, "transfer slices");
    backend.upload(textures[0].id(), made.a);
    backend.upload(textures[1].id(), made.columns);
    found.resize(static_cast<std::size_t>(table.extent().texels()) * 4);
    backend.upload(textures[2].id(), found);
    const int log2_x = layout_of(P.columns).log2_width;
    const auto call = [=](Vector& y, const Vector& x, std::span<const Storage> of_P, bool add) -> PassCall {
        return pass::transfer{.y = y,
                              .x = x,
                              .a = of_P[0],
                              .columns = of_P[1],
                              .slices = of_P[2],
                              .log2_width = rows.log2_width,
                              .log2_x = log2_x,
                              .log2_values = values.log2_width,
                              .log2_slice = log2_slice,
                              .log2_slices = table.log2_width,
                              .add = add};
    };
    return {std::move(textures), call, equal ? fmt::format("SLOTS {}\n", most) : ""};
}

}  // namespace glsolve::inline v0_1
