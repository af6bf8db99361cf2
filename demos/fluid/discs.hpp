/// The solids: two discs that move on paths of their own, and one that stays where it is until a mouse drags it.
/// Lengths are in sides of the box, times in frames.
#pragma once

#include <array>

namespace fluid {

struct Disc {
    double x = 0, y = 0;  ///< its middle
    double radius = 0;
    double velocity_x = 0, velocity_y = 0;  ///< a frame
};

class Discs {
  public:
    static constexpr int count = 3;

    /// Where they are in frame 0, for a box of so many cells a side.
    explicit Discs(int cells_a_side);

    /// To where they are in this frame, which follows the one before.
    void advance(int frame);
    const std::array<Disc, count>& all() const { return discs_; }

    /// Takes hold of the free disc, if the mouse is on it ...
    void grab(double x, double y);
    /// ... pulls it, no faster than it can move in a frame ...
    void pull(double x, double y);
    /// ... and lets it go.
    void release() { held_ = false; }

  private:
    void push_apart(Disc& disc) const;

    double gap_;  // between discs, and between discs and walls
    std::array<Disc, count> discs_;
    bool held_ = false;
    double hold_x_ = 0, hold_y_ = 0;  // from where it is held to its middle
    double target_x_ = 0, target_y_ = 0;
};

}  // namespace fluid
