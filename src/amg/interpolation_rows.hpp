/// What all interpolations share: rows that threads make and that become one matrix.
#pragma once

#include <functional>

#include "amg/splitting.hpp"
#include "amg/truncation.hpp"

namespace glsolve::inline v0_1 {

/// Whether i depends on j, for ascending j: one answer for each entry of a row of A.
class DependsOn {
  public:
    DependsOn(const Strength& S, Index i) : left_(S.row(i)) {}

    bool operator()(Index j) {
        while (!left_.empty() && left_.front() < j) left_ = left_.subspan(1);  // A may have lost an entry
        const bool found = !left_.empty() && left_.front() == j;
        if (found) left_ = left_.subspan(1);
        return found;
    }

  private:
    std::span<const Index> left_;
};

/// Adds to the empty `row` what F point i is interpolated from: C points, by their numbers on the finer level.
using InterpolateRow = std::function<void(Index i, Row& row)>;

/// P: C points are taken over, F points interpolated, truncated. Each thread asks `make` for a function of its own,
/// which may keep what it needs from row to row, as long as no row depends on those before it.
CsrMatrix interpolation_rows(const Splitting& splitting, Truncation truncation,
                             const std::function<InterpolateRow()>& make);

}  // namespace glsolve::inline v0_1
