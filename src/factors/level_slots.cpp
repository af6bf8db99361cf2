#include "factors/level_slots.hpp"

#include <algorithm>

namespace glsolve::inline v0_1 {
namespace {

constexpr std::size_t rows_of_texel = 4;

}  // namespace

LevelSlots level_slots(const CsrMatrix& T, Triangle triangle) {
    const Levels levels = level_sets(T, triangle);
    const auto length = [&](Index i) {
        return T.offsets[static_cast<std::size_t>(i) + 1] - T.offsets[static_cast<std::size_t>(i)];
    };
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
    for (std::size_t first = 0; first < made.row_at.size(); first += rows_of_texel) {
        const auto begin = static_cast<std::size_t>(made.slots.back());
        const Offset count = length(made.row_at[first]);  // the longest of the four
        const auto end = begin + static_cast<std::size_t>(count);
        made.slots.push_back(static_cast<std::int32_t>(end));
        made.values.resize(end * rows_of_texel, 0.0);
        made.columns.resize(end * rows_of_texel, 0);
        for (std::size_t lane = 0; lane < rows_of_texel; ++lane) {
            const Index row = made.row_at[first + lane];
            if (row < 0) continue;
            std::size_t at = begin * rows_of_texel + lane;
            for (auto e = static_cast<std::size_t>(T.offsets[static_cast<std::size_t>(row)]);
                 e < static_cast<std::size_t>(T.offsets[static_cast<std::size_t>(row) + 1]); ++e, at += rows_of_texel) {
                made.values[at] = T.value[e];
                made.columns[at] = made.place_of[static_cast<std::size_t>(T.column[e])];
            }
        }
    }
    return made;
}

}  // namespace glsolve::inline v0_1
