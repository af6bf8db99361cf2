/// A panel of Dear ImGui over a demo's picture: what solves, how many iterations it takes, how the residual falls, and
/// what the passes take of the GPU.
#pragma once

#include <deque>
#include <functional>
#include <glsolve/report.hpp>
#include <string>
#include <vector>

#include "support/stage.hpp"

namespace demo {

class Panel {
  public:
    /// Nothing is drawn where the stage's options have no panel.
    explicit Panel(Stage& stage);
    ~Panel();
    Panel(const Panel&) = delete;
    Panel& operator=(const Panel&) = delete;

    /// The outcome of an earlier frame, as `poll` hands it out.
    void heard(const glsolve::Report& report);
    /// Another method begins: its curve is a new one.
    void forget();
    /// Draws it. `own`: widgets of the demo's, above the rest.
    void draw(const std::string& method, const std::string& preconditioner, const std::function<void()>& own = {});

  private:
    void begin_frame();
    void solver(const std::string& method, const std::string& preconditioner);
    void passes() const;

    Stage& stage_;
    glsolve::Report last_;
    std::vector<glsolve::PassReport> profile_;  // the last one that there was
    std::deque<float> residuals_;               // log10, of the last iterations, or frames
    bool by_iterations_ = false;
    float milliseconds_ = 0;  // of the device, smoothed
    bool heard_ = false;
};

}  // namespace demo
