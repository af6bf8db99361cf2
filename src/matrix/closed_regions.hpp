/// Regions of a square matrix that nothing holds in place: connected components whose columns all sum to zero, but for
/// rounding. Constants on each of them are left null vectors, so what b adds up to there is made by no x.
#pragma once

#include <glsolve/csr.hpp>
#include <span>
#include <vector>

namespace glsolve::inline v0_1 {

class ClosedRegions {
  public:
    ClosedRegions() = default;
    ClosedRegions(CsrView A, bool symmetric);

    bool any() const { return !sizes_.empty(); }
    /// Do their columns sum to zero exactly?
    bool are_exact() const { return are_exact_; }
    /// b projected to constants on the regions: its mean over each of them, and zeros elsewhere.
    std::vector<double> project(std::span<const double> b) const;

  private:
    std::vector<Index> region_of_;  // each row; -1: in none
    std::vector<double> sizes_;     // in rows
    bool are_exact_ = true;
};

}  // namespace glsolve::inline v0_1
