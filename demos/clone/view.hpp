/// What is seen: the pasted picture, the cloned one, or both side by side, and left of them, under the panel, the
/// source. And what mouse and keys do.
#pragma once

#include <array>
#include <string>

#include "clone/cloning.hpp"
#include "clone/inputs.hpp"
#include "support/stage.hpp"

namespace cloning {

class View {
  public:
    /// `show`: pasted, cloned or both, of which the window's size follows. `panel`: there is room for one.
    View(const Inputs& inputs, const std::string& show, bool panel);

    int width() const { return width_; }
    int height() const { return height_; }
    /// Pictures are shown smaller than they are.
    bool shrinks() const { return scale_ < 1; }
    /// Compiles; a context is current from now on.
    void open();
    void draw(const Cloning& cloning, const demo::Stage& stage);
    /// In the panel; and words beside the pictures.
    void widgets(const demo::Stage& stage, Placement& placement);
    /// The left button drags the source; N: mixed gradients; P: pasted, cloned, both.
    void react(const demo::Input& input, Placement& placement);

  private:
    enum Shown : int { pasted = 0, cloned = 1, both = 2 };
    /// A rectangle of the window.
    struct Pane {
        float x = 0, y = 0, width = 0, height = 0;
    };

    /// Of the pasted picture, the cloned one, and the source; without a width: not shown.
    std::array<Pane, 3> panes() const;
    Pane fitted(float x, float width) const;
    Pane source_pane() const;

    int source_width_, source_height_, target_width_, target_height_;
    int shown_ = both;
    float scale_ = 1;
    float column_ = 0;  // left of the pictures, for the panel and the source
    int width_ = 1, height_ = 1;
    GLuint program_ = 0;
    int dragged_in_ = -1;                   // the pane in which the source is dragged
    double grabbed_x_ = 0, grabbed_y_ = 0;  // where in the source the mouse has taken it, in the source's pixels
};

}  // namespace cloning
