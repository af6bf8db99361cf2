#include "clone/view.hpp"

#include <imgui.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>

#include "clone/shaders.hpp"

namespace cloning {
namespace {

constexpr float widest = 1280, highest = 800;  // the window
constexpr float gap = 6;                       // between two pictures
constexpr float panel_width = 264, panel_height = 226;
constexpr float margin = 8;

}  // namespace

View::View(const Inputs& inputs, const std::string& show, bool panel)
    : source_width_(inputs.source.width),
      source_height_(inputs.source.height),
      target_width_(inputs.target.width),
      target_height_(inputs.target.height),
      shown_(show == "pasted"   ? pasted
             : show == "cloned" ? cloned
                                : both),
      column_(panel ? panel_width : 0) {
    const auto wide = static_cast<float>(target_width_), high = static_cast<float>(target_height_);
    const float columns = shown_ == both ? 2 : 1;
    scale_ = std::min({1.0f, widest / (columns * wide), highest / high});
    width_ = static_cast<int>(column_ + columns * std::max(1.0f, std::round(scale_ * wide)) + (columns - 1) * gap);
    height_ = static_cast<int>(std::max({1.0f, std::round(scale_ * high), panel ? panel_height : 0.0f}));
}

void View::open() { program_ = demo::make_program(show_shader); }

/// The target's picture in the middle of a column of the window, as large as it can be.
View::Pane View::fitted(float x, float width) const {
    const auto wide = static_cast<float>(target_width_), high = static_cast<float>(target_height_);
    const auto window_height = static_cast<float>(height_);
    const float scale = std::min(width / wide, window_height / high);
    Pane pane{.width = std::round(scale * wide), .height = std::round(scale * high)};
    pane.x = x + std::floor((width - pane.width) / 2);
    pane.y = std::floor((window_height - pane.height) / 2);
    return pane;
}

/// Under the panel, if there is room.
View::Pane View::source_pane() const {
    const auto wide = static_cast<float>(source_width_), high = static_cast<float>(source_height_);
    const float room = static_cast<float>(height_) - panel_height - 2 * margin;
    const float scale = std::min((column_ - 2 * margin) / wide, room / high);
    if (std::min(room, scale * std::min(wide, high)) < 32) return {};
    return {.x = std::floor((column_ - scale * wide) / 2), .y = margin, .width = scale * wide, .height = scale * high};
}

std::array<View::Pane, 3> View::panes() const {
    const float all = static_cast<float>(width_) - column_;
    if (shown_ == pasted) return {fitted(column_, all), Pane{}, source_pane()};
    if (shown_ == cloned) return {Pane{}, fitted(column_, all), source_pane()};
    const float half = std::floor((all - gap) / 2);
    return {fitted(column_, half), fitted(column_ + all - half, half), source_pane()};
}

void View::draw(const Cloning& cloning, const demo::Stage& stage) {
    glUseProgram(program_);
    int unit = 0;
    for (const auto& [name, texture] : {std::pair("pasted", cloning.pasted()), std::pair("cloned", cloning.cloned()),
                                        std::pair("source", cloning.source())}) {
        glActiveTexture(GL_TEXTURE0 + static_cast<GLenum>(unit));
        glBindTexture(GL_TEXTURE_2D, texture);
        glUniform1i(glGetUniformLocation(program_, name), unit++);
    }
    const auto all = panes();
    for (const auto& [name, pane] :
         {std::pair("pasted_pane", all[0]), std::pair("cloned_pane", all[1]), std::pair("source_pane", all[2])}) {
        glUniform4f(glGetUniformLocation(program_, name), pane.x, pane.y, pane.width, pane.height);
    }
    demo::draw(program_, stage.framebuffer(), width_, height_);
}

void View::widgets(const demo::Stage& stage, Placement& placement) {
    // On the pictures: which one is which.
    const auto all = panes();
    for (const auto& [name, pane] :
         {std::pair("pasted", all[0]), std::pair("cloned", all[1]), std::pair("source", all[2])}) {
        if (pane.width <= 0) continue;
        const ImVec2 words = ImGui::CalcTextSize(name);
        const float x = pane.x + 18;
        const float y = static_cast<float>(height_) - pane.y - words.y - 12;
        ImDrawList* list = ImGui::GetForegroundDrawList();
        list->AddRectFilled({x - 10, y - 4}, {x + words.x + 10, y + words.y + 4}, IM_COL32(10, 11, 16, 170), 5);
        list->AddText({x, y}, IM_COL32(235, 235, 240, 255), name);
    }
    for (const auto& [name, shown] :
         {std::pair("pasted", pasted), std::pair("cloned", cloned), std::pair("both (P)", both)}) {
        if (shown != pasted) ImGui::SameLine();
        ImGui::RadioButton(name, &shown_, shown);
    }
    ImGui::Checkbox("mixed gradients (N)", &placement.mixed_gradients);
    if (stage.options().headless) {
        ImGui::Text("at %d, %d", placement.x, placement.y);
    } else {
        ImGui::Text("at %d, %d: drag it", placement.x, placement.y);
    }
}

void View::react(const demo::Input& input, Placement& placement) {
    if (input.has('P')) shown_ = (shown_ + 1) % 3;
    if (input.has('N')) placement.mixed_gradients = !placement.mixed_gradients;
    if (!input.down) dragged_in_ = -1;
    const auto all = panes();
    for (int k = 0; k < 2; ++k) {
        const Pane& pane = all[static_cast<std::size_t>(k)];
        const double x = (input.x - static_cast<double>(pane.x)) / static_cast<double>(pane.width) * target_width_;
        const double y = (input.y - static_cast<double>(pane.y)) / static_cast<double>(pane.height) * target_height_;
        const bool inside = pane.width > 0 && x >= 0 && y >= 0 && x < target_width_ && y < target_height_;
        if (!inside) continue;
        if (input.pressed) {
            const bool on_source = x >= placement.x && y >= placement.y && x < placement.x + source_width_
                                   && y < placement.y + source_height_;
            dragged_in_ = k;  // beside the source: it jumps there, with its middle
            grabbed_x_ = on_source ? x - placement.x : source_width_ / 2.0;
            grabbed_y_ = on_source ? y - placement.y : source_height_ / 2.0;
        }
        if (dragged_in_ != k) continue;
        placement.x = static_cast<int>(std::lround(x - grabbed_x_));
        placement.y = static_cast<int>(std::lround(y - grabbed_y_));
    }
}

}  // namespace cloning
