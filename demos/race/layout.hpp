/// Where things are in the picture, in pixels from its upper left, and in which colours.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

namespace race {

constexpr int picture_width = 1152, picture_height = 768;
constexpr int margin = 24, gap = 12;
constexpr int panes_top = 92, largest_pane = 232;
constexpr int plot_left = 84, plot_right = picture_width - margin, plot_bottom = picture_height - 52;

struct Colour {
    unsigned char red, green, blue;
};

/// One for each runner, told apart by people who do not see all colours, too (after Okabe and Ito).
constexpr std::array<Colour, 8> runner_colours{{{229, 96, 32},
                                                {240, 168, 24},
                                                {240, 228, 66},
                                                {32, 178, 128},
                                                {86, 180, 233},
                                                {214, 124, 182},
                                                {160, 160, 255},
                                                {200, 208, 216}}};

/// Columns side by side over the whole width, one for each runner, each with a square pane at its left.
class Columns {
  public:
    Columns(std::size_t count, bool with_panes)
        : count_(static_cast<int>(count)), pane_(with_panes ? std::min(width(), largest_pane) : 0) {}

    int width() const { return (picture_width - 2 * margin - (count_ - 1) * gap) / count_; }
    int left(std::size_t k) const { return margin + static_cast<int>(k) * (width() + gap); }
    int pane() const { return pane_; }
    int captions_top() const { return panes_top + pane_ + (pane_ > 0 ? 9 : 0); }
    int plot_top() const { return captions_top() + 84; }

  private:
    int count_, pane_;
};

}  // namespace race
