/// What iterations without inner products share: a residual that is computed anew from y, looked at now and then, and
/// corrections from double precision.
///
/// The device works on  S A S y = s S r  for the residual r of the last correction.
#pragma once

#include "device/reductions.hpp"
#include "methods/corrected_method.hpp"
#include "refinement/iteration_loop.hpp"

namespace glsolve::inline v0_1 {

class PlainIteration : public CorrectedMethod {
  public:
    /// What until wrong bounds are mended counts, too.
    static std::int64_t patience(int test_every);
    void encode_iterations(std::int64_t count) override {
        for (std::int64_t i = 0; i < count; ++i) iteration(i);
    }

  protected:
    /// The residual is looked at after every `test_every` steps.
    PlainIteration(const System& system, int test_every, std::int64_t max_iterations);

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

    Vector& y() { return y_; }
    Vector& b() { return b_; }
    PartialSums& partial() { return partial_; }
    Reductions& reductions() { return reductions_; }
    Scalar& sums() { return sums_; }
    const Scalar& status() const final { return status_; }

  private:
    void run(Refinement& refinement, StoppingCriterion& judgement) final;
    void encode_run(const DeviceRun& run, DeviceResiduals& ends) final;
    void prepare(Column& column, int k) final;
    void iterate(std::span<Column> columns) final;
    void apply_correction(Column& column, int k) final;
    void touch_all() final;
    void forget() final { s_ = 0; }
    void allocate_low_parts() final {}
    bool takes_two_floats() const final { return false; }
    StoppingRules rules(bool /*may_change*/) const final { return {.least_patience = patience(test_every_)}; }
    int products() const final { return 1; }

    void clear(double norm_b);
    void iteration(std::int64_t i);
    void control(int steps);
    StatusLook run_with_looks(Column& column);
    void know(const StatusLook& look, std::int64_t first);

    int test_every_;
    std::int64_t first_ = 0, longest_run_ = 0;  // of the run under way
    float target_ = 0;                          // |r| that predicts convergence

    Vector y_, b_, spare_;
    PartialSums partial_;
    Reductions reductions_;
    Scalar sums_, state_, status_;
    Storage tests_;  // the state at each test of a run
    int tests_done_ = 0;
    IterationLoop iterate_;
    double s_ = 0;  // that the vectors on the device are scaled by
};

}  // namespace glsolve::inline v0_1
