#include "amg/aggregation.hpp"

#include <algorithm>

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
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const Index n = fine.size[axis];
        made.lattice.size[axis] = joined[axis] ? blocks_of(n) : n;
    }
    made.count = made.lattice.points();
    made.of.resize(static_cast<std::size_t>(fine.points()));
    std::array<Index, 3> at{};
    std::size_t i = 0;
    const auto block = [&](std::size_t axis) {
        return joined[axis] ? block_of(at[axis], made.lattice.size[axis]) : at[axis];
    };
    for (at[2] = 0; at[2] < fine.size[2]; ++at[2]) {
        for (at[1] = 0; at[1] < fine.size[1]; ++at[1]) {
            for (at[0] = 0; at[0] < fine.size[0]; ++at[0]) {
                made.of[i++] = made.lattice.number({block(0), block(1), block(2)});
            }
        }
    }
    return made;
}

}  // namespace glsolve::inline v0_1
