#include "matrix/reordering.hpp"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <span>

namespace glsolve::inline v0_1 {
namespace {

/// The graph of A + A^T, walked in breadth from a node.
class Walker {
  public:
    explicit Walker(CsrView A) : A_(A), transposed_(transpose(A)), seen_(static_cast<std::size_t>(A.rows), 0) {}

    Offset degree(Index i) const { return std::ssize(A_.row(i)) + std::ssize(transposed_.row(i)); }
    bool is_new(Index i) const { return seen_[static_cast<std::size_t>(i)] == 0; }

    struct Walk {
        std::vector<Index> nodes;  ///< in the order met, neighbours by ascending degrees
        std::size_t last = 0;      ///< where the last level begins
        int levels = 0;
    };
    /// Through the part of the graph that `start` is in.
    Walk walk(Index start) {
        ++mark_;
        Walk made{.nodes = {start}};
        seen_[static_cast<std::size_t>(start)] = mark_;
        for (std::size_t begin = 0; begin < made.nodes.size(); ++made.levels) {
            const std::size_t end = made.nodes.size();
            made.last = begin;
            for (; begin < end; ++begin) add_neighbours(made.nodes, made.nodes[begin]);
        }
        return made;
    }
    /// Who has been met once counts as new again.
    void forget(const Walk& walk) {
        for (const Index i : walk.nodes) seen_[static_cast<std::size_t>(i)] = 0;
    }

  private:
    void add_neighbours(std::vector<Index>& nodes, Index i) {
        const auto first = static_cast<std::ptrdiff_t>(nodes.size());
        for (const CsrView of : {A_, CsrView(transposed_)}) {
            for (const Index j : of.row(i).columns()) {
                if (!is_new(j)) continue;
                seen_[static_cast<std::size_t>(j)] = mark_;
                nodes.push_back(j);
            }
        }
        std::sort(nodes.begin() + first, nodes.end(),
                  [&](Index a, Index b) { return degree(a) != degree(b) ? degree(a) < degree(b) : a < b; });
    }

    CsrView A_;
    CsrMatrix transposed_;
    std::vector<int> seen_;  // 0: not yet
    int mark_ = 0;
};

}  // namespace

std::vector<Index> reverse_cuthill_mckee(CsrView A) {
    Walker graph(A);
    std::vector<Index> by_degree(static_cast<std::size_t>(A.rows));
    std::iota(by_degree.begin(), by_degree.end(), 0);
    std::stable_sort(by_degree.begin(), by_degree.end(),
                     [&](Index a, Index b) { return graph.degree(a) < graph.degree(b); });
    std::vector<Index> order;
    order.reserve(by_degree.size());
    for (const Index seed : by_degree) {
        if (!graph.is_new(seed)) continue;
        Walker::Walk longest = graph.walk(seed);
        while (true) {  // from the far end of a walk another one may have more levels
            const auto far = longest.nodes.begin() + static_cast<std::ptrdiff_t>(longest.last);
            const Index end = *std::min_element(far, longest.nodes.end(),
                                                [&](Index a, Index b) { return graph.degree(a) < graph.degree(b); });
            graph.forget(longest);
            Walker::Walk other = graph.walk(end);
            const bool is_longer = other.levels > longest.levels;
            longest = std::move(other);
            if (!is_longer) break;
        }
        order.insert(order.end(), longest.nodes.begin(), longest.nodes.end());
    }
    std::reverse(order.begin(), order.end());
    return order;
}

Index bandwidth(CsrView A) {
    Index widest = 0;
    for (Index i = 0; i < A.rows; ++i) {
        for (const Index j : A.row(i).columns()) widest = std::max(widest, std::abs(i - j));
    }
    return widest;
}

}  // namespace glsolve::inline v0_1
