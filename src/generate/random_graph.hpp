/// The edges of connected random graphs.
#pragma once

#include <cstdint>
#include <glsolve/generate.hpp>

#include "base/random.hpp"

namespace glsolve::inline v0_1 {

/// Calls visit(i, j, weight) for every edge of a connected graph, i != j: each vertex but the first has an edge to one
/// before it, further edges join any. Weights are uniform in [0.5, 1.5). The same edges each time: no list of them is
/// needed.
template <typename Visit>
void for_each_edge(Index vertices, Index degree, Degrees degrees, std::uint64_t seed, const Visit& visit) {
    Random random(seed);
    // t = u^3 has the density t^(-2/3) / 3: at vertex j end edges as j^(-2/3), and as many vertices have degree k as
    // k^(-5/2).
    const auto vertex_below = [&](Index end) {
        const double u = random.uniform();
        return static_cast<Index>((degrees == Degrees::power_law ? u * u * u : u) * end);
    };
    const auto weight = [&] { return 0.5 + random.uniform(); };
    for (Index i = 1; i < vertices; ++i) {
        const Index j = vertex_below(i);
        visit(i, j, weight());
    }
    const Offset edges = Offset{vertices} * degree / 2;
    for (Offset edge = vertices - 1; edge < edges; ++edge) {
        const auto i = static_cast<Index>(random.uniform() * vertices);
        const Index j = vertex_below(vertices);
        const double w = weight();
        if (i != j) visit(i, j, w);
    }
}

}  // namespace glsolve::inline v0_1
