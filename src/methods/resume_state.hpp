/// Where a solve has left off that hands back a better x than its last one: |b - A x| of conjugate gradients may rise
/// for many iterations while the error falls, and a solve in short pieces would climb from the same x for ever.
#pragma once

#include <glsolve/report.hpp>
#include <utility>

#include "refinement/true_residual.hpp"

namespace glsolve::inline v0_1 {

class ResumeState {
  public:
    /// The solve is over, and why.
    void remember(TrueResidual& truth, Outcome status) {
        latest_ = truth.take_latest();
        norm_ = truth.norm();
        put_back_ = latest_.size() > 0;
        const bool unfinished =
            status == Outcome::max_iterations || status == Outcome::time_limit || status == Outcome::cancelled;
        if (!unfinished) latest_ = {};  // it was leading nowhere
    }
    /// Another one begins that goes on from there: from the last x, which takes the place of the better one. False: it
    /// cannot, since it was given another b or x than had been handed back, or the last x was leading nowhere.
    bool go_on(TrueResidual& truth) {
        const HostArray<double> latest = std::exchange(latest_, {});
        if (!std::exchange(put_back_, false)) return true;
        if (latest.size() == 0 || truth.norm() != norm_) return false;
        truth.go_on_from(latest.all());
        return true;
    }
    void forget() {
        latest_ = {};
        put_back_ = false;
    }

  private:
    bool put_back_ = false;     // a better x than the last was handed back
    HostArray<double> latest_;  // that last one
    double norm_ = 0;           // |b - A x| of what was handed back
};

}  // namespace glsolve::inline v0_1
