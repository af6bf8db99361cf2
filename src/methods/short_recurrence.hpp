/// What Krylov methods with short recurrences share: they run until the device stops, are corrected, and run on.
#pragma once

#include "device/reductions.hpp"
#include "methods/corrected_method.hpp"
#include "refinement/iteration_loop.hpp"

namespace glsolve::inline v0_1 {

class ShortRecurrence : public CorrectedMethod {
  public:
    std::optional<Ticket> read_history_later() override { return history().read_first_later(); }
    void encode_iterations(std::int64_t count) override {
        history().clear();  // the last solve's has been collected, and is counted on from its end
        for (std::int64_t k = 0; k < count; ++k) recorded_while_room(k);
    }

  protected:
    ShortRecurrence(const System& system, std::int64_t max_iterations);

    void encode_run(const DeviceRun& run, DeviceResiduals& ends) override;
    void prepare(Column& column, int k) override;
    void iterate(std::span<Column> columns) override;
    void apply_correction(Column& column, int k) override;

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
    /// `drift`: of the recurrence's residual, relative to the true one.
    virtual void assess(Column& /*column*/, double /*drift*/) {}

    PartialSums& partial() { return partial_; }
    Reductions& reductions() { return reductions_; }
    const Scalar& status() const override { return status_; }
    Scalar& status() { return status_; }
    std::int32_t longest_run() const { return static_cast<std::int32_t>(longest_run_); }
    float target() const { return target_; }
    float tolerated_drift() const { return glsolve::tolerated_drift(fixed() || system().backend.holds_doubles()); }

  private:
    void recorded_while_room(std::int64_t k) { history().has_room(k) ? recorded_iteration(k, k) : iteration(k); }
    void recorded_iteration(std::int64_t k, std::int64_t i) {
        iteration(k);
        history().record(i, recorded());
    }

    std::int64_t longest_run_ = 0;  // iterations after which the device stops in any case
    float target_ = 0;              // |r| that predicts convergence
    PartialSums partial_;
    Reductions reductions_;
    Scalar status_;
    IterationLoop iterate_;
};

}  // namespace glsolve::inline v0_1
