/// Decides, from true residuals only, whether a solve with corrections is over and what has become of it.
#pragma once

#include <glsolve/options.hpp>
#include <optional>

#include "refinement/device_residuals.hpp"
#include "refinement/iteration_loop.hpp"
#include "refinement/true_residual.hpp"

namespace glsolve::inline v0_1 {

/// What a judgement has to know beside the system. Hard matrices go up to 4 n iterations between halvings of the best
/// residual and still converge: the usual patience is twice that. Where theory promises nothing there is less to wait
/// for.
struct StoppingRules {
    std::string_view arithmetic = "single precision";
    int patience = 8;  ///< times as many iterations as unknowns may pass without a halving of the residual ...
    std::int64_t least_patience = 1000;  ///< ... but so many in any case, and no more where theory promises nothing
    int products = 1;                    ///< what an iteration takes, in products with A
    bool preconditioned = false;         ///< by more than a diagonal
    std::int64_t iterations = 0, corrections = 0;  ///< done before
    bool fixed = false;                            ///< so many iterations were asked for: the first correction is final
};

/// Iterations that may pass without a halving of the residual. What they cost counts: those that take many products
/// are waited for for fewer, and those of long vectors for some minutes, if a grid of so many unknowns would be
/// through by then.
std::int64_t patience(const StoppingRules& rules, std::int64_t unknowns, bool finite_termination);

/// Has a residual grown beyond all use from what it was, or from b?
bool is_divergence(double residual, double first);

/// Has a method given up where it may be the system, or the method, that is to blame?
bool gave_up(Outcome outcome);

/// Why a system is inconsistent, in words: no x has a smaller |b - A x| / |b| than `least`.
std::string inconsistency(const LeastResidual& least);

/// Why there is no residual to begin with, in words.
std::string no_first_residual();
/// What rounding in double precision leaves of a residual at best, in words.
std::string rounding_limit(const TrueResidual& truth);

struct Verdict {
    Outcome outcome = Outcome::converged;
    std::string why;
};
/// On a run of the device that no correction follows: by the residual that the device itself has found, and nothing
/// else. `threshold`: what |b - A x| was to be; `iterations`: how many there were to be in the run, after those
/// `before`.
Verdict verdict_on_device(const DeviceResiduals::RunResult& found, double threshold, std::int64_t iterations,
                          std::int64_t before = 0);

/// The time that the caller has given is over.
Verdict out_of_time(const Deadline& deadline);
/// Does the caller want the solve to end: by his time limit, or by his observer, who hears of the progress?
std::optional<Verdict> stop_from_outside(const Deadline& deadline, const Observer& observer, const Progress& progress);

class StoppingCriterion {
  public:
    /// `truth` must have its residual computed, and know its deadline. A right-hand side of zeros and a good guess are
    /// final at once.
    /// `finite_termination`: in exact arithmetic the method would end after as many iterations as there are unknowns,
    /// so that rounding alone is to blame where it does not.
    StoppingCriterion(const TrueResidual& truth, const Options& options, Index unknowns, std::int64_t limit,
                      bool finite_termination, const StoppingRules& rules = {});

    bool final() const { return final_; }
    std::int64_t iterations() const { return iterations_; }
    std::int64_t corrections() const { return corrections_; }
    /// Is it over because the arithmetic in use is not good enough?
    bool limited_by_arithmetic() const { return limited_by_arithmetic_; }

    /// By the rules.
    std::int64_t patience() const { return glsolve::patience(rules_, unknowns_, finite_termination_); }

    /// Hands progress to the caller's observer; false: it cancelled, or the time is over.
    bool observe(const Progress& progress);
    /// The caller has stopped what this solve and the other one are part of.
    void stop_as(const StoppingCriterion& other) { outside_ = other.outside_; }
    /// (p,Ap) <= 0 turned up on the device; `curvature` is (p,Ap) in double precision.
    void indefinite(double curvature);
    /// Restarts no longer help. `by_rounding`: the recurrence says that they do. Before `corrected`.
    void stalled(bool by_rounding, std::string why);
    /// The method divides by next to nothing, again and again. Before `corrected`.
    void broke_down(std::string why) { end(Outcome::breakdown, std::move(why)); }
    /// The iteration diverges, and nothing can be done about it. Before `corrected`.
    void diverged(std::string why) { end(Outcome::diverged, std::move(why)); }
    /// The true residual is known again.
    void corrected(const StatusLook& look);

    void report(Report& report) const;

  private:
    void end(Outcome status, std::string reason);
    std::string reached() const;
    bool hopeless(const StatusLook& look);
    bool inconsistent(const StatusLook& look);
    void stopped_early(const StatusLook& look);

    const TrueResidual& truth_;
    const Options& options_;
    std::int64_t unknowns_, limit_;
    bool finite_termination_;
    StoppingRules rules_;
    bool final_ = false, limited_by_arithmetic_ = false;
    std::optional<Verdict> outside_;  // why the caller has stopped it
    Outcome status_ = Outcome::max_iterations;
    std::string reason_;
    std::int64_t iterations_, corrections_;

    double initial_norm_;
    std::int64_t looked_at_limit_ = 0;  // iterations without a halving when the limit was last asked for
    double halved_norm_;                // the last norm that was half of the one before
    std::int64_t halved_iteration_;     // and when that was
    int in_vain_ = 0;                   // corrections one after the other without an iteration
};

}  // namespace glsolve::inline v0_1
