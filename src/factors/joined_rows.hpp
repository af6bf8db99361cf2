/// Patterns whose rows are found in parallel.
#pragma once

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "base/parallel.hpp"
#include "factors/inverse_pattern.hpp"

namespace glsolve::inline v0_1 {

/// make(begin, end, add_row) calls add_row(columns) for rows begin ... end - 1 in their order.
template <class Make>
SparsityPattern joined_rows(Index rows, Offset grain, const Make& make) {
    struct Part {
        std::vector<Offset> lengths;
        std::vector<Index> column;
    };
    const std::vector<Part> parts = parallel_parts(rows, grain, [&](Offset begin, Offset end) {
        Part part;
        make(static_cast<Index>(begin), static_cast<Index>(end), [&](std::span<const Index> columns) {
            part.lengths.push_back(static_cast<Offset>(columns.size()));
            part.column.insert(part.column.end(), columns.begin(), columns.end());
        });
        return part;
    });
    SparsityPattern pattern;
    pattern.offsets.reserve(static_cast<std::size_t>(rows) + 1);
    for (const Part& part : parts) {
        for (const Offset length : part.lengths) pattern.offsets.push_back(pattern.offsets.back() + length);
        pattern.column.insert(pattern.column.end(), part.column.begin(), part.column.end());
    }
    return pattern;
}

}  // namespace glsolve::inline v0_1
