/// What Krylov methods with short recurrences share: they run until the device stops, are corrected, and run on.
#pragma once

#include "core/iterate.hpp"
#include "core/reductions.hpp"
#include "solvers/krylov_method.hpp"

namespace glsolve::inline v0_1 {

/// Iterations of a run at most: a float counts them exactly.
inline constexpr std::int64_t countable = std::int64_t{1} << 23;

/// What the numbers of a run mean: between two corrections the device works on s S r, of length about 1.
struct RunScale {
    double s = 0;            ///< 0: there has been no run
    double to_relative = 0;  ///< so many times as large as the recurrence's |r| is the relative residual
    float target = 0;        ///< |r| that predicts convergence

    RunScale() = default;
    explicit RunScale(const Correction& truth) : s(truth.unit_scale()) {
        const double size = s * truth.scaled_norm();
        to_relative = truth.relative() / size;
        target = static_cast<float>(0.9 * truth.threshold() * size / truth.norm());
    }
};

class ShortRecurrence : public KrylovMethod {
  public:
    void run_on_device(const DeviceRun& run) override;
    std::optional<Ticket> read_history_later() override { return history().read_first_later(); }
    void encode_iterations(std::int64_t count) override {
        history().clear();  // the last solve's has been collected, and is counted on from its end
        for (std::int64_t k = 0; k < count; ++k) recorded_iteration(k, k);
    }

  protected:
    /// How a run between two corrections has ended.
    struct Run {
        StatusLook look;
        double before = 0, best_before = 0;  ///< true |r| before it, and the best one so far
        double s = 0;                        ///< what the device worked on was s S r
        double drift = 0;                    ///< of the recurrence's residual, relative to the true one
    };

    ShortRecurrence(const System& system, std::int64_t max_iterations);

    void run(Refinement& refinement, Judgement& judgement) override;
    /// Is there something better to go on with?
    virtual bool gives_up() const { return false; }

    // What makes a method of it.
    /// Encodes iteration k after the last correction, but for its record.
    virtual void iteration(std::int64_t k) = 0;
    /// A texel of which the last component is |r| after an iteration.
    virtual const Scalar& recorded() = 0;
    /// The device continues from the residual of the last correction, s S r, with y = 0.
    virtual void restart(Residuals& residuals, double s) = 0;
    /// Corrects x by y / s after so many iterations; returns the drift.
    virtual double correct(Residuals& residuals, std::int64_t iterations, double s) = 0;
    /// Looks at what a run was worth, before the judgement hears of it.
    virtual void assess(Refinement& /*refinement*/, Judgement& /*judgement*/, const Run& /*run*/) {}

    PartialSums& partial() { return partial_; }
    Reductions& reductions() { return reductions_; }
    Scalar& status() { return status_; }
    std::int32_t longest_run() const { return static_cast<std::int32_t>(longest_run_); }
    float target() const { return target_; }
    float tolerated_drift() const { return glsolve::tolerated_drift(fixed()); }

  private:
    void recorded_iteration(std::int64_t k, std::int64_t i) {
        iteration(k);
        history().record(i, recorded());
    }

    std::int64_t longest_run_ = 0;  // iterations after which the device stops in any case
    float target_ = 0;              // |r| that predicts convergence
    PartialSums partial_;
    Reductions reductions_;
    Scalar status_;
    Iterate iterate_;
};

}  // namespace glsolve::inline v0_1
