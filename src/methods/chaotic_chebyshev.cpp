// The chaotic form of the Chebyshev iteration: several steps are one pass, in which no tile waits for another. What a
// step reads beside its tile belongs to some step before or after. Two steps of each run wait for all: its first, and
// each that is tested.
//
// Source:  B. Chadov, Chebyshev iteration on the GPU.
// Cost:    a pass reads A for each of its steps; p, b and d come from caches where these can hold a tile. Nothing is
//          read back.
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "methods/chebyshev.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// Steps in a pass; those that are tested stand apart.
int steps_together(const Options& options) { return std::min(options.chebyshev.chaotic_steps, options.test_every - 1); }

class Chaotic final : public ChebyshevIteration {
  public:
    explicit Chaotic(const MethodInput& in)
        : ChebyshevIteration(in, in.options.test_every, ""), steps_(steps_together(in.options)) {
        warm_up();
        // What the first and the last step of a run do not need.
        together_ = {{}};
        take_steps();
        in.system.backend.flush();
    }

  private:
    void step(bool test) override;
    void take_steps();
    void restart(double rescale) override;
    void ended(std::int64_t steps) override {
        together_.clear();
        ChebyshevIteration::ended(steps);
    }
    std::string diverged() override;
    bool too_slow(double factor) override;
    std::string remarks() const override;

    int steps_;
    std::vector<AssembledMatrix::Step> together_;  // the next pass
    bool settles_ = true;                          // the bounds are new
    bool begins_ = true;                           // with a step that waits for all
};

void Chaotic::step(bool test) {
    const AssembledMatrix::Step step = bounds().next();
    if (begins_ || test) {
        take_steps();
        fused_step(step, test);
        begins_ = false;
        return;
    }
    together_.push_back(step);
    if (std::ssize(together_) == steps_) take_steps();
}

void Chaotic::take_steps() {
    if (together_.empty()) return;
    A().chebyshev_steps(y(), p(), b(), system().diagonal(), together_, status().id());
    together_.clear();
}

void Chaotic::restart(double rescale) {
    begins_ = true;
    ChebyshevIteration::restart(rescale);
    settles_ = bounds().is_fresh();
}

/// Too small a `largest` is the usual reason; where that cannot be, or has been mended in vain, `smallest` is.
std::string Chaotic::diverged() {
    const bool mended = bounds().widest() ? bounds().shorten() : bounds().widen();
    return mended ? "" : why_not();
}

/// The seams of tiles make a rough residual, which hides for a while how fast the iteration is: so it looks a second
/// time, and trusts what it sees less.
bool Chaotic::too_slow(double factor) {
    return !std::exchange(settles_, false) && factor < 1 && bounds().lower(factor, 0.25);
}

std::string Chaotic::remarks() const {
    return fmt::format(
        "{}; chaotic, {} steps a pass: nobody waits for values of others, and results differ from run to run",
        ChebyshevIteration::remarks(), steps_);
}

}  // namespace

std::string why_not_chaotic(const MethodInput& in) {
    if (!in.system.backend.can().asynchronous) return "this device has no compute stage";
    if (!in.system.A.has_asynchronous_steps()) return "only the formats dia and ell have passes of several steps";
    return steps_together(in.options) == 0 ? "each step is tested" : "";
}

std::unique_ptr<PlainIteration> make_chaotic_chebyshev(const MethodInput& in) { return std::make_unique<Chaotic>(in); }

}  // namespace glsolve::inline v0_1
