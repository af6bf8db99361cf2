/// What is seen of the fluid: the smoke, and the divergence that the projection has left, one of them or side by side.
#pragma once

#include <optional>

#include "pass.hpp"
#include "simulation.hpp"

namespace fluid {

enum class Show { smoke, divergence, both };

/// A square of the picture, in pixels from the lower left.
struct Pane {
    int x = 0, y = 0, side = 0;  ///< side 0: it is not shown
};

class View {
  public:
    /// The divergence's colours: black up to `least`, brightest from `most` on, by its logarithm.
    static constexpr double least = 1e-5, most = 1e-1;

    /// A picture's size for a box of so many cells: of one pane or two beside a strip, for the panel.
    static int pane_side(int cells_a_side);

    /// Draws into a picture of this size whose left strip is kept free.
    View(int strip, int width, int height);

    void show(Show what);
    Show shown() const { return shown_; }
    void draw(const Simulation& simulation, GLuint framebuffer) const;

    const Pane& smoke_pane() const { return smoke_; }
    const Pane& divergence_pane() const { return divergence_; }
    /// The one that this pixel is in.
    std::optional<Pane> pane_at(double x, double y) const;

  private:
    int strip_, width_, height_;
    Show shown_ = Show::both;
    Pane smoke_, divergence_;
    Pass draw_;
};

}  // namespace fluid
