/// The C points that an unknown depends on, and who shares them: what a second pass and CLJP both ask.
#pragma once

#include <algorithm>

#include "amg/strength.hpp"

namespace glsolve::inline v0_1 {

/// Those of one unknown after another, in constant time each.
class CoarseNeighbours {
  public:
    explicit CoarseNeighbours(const Strength& S) : S_(S), of_(S.size(), -1) {}

    template <typename IsCoarse>
    void find(Index i, const IsCoarse& is_coarse) {
        i_ = i;
        for (const Index j : S_.row(i)) {
            if (is_coarse(j)) add(j);
        }
    }
    void add(Index j) { of_[j] = i_; }

    /// Whether j is one of them, or depends on one of them.
    bool reached_by(Index j) const {
        const auto found = [this](Index k) { return of_[k] == i_; };
        return found(j) || std::ranges::any_of(S_.row(j), found);
    }

  private:
    const Strength& S_;
    std::vector<Index> of_;  ///< by C point: the last unknown that it was found for
    Index i_ = -1;
};

}  // namespace glsolve::inline v0_1
