/// Numbers on a grid as colours.
#pragma once

#include <cstdint>
#include <vector>

#include "support/stage.hpp"

namespace race {

enum class View : std::uint8_t {
    error,    ///< |x - x*|, by its logarithm
    solution  ///< x
};

/// What `View::error` shows: from black to white.
constexpr float darkest_error = -9.0f, brightest_error = 0.477f;  // log10

class Panes {
  public:
    Panes(const demo::Stage& stage, int side);

    /// Draws a square of so many pixels, its upper left at (x, y) from the picture's upper left.
    void draw(const std::vector<double>& numbers, View view, int x, int y, int pixels);
    /// The scale of the errors.
    void draw_scale(int x, int y, int width, int height);

  private:
    void draw_texture(GLuint texture, View view, int x, int y, int width, int height) const;

    const demo::Stage& stage_;
    int side_;
    GLuint program_, numbers_, scale_;
    std::vector<float> texels_;
};

}  // namespace race
