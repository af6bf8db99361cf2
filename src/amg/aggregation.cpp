#include "amg/aggregation.hpp"

#include <algorithm>

#include "base/parallel.hpp"

namespace glsolve::inline v0_1 {

// Roots in the order of the unknowns, with what one step leads to; then whoever has a neighbour in an aggregate joins
// it. As many roots as distances allow, so nobody is farther away than two steps.
Aggregates around_roots(const Strength& S) {
    constexpr Index near = -2;  // two steps from a root
    Aggregates made;
    made.of.assign(static_cast<std::size_t>(S.size()), Aggregates::none);
    std::vector<Index>& of = made.of;
    for (Index i = 0; i < S.size(); ++i) {
        if (of[i] != Aggregates::none || S.row(i).empty()) continue;
        const Index own = made.count++;
        of[i] = own;
        for (const Index j : S.row(i)) of[j] = own;
        for (const Index j : S.row(i)) {
            for (const Index k : S.row(j)) {
                if (of[k] == Aggregates::none) of[k] = near;
            }
        }
    }
    std::vector<Index> joined = of;
    for (Index i = 0; i < S.size(); ++i) {
        if (of[i] != near) continue;
        for (const Index j : S.row(i)) {
            if (joined[i] < 0 && of[j] >= 0) joined[i] = of[j];
        }
    }
    made.of = std::move(joined);
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
