#include <algorithm>

#include "amg/coarse_neighbours.hpp"
#include "amg/splitting.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Index none = -1;

/// Unknowns by their measures, in doubly linked lists: the one with the largest is found, and any one's measure is
/// changed by 1, in constant time (on average: `top_` only goes up by 1 at a time).
class Buckets {
  public:
    explicit Buckets(const Strength& T) : measure_(T.size()), next_(T.size(), none), previous_(T.size(), none) {
        std::size_t most = 0;
        for (Index i = 0; i < T.size(); ++i) most = std::max(most, T.row(i).size());
        first_.assign(2 * most + 1, none);
        for (Index i = T.size() - 1; i >= 0; --i) {
            measure_[i] = static_cast<Index>(T.row(i).size());
            insert(i);
        }
    }

    /// One with the largest measure, the last that got it; `none` where that is 0.
    Index largest() {
        while (top_ > 0 && first_[top_] == none) --top_;
        return top_ > 0 ? first_[top_] : none;
    }
    void remove(Index i) {
        const Index before = previous_[i], after = next_[i];
        (before == none ? first_[measure_[i]] : next_[before]) = after;
        if (after != none) previous_[after] = before;
    }
    void change(Index i, Index by) {
        remove(i);
        measure_[i] += by;
        insert(i);
    }

  private:
    void insert(Index i) {
        Index& first = first_[measure_[i]];
        previous_[i] = none;
        next_[i] = first;
        if (first != none) previous_[first] = i;
        first = i;
        top_ = std::max(top_, measure_[i]);
    }

    std::vector<Index> measure_, next_, previous_;
    std::vector<Index> first_;  ///< of the unknowns with measure m
    Index top_ = 0;             ///< no measure is larger
};

/// The measure of i counts the undecided unknowns that depend on it, and the F points that do twice.
Splitting first_pass(const Strength& S, const Strength& T) {
    Splitting splitting = all_fine(S, T);
    std::vector<bool> undecided(S.size(), true);
    Buckets buckets(T);
    const auto decide = [&](Index i) {
        undecided[i] = false;
        buckets.remove(i);
    };
    for (Index i = buckets.largest(); i != none; i = buckets.largest()) {
        splitting[i] = Point::coarse;
        decide(i);
        for (const Index j : T.row(i)) {
            if (!undecided[j]) continue;
            decide(j);  // j depends on a C point: F
            for (const Index k : S.row(j)) {
                if (undecided[k]) buckets.change(k, 1);
            }
        }
        for (const Index j : S.row(i)) {
            if (undecided[j]) buckets.change(j, -1);
        }
    }
    return splitting;  // only C points depend on those left: F
}

/// Where i depends on an F point j, both should depend on a common C point. The first j that does not becomes one;
/// where a second j does not either, i does instead.
void second_pass(const Strength& S, Splitting& splitting) {
    CoarseNeighbours coarse(S);
    for (Index i = 0; i < S.size(); ++i) {
        if (splitting[i] != Point::fine) continue;
        coarse.find(i, [&](Index j) { return splitting[j] == Point::coarse; });
        Index tentative = none;
        for (const Index j : S.row(i)) {
            if (coarse.reached_by(j)) continue;
            if (tentative != none) {
                tentative = i;
                break;
            }
            tentative = j;
            coarse.add(j);
        }
        if (tentative != none) splitting[tentative] = Point::coarse;
    }
}

}  // namespace

Splitting split_ruge_stueben(const Strength& S, bool second) {
    Splitting splitting = first_pass(S, transpose(S));
    if (second) second_pass(S, splitting);
    return splitting;
}

}  // namespace glsolve::inline v0_1
