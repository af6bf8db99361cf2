#include "amg/aggregation.hpp"

#include <algorithm>

#include "amg/independent_roots.hpp"
#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {

namespace {

constexpr Index joining_grain = 8192;  ///< unknowns that are worth a thread

/// Each that has no aggregate gets that of the first of its neighbours that has one.
std::vector<Index> joined_to_neighbours(const Strength& S, const std::vector<Index>& of) {
    std::vector<Index> joined = of;
    parallel_for(S.size(), joining_grain, [&](int, Offset begin, Offset end) {
        for (Offset i = begin; i < end; ++i) {
            if (of[i] != Aggregates::none) continue;
            const auto row = S.row(static_cast<Index>(i));
            const auto first = std::ranges::find_if(row, [&](Index j) { return of[j] != Aggregates::none; });
            if (first != row.end()) joined[i] = of[*first];
        }
    });
    return joined;
}

}  // namespace

// Roots with what one step leads to; then whoever has a neighbour in an aggregate joins it. There are as many roots as
// distances allow, so nobody is farther away than two steps.
Aggregates around_roots(const Strength& S) {
    const std::vector<bool> is_root = independent_roots(S);
    Aggregates made;
    made.of.assign(is_root.size(), Aggregates::none);
    for (std::size_t i = 0; i < is_root.size(); ++i) {
        if (is_root[i]) made.of[i] = made.count++;
    }
    made.of = joined_to_neighbours(S, joined_to_neighbours(S, made.of));
    return made;
}

Aggregates blocks(const Lattice& fine, std::array<bool, 3> joined) {
    Aggregates made;
    made.lattice = coarser(fine, joined);
    made.count = made.lattice.points();
    made.of.resize(static_cast<std::size_t>(fine.points()));
    std::array<std::vector<Index>, 3> block;  // along each axis, of each place there
    for (std::size_t axis = 0; axis < 3; ++axis) {
        for (Index at = 0; at < fine.size[axis]; ++at) {
            block[axis].push_back(joined[axis] ? block_of(at, made.lattice.size[axis]) : at);
        }
    }
    const Index length = fine.size[0];
    parallel_for(fine.points() / length, usual_grain / length + 1, [&](int, Offset begin, Offset end) {
        for (Offset line = begin; line < end; ++line) {
            const auto y = static_cast<std::size_t>(line % fine.size[1]),
                       z = static_cast<std::size_t>(line / fine.size[1]);
            for (Index x = 0; x < length; ++x) {
                made.of[line * length + x] = made.lattice.number({block[0][x], block[1][y], block[2][z]});
            }
        }
    });
    return made;
}

}  // namespace glsolve::inline v0_1
