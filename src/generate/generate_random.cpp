#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <limits>

#include "base/random.hpp"
#include "base/require_range.hpp"
#include "generate/random_graph.hpp"
#include "matrix/csr_build.hpp"

namespace glsolve::inline v0_1 {
CsrMatrix graph_laplacian(Index rows, Index degree, Degrees degrees, std::uint64_t seed) {
    constexpr std::string_view name = "graph-laplacian";
    require_range(name, "rows", rows, Index{3}, std::numeric_limits<Index>::max());
    require_range(name, "degree", degree, Index{2}, rows - 1);
    std::vector<double> weights(static_cast<std::size_t>(rows), 0.0);  // of all edges at each vertex
    for_each_edge(rows, degree, degrees, seed, [&](Index i, Index j, double weight) {
        weights[i] += weight;
        weights[j] += weight;
    });
    weights[0] += 1;
    return assemble_csr(rows, rows, [&](const auto& visit) {
        for_each_edge(rows, degree, degrees, seed, [&](Index i, Index j, double weight) {
            visit(i, j, -weight);
            visit(j, i, -weight);
        });
        for (Index i = 0; i < rows; ++i) visit(i, i, weights[i]);
    });
}

CsrMatrix random_spd(Index rows, Offset nonzeros, std::uint64_t seed) {
    const Offset most = Offset{rows} * rows;
    if (rows < 1 || nonzeros < rows || nonzeros > most) {
        throw InvalidInput(fmt::format(
            "random-spd: {} rows with {} nonzeros; at least 1 row, and from {} (the diagonal) to {} nonzeros", rows,
            nonzeros, rows, most));
    }
    Random random(seed);
    std::vector<Triplet> entries;
    entries.reserve(static_cast<std::size_t>(nonzeros));
    std::vector<double> row_sum(static_cast<std::size_t>(rows), 0.0);
    for (Offset pair = 0; pair < (nonzeros - rows) / 2; ++pair) {
        const auto i = static_cast<Index>(random.uniform() * rows);
        const auto j = static_cast<Index>(random.uniform() * rows);
        const double value = random.normal();
        if (i == j) continue;
        entries.push_back({i, j, value});
        entries.push_back({j, i, value});
        row_sum[static_cast<std::size_t>(i)] += std::abs(value);
        row_sum[static_cast<std::size_t>(j)] += std::abs(value);
    }
    for (Index i = 0; i < rows; ++i) {
        entries.push_back({i, i, row_sum[static_cast<std::size_t>(i)] + 0.01 + random.uniform()});
    }
    return csr_from_triplets(rows, rows, entries);
}

std::vector<double> known_answer(Index size, std::uint64_t seed) {
    Random random(seed);
    std::vector<double> x(static_cast<std::size_t>(size));
    std::generate(x.begin(), x.end(), [&] { return 0.5 + random.uniform(); });
    return x;
}

}  // namespace glsolve::inline v0_1
