/// How much divergence the projection has left, over all fluid cells. The sums are made on the GPU; one texel is copied
/// a frame, and looked at when it has arrived, so that nothing waits.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "pass.hpp"
#include "simulation.hpp"

namespace fluid {

struct Divergence {
    double before = 0;  ///< root of the mean square, before the projection
    double after = 0;
    double largest = 0;  ///< after it
};

class DivergenceMeter {
  public:
    explicit DivergenceMeter(const Simulation& simulation);
    ~DivergenceMeter();
    DivergenceMeter(const DivergenceMeter&) = delete;
    DivergenceMeter& operator=(const DivergenceMeter&) = delete;

    /// Sums up this frame's.
    void measure();
    /// Of an earlier frame, if another one has arrived; never waits.
    std::optional<Divergence> poll();
    /// Of the last frame that was measured; waits.
    Divergence last();

  private:
    static constexpr int copies = 4;  // that may be under way
    struct Copy {
        GLuint buffer = 0;
        GLsync arrived = nullptr;
    };

    const Simulation& simulation_;
    std::vector<Target> levels_;  // each an eighth of the one before, the last one a single texel
    Pass first_, next_;
    std::array<Copy, copies> copies_;
    std::size_t newest_ = 0, oldest_ = 0;  // counted on and on
};

}  // namespace fluid
