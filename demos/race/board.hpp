/// The whole picture: panes, what is to be said of them, and the plot.
#pragma once

#include <string>

#include "race/field.hpp"
#include "race/panes.hpp"

struct ImFont;
struct ImDrawList;

namespace race {

class Board {
  public:
    Board(const demo::Stage& stage, const Problem& problem);
    ~Board();
    Board(const Board&) = delete;
    Board& operator=(const Board&) = delete;

    void draw(const Field& field, View view);

  private:
    void draw_panes(const Field& field, View view);
    void title(ImDrawList& list, const Field& field, View view) const;
    void captions(ImDrawList& list, const Field& field) const;
    float text(ImDrawList& list, float size, float x, float y, unsigned colour, const std::string& words) const;
    float width_of(float size, const std::string& words) const;

    const demo::Stage& stage_;
    const Problem& problem_;
    Panes panes_;
    ImFont* font_ = nullptr;
    std::vector<double> shown_;  // the numbers of a pane
};

}  // namespace race
