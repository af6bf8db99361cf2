#include "race/board.hpp"

#include <backends/imgui_impl_opengl3.h>
#include <fmt/format.h>
#include <imgui.h>

#include <algorithm>
#include <filesystem>

#include "race/layout.hpp"
#include "race/plot.hpp"

namespace race {
namespace {

constexpr float sharpness = 24;  // pixels that letters are made with; they are drawn smaller

/// A plain font of the system's, or the one that Dear ImGui brings along.
ImFont* load_font(ImGuiIO& io) {
    for (const char* file : {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf",
                             "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf",
                             "/System/Library/Fonts/Supplemental/Arial.ttf", "C:/Windows/Fonts/segoeui.ttf"}) {
        std::error_code nothing;
        if (!std::filesystem::exists(file, nothing)) continue;
        if (ImFont* font = io.Fonts->AddFontFromFileTTF(file, sharpness); font != nullptr) return font;
    }
    ImFontConfig larger;
    larger.SizePixels = 26;
    return io.Fonts->AddFontDefault(&larger);
}

std::string state_of(const Runner& runner) {
    if (runner.running()) return "";
    return std::string(glsolve::name(runner.status()));
}

std::string ordinal(int place) {
    constexpr const char* endings[] = {"th", "st", "nd", "rd"};
    return fmt::format("{}{}", place, endings[place <= 3 ? place : 0]);
}

}  // namespace

Board::Board(const demo::Stage& stage, const Problem& problem)
    : stage_(stage), problem_(problem), panes_(stage, problem.side), shown_(problem.answer.size()) {
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;  // nothing is kept in files
    font_ = load_font(io);
    ImGui_ImplOpenGL3_Init("#version 330 core");
}

Board::~Board() {
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext();
}

float Board::width_of(float size, const std::string& words) const {
    return font_->CalcTextSizeA(size, 1e9f, 0, words.c_str()).x;
}

/// Returns where the next word may begin.
float Board::text(ImDrawList& list, float size, float x, float y, unsigned colour, const std::string& words) const {
    list.AddText(font_, size, ImVec2(x, y), colour, words.c_str());
    return x + width_of(size, words);
}

void Board::draw(const Field& field, View view) {
    glBindFramebuffer(GL_FRAMEBUFFER, stage_.framebuffer());
    glClearColor(0.047f, 0.055f, 0.070f, 1);
    glClear(GL_COLOR_BUFFER_BIT);
    if (problem_.side > 0) draw_panes(field, view);

    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(picture_width, picture_height);
    io.DeltaTime = 1.0f / 60;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    ImDrawList& list = *ImGui::GetBackgroundDrawList();
    title(list, field, view);
    captions(list, field);
    const Columns columns(field.runners().size(), problem_.side > 0);
    Plot(list, font_, ImVec2(plot_left, static_cast<float>(columns.plot_top())), ImVec2(plot_right, plot_bottom))
        .draw(field);
    ImGui::Render();
    glBindFramebuffer(GL_FRAMEBUFFER, stage_.framebuffer());
    glViewport(0, 0, picture_width, picture_height);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
}

void Board::draw_panes(const Field& field, View view) {
    const Columns columns(field.runners().size(), true);
    for (std::size_t k = 0; k < field.runners().size(); ++k) {
        const std::vector<double>& x = field.runners()[k].x();
        for (std::size_t i = 0; i < x.size(); ++i) shown_[i] = view == View::error ? x[i] - problem_.answer[i] : x[i];
        panes_.draw(shown_, view, columns.left(k), panes_top, columns.pane());
    }
    if (view == View::error) panes_.draw_scale(picture_width - margin - 220, 61, 180, 12);
}

void Board::title(ImDrawList& list, const Field& field, View view) const {
    text(list, 24, margin, 17, bright, "One system, several methods, side by side");
    std::string description = problem_.description;
    for (const LeftOut& one : field.left_out()) description += fmt::format("; not for {}", one.runner);
    text(list, 16, margin, 54, middle, description);
    const std::string now =
        fmt::format("{}{}", field.clock() == Clock::time ? "" : "iteration ", in_words(field.now(), field.clock()));
    text(list, 24, picture_width - margin - width_of(24, now), 17, bright, now);
    if (problem_.side == 0) return;
    if (view == View::solution) {
        const std::string words = "the pictures: x, from 0 (dark) on";
        text(list, 16, picture_width - margin - width_of(16, words), 54, middle, words);
        return;
    }
    constexpr float right = picture_width - margin;
    const std::string least = "the pictures: the error |x - x*|   1e-9";
    text(list, 16, right - 220 - 8 - width_of(16, least), 54, middle, least);
    text(list, 16, right - 32, 54, middle, "3");
}

void Board::captions(ImDrawList& list, const Field& field) const {
    const Columns columns(field.runners().size(), problem_.side > 0);
    for (std::size_t k = 0; k < field.runners().size(); ++k) {
        const Runner& runner = field.runners()[k];
        const auto left = static_cast<float>(columns.left(k)), top = static_cast<float>(columns.captions_top());
        const int place = field.place(runner);
        if (columns.pane() > 0) {
            const ImVec2 upper(left, panes_top),
                lower(left + static_cast<float>(columns.pane()), panes_top + static_cast<float>(columns.pane()));
            list.AddRect(upper, lower, place > 0 ? colour_of(k) : faint, 0, 0, place > 0 ? 3.0f : 1.0f);
        }
        const float room = static_cast<float>(columns.width()) / width_of(18, runner.label());
        text(list, 18 * std::min(1.0f, room), left, top, colour_of(k), runner.label());
        text(list, 15, left, top + 24, bright, fmt::format("residual {:.1e}", runner.residual()));
        std::string spent = in_words(static_cast<double>(runner.iterations()), Clock::iterations) + " iterations";
        if (field.clock() == Clock::time) spent += ", " + in_words(runner.seconds(), Clock::time);
        text(list, 15, left, top + 43, middle, spent);
        const std::string badge = place > 0 ? ordinal(place) : state_of(runner);
        if (badge.empty()) continue;
        const float right = left + static_cast<float>(columns.pane() > 0 ? columns.pane() : columns.width());
        const float wide = width_of(15, badge) + 14, y = columns.pane() > 0 ? static_cast<float>(panes_top) : top;
        list.AddRectFilled(ImVec2(right - wide, y), ImVec2(right, y + 23), colour_of(k), 5,
                           columns.pane() > 0 ? ImDrawFlags_RoundCornersBottomLeft : ImDrawFlags_RoundCornersAll);
        text(list, 15, right - wide + 7, y + 3, IM_COL32(12, 14, 18, 255), badge);
    }
}

}  // namespace race
