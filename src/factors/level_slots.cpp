#include "factors/level_slots.hpp"

#include <algorithm>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr std::size_t rows_of_texel = 4;

}  // namespace

LevelSlots level_slots(CsrView T, Triangle triangle) {
    const Levels levels = level_sets(T, triangle);
    const auto length = [&](Index i) { return T.row(i).size(); };
    LevelSlots made;
    made.place_of.resize(static_cast<std::size_t>(T.rows));
    for (Index level = 0; level < levels.count; ++level) {
        std::vector<Index> rows(levels.order.begin() + levels.begin[static_cast<std::size_t>(level)],
                                levels.order.begin() + levels.begin[static_cast<std::size_t>(level) + 1]);
        std::ranges::stable_sort(rows, std::greater{}, length);
        rows.resize((rows.size() + rows_of_texel - 1) / rows_of_texel * rows_of_texel, -1);
        for (const Index row : rows) {
            if (row >= 0) made.place_of[static_cast<std::size_t>(row)] = static_cast<Index>(made.row_at.size());
            made.row_at.push_back(row);
        }
        made.levels.push_back(static_cast<std::int32_t>(made.row_at.size() / rows_of_texel));
    }
    for (std::size_t first = 0; first < made.row_at.size(); first += rows_of_texel)
        made.slots.push_back(made.slots.back() + static_cast<std::int32_t>(length(made.row_at[first])));  // the longest
    made.values = filled(static_cast<std::size_t>(made.slots.back()) * rows_of_texel, 0.0);
    made.columns = filled(made.values.size(), std::int32_t{0});
    const auto fill_row = [&](std::size_t place) {
        const Index row = made.row_at[place];
        if (row < 0) return;
        const std::size_t lane = place % rows_of_texel;
        std::size_t at = static_cast<std::size_t>(made.slots[place / rows_of_texel]) * rows_of_texel + lane;
        for (const auto [j, t] : T.row(row)) {
            made.values[at] = t;
            made.columns[at] = made.place_of[static_cast<std::size_t>(j)];
            at += rows_of_texel;
        }
    };
    parallel_each(made.row_at.size(), row_grain(T), fill_row);
    return made;
}

}  // namespace glsolve::inline v0_1
