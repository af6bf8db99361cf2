/// The loop of every method that iterates: a run on the device, a correction of x, a judgement, until it is over. For
/// one right-hand side, or for several that run together.
#pragma once

#include <span>

#include "methods/stopping_criterion.hpp"
#include "refinement/refinement.hpp"

namespace glsolve::inline v0_1 {

/// Iterations of a run at most: a float counts them exactly.
inline constexpr std::int64_t countable = std::int64_t{1} << 23;

/// What the numbers of a run mean: between two corrections the device works on s S r, of length about 1.
struct RunScale {
    double s = 0;            ///< 0: there has been no run
    double size = 0;         ///< |s S r|
    double to_relative = 0;  ///< so many times as large as the recurrence's |r| is the relative residual
    float target = 0;        ///< |r| that predicts convergence

    RunScale() = default;
    explicit RunScale(const TrueResidual& truth)
        : s(truth.unit_scale()),
          size(s * truth.scaled_norm()),
          to_relative(truth.relative() / size),
          target(static_cast<float>(0.9 * truth.threshold() * size / truth.norm())) {}
};

/// One right-hand side on its way.
struct Column {
    Refinement& refinement;
    StoppingCriterion& judgement;
    StatusLook look;                     ///< what the last run has come to
    RunScale scale = {};                 ///< of the run that is on, or was the last
    std::int64_t first = 0;              ///< iterations before it
    double before = 0, best_before = 0;  ///< true |r| before it, and the best one so far

    Column(Refinement& r, StoppingCriterion& j) : refinement(r), judgement(j), look{.iterations = j.iterations()} {}
    const TrueResidual& truth() const { return refinement.truth(); }
    std::int64_t steps() const { return look.iterations - first; }
};

class SolveLoop {
  public:
    virtual ~SolveLoop() = default;

  protected:
    /// Until all judgements are final, or the method gives up. Column k is the k-th right-hand side.
    void loop(std::span<Column> columns);

    // What makes a method of it.
    /// The device goes on from the residual of the last correction, s S r, with y = 0.
    virtual void prepare(Column& column, int k) = 0;
    /// Runs until the device stops, for those that are not final; tells their judgements on the way, late, and leaves
    /// in `look` what it has come to.
    virtual void iterate(std::span<Column> columns) = 0;
    /// The correction: x <- x + S y / s,  r <- b - A x  in double precision or in two floats. Then, before the
    /// judgement hears of it, what the run was worth.
    virtual void apply_correction(Column& column, int k) = 0;
    /// For the history: a true residual; the recurrence's, times `to_relative`, are relative from here on.
    virtual void note(Column& column, int k, double to_relative) = 0;
    /// Is there something better to go on with?
    virtual bool gives_up() const { return false; }

  private:
    void begin_run(Column& column, int k);
};

}  // namespace glsolve::inline v0_1
