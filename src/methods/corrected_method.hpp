/// What all methods that iterate share: corrections from double precision, a judgement of them, and the way from single
/// precision to two floats in the middle of a solve.
///
/// The device works on  S A S y = s S r  for the residual r of the last correction: S holds powers of two that bring
/// the diagonal near 1, s is the power of two that makes the right-hand side of length about 1.
#pragma once

#include <algorithm>
#include <optional>

#include "device/vectors.hpp"
#include "methods/fallback_solver.hpp"
#include "methods/history.hpp"
#include "methods/resume_state.hpp"
#include "methods/solve_loop.hpp"
#include "methods/stopping_criterion.hpp"
#include "refinement/method.hpp"

namespace glsolve::inline v0_1 {

class CorrectedMethod : public IterativeMethod, public FallbackSolver, protected SolveLoop {
  public:
    void solve(TrueResidual& truth, const Options& options, Report& report) final;
    void stop_after(std::int64_t iterations) override { limit_ = std::min(max_iterations_, iterations); }
    void prepare_resume() override { takes_up_ = !disturbed_; }
    DeviceResiduals* residuals(int /*column*/) override { return residuals_ ? &*residuals_ : nullptr; }
    void run_on_device(const DeviceRun& run) final;
    std::int64_t patience_on_device() const final;
    void take_over(Refinement& refinement, StoppingCriterion& judgement, History& history) override;
    std::string remarks() const override { return ""; }

  protected:
    /// `recorded`: of how many iterations the history keeps residuals.
    CorrectedMethod(const System& system, std::int64_t max_iterations, std::int64_t recorded);

    /// For constructors: the device computes the residuals of corrections where it can, in `spare` and `partial`, which
    /// hold nothing between two runs. Then warms up.
    void begin_with(Vector& spare, PartialSums& partial);
    /// The first of the two.
    void compute_residuals_in(Vector& spare, PartialSums& partial);

    // What makes a method of it.
    /// Runs every pass on zeros, with an odd number of passes over each storage that is read and written.
    virtual void touch_all() = 0;
    /// Iterates and corrects until the judgement is final.
    virtual void run(Refinement& refinement, StoppingCriterion& judgement);
    /// Encodes such a run: from the residual that `ends` holds, to the correction, which `ends` takes.
    virtual void encode_run(const DeviceRun& run, DeviceResiduals& ends) = 0;
    virtual const Scalar& status() const = 0;
    /// The next solve is of another system than the last: nothing on the device holds any more.
    virtual void forget() {}

    /// Allocates the low parts: from here on in two floats.
    virtual void allocate_low_parts() = 0;
    virtual bool takes_two_floats() const { return true; }
    /// Does the recurrence carry the residual in two floats then? A correction must be better than that.
    virtual bool carries_low_residual() const { return false; }
    /// `may_change`: there is something to go on with when this arithmetic is not good enough.
    virtual StoppingRules rules(bool may_change) const;
    /// What an iteration takes, in products, for the judgement's patience.
    virtual int products() const { return system_.products(); }
    /// In exact arithmetic it ends after as many iterations as there are unknowns.
    virtual bool finite_termination() const { return false; }
    void note(Column& column, int /*k*/, double to_relative) final {
        history_->corrected(column.look.iterations, to_relative, column.truth().relative());
    }

    const System& system() const { return system_; }
    bool in_two_floats() const { return two_floats_; }
    /// Are `limit` iterations wanted, whatever the residual is? Nothing is read before they are done.
    bool fixed() const { return fixed_; }
    std::int64_t limit() const { return limit_; }
    History& history() { return *history_; }
    /// Runs every pass twice: shaders are compiled and textures allocated before the first solve.
    void warm_up();

  private:
    void warm_up_iteration();
    /// With what an iteration takes.
    StoppingRules complete(StoppingRules rules) const;
    StoppingCriterion judge(TrueResidual& truth, const Options& options, const StoppingRules& rules) const;

    System system_;
    std::int64_t max_iterations_;
    std::int64_t limit_ = max_iterations_;
    bool two_floats_;
    bool takes_up_ = false, fixed_ = false;
    bool disturbed_ = false;  // there has been a run since the last solve
    ResumeState resume_state_;
    std::optional<DeviceResiduals> residuals_;  // none: the host computes them
    History own_history_;
    History* history_ = &own_history_;
};

}  // namespace glsolve::inline v0_1
