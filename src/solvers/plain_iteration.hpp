/// What iterations without inner products share: a residual that is computed anew from y, looked at now and then, and
/// corrections from double precision.
///
/// The device works on  S A S y = s S r  for the residual r of the last correction.
#pragma once

#include <optional>

#include "core/iterate.hpp"
#include "core/method.hpp"
#include "core/reductions.hpp"
#include "solvers/history.hpp"
#include "solvers/judgement.hpp"
#include "solvers/left_off.hpp"
#include "solvers/successor.hpp"

namespace glsolve::inline v0_1 {

class PlainIteration : public IterativeMethod, public Successor {
  public:
    void solve(Correction& truth, const Options& options, Report& report) override;
    void take_up() override { takes_up_ = !disturbed_; }
    DeviceResiduals* residuals(int /*column*/) override { return residuals_ ? &*residuals_ : nullptr; }
    void run_on_device(const DeviceRun& run) override;
    void take_over(Refinement& refinement, Judgement& judgement, History& history) override;
    /// What until wrong bounds are mended counts, too.
    static std::int64_t patience(int test_every);
    void encode_iterations(std::int64_t count) override {
        for (std::int64_t i = 0; i < count; ++i) iteration(i);
    }

  protected:
    /// The residual is looked at after every `test_every` steps.
    PlainIteration(const System& system, int test_every, std::int64_t max_iterations);

    /// Runs every pass on zeros: shaders are compiled and textures allocated before the first solve. For constructors
    /// of what inherits this.
    void warm_up();

    // What makes a method of it.
    /// Encodes a step that changes y(). `test`: and leaves ((r,r), (y,y)) of y(), before it or after it, in sums().
    virtual void step(bool test) = 0;
    /// b() holds a new right-hand side, y() is zero. What the method remembers of steps is `rescale` times as large.
    virtual void restart(double rescale) = 0;
    /// Only so many steps of the run that has ended were made; others were encoded in vain.
    virtual void ended(std::int64_t steps) = 0;
    /// A run that long gains what a correction needs, if all is well.
    virtual std::int64_t run_length() const = 0;
    /// The iteration diverges, and what it has made since the last correction is lost. Empty: it is mended; else why
    /// it cannot be.
    virtual std::string diverged() = 0;
    /// Each step multiplies the residual by `factor`; looked at after `run_length` / 4 steps. True: too slow, and
    /// mended.
    virtual bool too_slow(double /*factor*/) { return false; }
    /// Empty: the matrix is what the method needs, as far as is known.
    virtual std::string why_not() const { return ""; }

    const System& system() const { return system_; }
    Vector& y() { return y_; }
    Vector& b() { return b_; }
    PartialSums& partial() { return partial_; }
    Reductions& reductions() { return reductions_; }
    Scalar& sums() { return sums_; }
    StorageId status() const { return status_.id(); }

  private:
    void clear(double norm_b);
    void iteration(std::int64_t i);
    void control(int steps);
    void begin_or_refuse(Refinement& refinement, Judgement& judgement);
    void run(Refinement& refinement, Judgement& judgement);
    StatusLook iterate(Judgement& judgement, std::int64_t first, double to_relative);
    void know(const StatusLook& look, std::int64_t first);

    System system_;
    int test_every_;
    std::int64_t limit_;
    std::int64_t first_ = 0, longest_run_ = 0;  // of the run under way
    float target_ = 0;                          // |r| that predicts convergence

    Vector y_, b_, spare_;
    PartialSums partial_;
    Reductions reductions_;
    std::optional<DeviceResiduals> residuals_;  // none: the host computes them
    Scalar sums_, state_, status_;
    Storage tests_;  // the state at each test of a run
    int tests_done_ = 0;
    History own_history_;
    History* history_ = &own_history_;
    Iterate iterate_;
    LeftOff left_off_;
    bool takes_up_ = false, fixed_ = false;
    bool disturbed_ = false;  // there has been a run on textures since the last solve
    double s_ = 0;            // that the vectors on the device are scaled by
};

}  // namespace glsolve::inline v0_1
