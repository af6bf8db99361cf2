#include <cmath>
#include <glsolve/generate.hpp>
#include <numeric>
#include <string_view>
#include <utility>
#include <vector>

#include "base/random.hpp"
#include "base/require_range.hpp"
#include "generate/random_graph.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// The matrix of modified nodal analysis, element by element ("stamps"). Node 0 is the ground: its voltage is 0, and it
/// has no row and no column. Row i - 1 is the sum of the currents that leave node i.
class NodalAnalysis {
  public:
    /// A current conductance (v_a - v_b) from node a to node b.
    void conductance(Index a, Index b, double value) { transconductance(a, b, a, b, value); }

    /// A current value (v_c - v_d) from node a to node b.
    void transconductance(Index a, Index b, Index c, Index d, double value) {
        at_nodes(a, c, value);
        at_nodes(a, d, -value);
        at_nodes(b, c, -value);
        at_nodes(b, d, value);
    }

    /// v_a - v_b is given. The current from a to b is the unknown `current`.
    void voltage_source(Index a, Index b, Index current) {
        for (const auto& [node, sign] : {std::pair{a, 1.0}, std::pair{b, -1.0}}) {
            if (node == 0) continue;
            entries_.push_back({node - 1, current, sign});
            entries_.push_back({current, node - 1, sign});
        }
    }

    /// v_a - v_b = gain (v_c - v_d): what a voltage source lacks for that.
    void control(Index current, Index c, Index d, double gain) {
        if (c != 0) entries_.push_back({current, c - 1, -gain});
        if (d != 0) entries_.push_back({current, d - 1, gain});
    }

    CsrMatrix matrix(Index rows) const { return csr_from_triplets(rows, rows, entries_); }

  private:
    void at_nodes(Index row, Index column, double value) {
        if (row != 0 && column != 0) entries_.push_back({row - 1, column - 1, value});
    }

    std::vector<Triplet> entries_;
};

Index share_of(Index nodes, double share) { return static_cast<Index>(std::ceil(share * nodes)); }

}  // namespace

CsrMatrix circuit(Index nodes, const Circuit& c) {
    constexpr std::string_view name = "circuit";
    require_range(name, "nodes", nodes, Index{2}, Index{1'000'000'000});
    require_range(name, "degree", c.degree, Index{2}, nodes);
    require_range(name, "voltage_sources", c.voltage_sources, 0.0, 0.25);
    require_range(name, "controlled_sources", c.controlled_sources, 0.0, 0.5);
    NodalAnalysis analysis;
    // Weights are uniform in [0.5, 1.5), so conductances are log-uniform in [1e-6, 1).
    for_each_edge(nodes + 1, c.degree, Degrees::power_law, c.seed, [&](Index i, Index j, double weight) {
        analysis.conductance(i, j, std::pow(10, 6 * (weight - 1.5)));
    });

    Random random(c.seed + 1);
    const auto log_uniform = [&](double least, double largest) {
        return least * std::pow(largest / least, random.uniform());
    };
    const auto below = [&](Index end) { return static_cast<Index>(random.uniform() * end); };
    // Two nodes that differ; one may be the ground.
    const auto two_nodes = [&] {
        const Index first = below(nodes + 1), second = below(nodes);
        return std::pair{first, second + (second >= first ? 1 : 0)};
    };
    const Index controlled = share_of(nodes, c.controlled_sources);
    const Index amplifiers = controlled / 2, independent = share_of(nodes, c.voltage_sources);
    const Index sources = amplifiers + independent;
    // Each source joins a node of its own to a node before it or the ground. So they form no loop, in which the
    // currents would be undetermined.
    std::vector<Index> order(static_cast<std::size_t>(nodes));
    std::iota(order.begin(), order.end(), 1);
    for (Index s = 0; s < sources; ++s) {
        std::swap(order[static_cast<std::size_t>(s)], order[static_cast<std::size_t>(s + below(nodes - s))]);
        const Index node = order[static_cast<std::size_t>(s)], current = nodes + s;
        analysis.voltage_source(node, below(node), current);
        if (s < amplifiers) {
            const auto [plus, minus] = two_nodes();
            analysis.control(current, plus, minus, log_uniform(1, 10));
        }
    }
    for (Index s = 0; s < controlled - amplifiers; ++s) {
        const auto [from, to] = two_nodes();
        const auto [plus, minus] = two_nodes();
        analysis.transconductance(from, to, plus, minus, log_uniform(1e-6, 1e-3));
    }
    return analysis.matrix(nodes + sources);
}

}  // namespace glsolve::inline v0_1
