/// Coarser levels that the host works on, as Li et al. (2011) propose it: what would keep a device waiting pass by pass
/// is little work for a processor. Each visit reads a right-hand side back, and the device stands still until the
/// correction goes up.
#pragma once

#include "multigrid/cycle.hpp"

namespace glsolve::inline v0_1 {

class HostLevels final : public CoarseSolver {
  public:
    /// `cycle`: the lower part of a cycle, on the backend `host`, which must outlive this; its first level has `size`
    /// rows.
    HostLevels(Backend& host, Index size, std::unique_ptr<Cycle> cycle);

    void solve(Vector& x, const Vector& b) override;

  private:
    Vector x_, b_;
    std::unique_ptr<Cycle> cycle_;
    HostArray<float> texels_;  // x or b on its way
};

/// What solves the coarsest of the levels that stay on the device, which is made here: it has no matrix there, but the
/// vectors that are exchanged. Takes the levels from `first` >= 1 on, which are on the host, off the list; `coarsest`
/// and the rest as Cycle takes them.
std::unique_ptr<CoarseSolver> leave_to_host(std::vector<Level>& levels, std::size_t first,
                                            std::unique_ptr<CoarseSolver> coarsest, MultigridCycle kind, int steps);

}  // namespace glsolve::inline v0_1
