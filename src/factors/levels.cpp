#include "factors/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>
#include <numeric>

namespace glsolve::inline v0_1 {
namespace {

Index deepest(const Index* level, const Index* begin, const Index* end, Index row, Triangle triangle) {
    Index found = 0;
    for (const Index* j = begin; j != end; ++j) {
        if (*j == row) continue;
        if ((*j < row) != (triangle == Triangle::lower)) {
            throw InvalidInput(
                fmt::format("level sets: row {} has an entry in column {}; all of them have to be {} the diagonal",
                            row + 1, *j + 1, triangle == Triangle::lower ? "below" : "above"));
        }
        found = std::max(found, level[*j] + 1);
    }
    return found;
}

}  // namespace

Index Levels::widest() const {
    Index most = 0;
    for (std::size_t k = 1; k < begin.size(); ++k) most = std::max(most, begin[k] - begin[k - 1]);
    return most;
}

Levels level_sets(std::span<const Offset> offsets, std::span<const Index> column, Triangle triangle) {
    Levels made;
    const auto n = static_cast<Index>(offsets.size() - 1);
    made.level_of_row.resize(offsets.size() - 1);
    Index* const level = made.level_of_row.data();
    const Offset* const row = offsets.data();
    for (Index k = 0; k < n; ++k) {
        const Index i = triangle == Triangle::lower ? k : n - 1 - k;
        level[i] = deepest(level, column.data() + row[i], column.data() + row[i + 1], i, triangle);
        made.count = std::max(made.count, level[i] + 1);
    }
    // A counting sort by levels: it leaves rows of a level in their order.
    made.begin.assign(static_cast<std::size_t>(made.count) + 1, 0);
    Index* const begin = made.begin.data();
    for (const Index l : made.level_of_row) ++begin[l + 1];
    std::partial_sum(made.begin.begin(), made.begin.end(), made.begin.begin());
    made.order.resize(made.level_of_row.size());
    std::vector<Index> next(made.begin.begin(), made.begin.end());
    for (Index i = 0; i < n; ++i) made.order.data()[next.data()[level[i]]++] = i;
    return made;
}

Levels level_sets(CsrView T, Triangle triangle) {
    if (T.rows != T.columns) {
        throw InvalidInput(fmt::format("level sets: the matrix is {} x {}; it has to be square", T.rows, T.columns));
    }
    return level_sets(T.offsets, T.column, triangle);
}

}  // namespace glsolve::inline v0_1
