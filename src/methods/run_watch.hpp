/// Decides, from what the device says on the way, whether more of a solve on textures is of use.
#pragma once

#include <glsolve/options.hpp>
#include <optional>

#include "methods/stopping_criterion.hpp"
#include "refinement/device_residuals.hpp"
#include "refinement/iteration_loop.hpp"

namespace glsolve::inline v0_1 {

class RunWatch {
  public:
    /// `patience`: iterations that may pass without a halving of the residual. The observer must outlive the object.
    RunWatch(const Observer& observer, std::int64_t patience) : observer_(observer), patience_(patience) {}

    /// A run begins, after so many iterations and corrections.
    void begin(const DeviceResiduals::RunStart& start, std::int64_t iterations, std::int64_t corrections);
    /// The run need not go on.
    void end(Outcome outcome, std::string why) { verdict_ = Verdict{outcome, std::move(why)}; }
    /// Tells the observer. False: the run shall end, and there is a verdict.
    bool look(const StatusLook& seen);
    /// Why runs shall end, if they shall.
    const std::optional<Verdict>& verdict() const { return verdict_; }

  private:
    const Observer& observer_;
    std::int64_t patience_;
    std::optional<Verdict> verdict_;
    std::int64_t iterations_ = 0, corrections_ = 0;  // before the run
    double to_relative_ = 0;
    double first_ = 0;                   // the largest of the first residual and b, in times of b
    double halved_ = 0;                  // the last residual that was half of the one before
    std::int64_t halved_iteration_ = 0;  // and when that was
};

}  // namespace glsolve::inline v0_1
