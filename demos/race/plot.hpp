/// Residuals over iterations or time, as curves.
#pragma once

#include <imgui.h>

#include <string>

#include "race/field.hpp"

namespace race {

/// The quantity as people read it: "1,234", "0.5 ms", "12.3 s".
std::string in_words(double used, Clock clock);
ImU32 colour_of(std::size_t runner);

constexpr ImU32 bright = IM_COL32(232, 236, 241, 255), middle = IM_COL32(158, 167, 179, 255),
                faint = IM_COL32(42, 48, 57, 255), backdrop = IM_COL32(19, 22, 27, 255);

class Plot {
  public:
    /// Its place: the corners of the axes.
    Plot(ImDrawList& list, ImFont* font, ImVec2 upper_left, ImVec2 lower_right)
        : list_(list), font_(font), from_(upper_left), to_(lower_right) {}
    void draw(const Field& field);

  private:
    float x(double used) const;
    float y(double residual) const;
    void axes(const Field& field) const;
    void curve(const Field& field, std::size_t runner) const;
    ImVec2 head(const Field& field, const Runner& runner) const;
    void labels(const Field& field) const;
    void power_of_ten(int exponent, float right, float middle_line) const;

    ImDrawList& list_;
    ImFont* font_;
    ImVec2 from_, to_;
    double unit_ = 1;                     // of the horizontal axis, which is log10(1 + used / unit): it begins at 0
    double decades_ = 1;                  // ... and is so long
    double lowest_ = -9, highest_ = 0.3;  // log10
};

}  // namespace race
