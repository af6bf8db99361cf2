#include "legend.hpp"

#include <imgui.h>

#include <cmath>

namespace fluid {
namespace {

constexpr ImU32 shrinks = IM_COL32(97, 189, 255, 255), grows = IM_COL32(255, 189, 92, 255);
constexpr ImU32 nothing = IM_COL32(0, 0, 0, 255);

}  // namespace

void draw_keys(Method method, bool paused) {
    const auto key = [method](Method of, const char* words) {
        if (of == method) {
            ImGui::TextColored(ImVec4(1.0f, 0.74f, 0.36f, 1.0f), "%s", words);
        } else {
            ImGui::TextDisabled("%s", words);
        }
    };
    key(Method::jacobi, "J  Jacobi");
    key(Method::cg, "C  conjugate gradients");
    key(Method::multigrid, "M  multigrid and cg");
    ImGui::TextDisabled("D  what is shown   R  anew");
    ImGui::TextDisabled(paused ? "space  go on" : "space  pause   mouse  ringed disc");
    ImGui::Separator();
}

void draw_divergence(const Divergence& divergence) {
    ImGui::Text("divergence, 1/frame");
    ImGui::Text("  before  rms %.1e", divergence.before);
    ImGui::Text("  left    rms %.1e", divergence.after);
    ImGui::Text("          max %.1e", divergence.largest);
    const float width = ImGui::GetContentRegionAvail().x;
    const ImVec2 corner = ImGui::GetCursorScreenPos();
    const ImVec2 middle(corner.x + width / 2, corner.y + 10), end(corner.x + width, corner.y + 10);
    ImDrawList& canvas = *ImGui::GetWindowDrawList();
    canvas.AddRectFilledMultiColor(corner, middle, shrinks, nothing, nothing, shrinks);
    canvas.AddRectFilledMultiColor(ImVec2(middle.x, corner.y), end, nothing, grows, grows, nothing);
    ImGui::Dummy(ImVec2(width, 10));
    const auto power = [](double number) { return static_cast<int>(std::lround(std::log10(number))); };
    ImGui::TextDisabled("-1e%d", power(View::most));
    ImGui::SameLine(width / 2 - 28);
    ImGui::TextDisabled("< 1e%d", power(View::least));
    ImGui::SameLine(width - 28);
    ImGui::TextDisabled("1e%d", power(View::most));
    ImGui::Separator();
}

void draw_captions(const View& view, int picture_height) {
    const auto caption = [picture_height](const Pane& pane, const char* words) {
        if (pane.side == 0) return;
        const ImVec2 at(static_cast<float>(pane.x + 10), static_cast<float>(picture_height - pane.y - 24));
        const ImVec2 size = ImGui::CalcTextSize(words);
        ImDrawList& canvas = *ImGui::GetBackgroundDrawList();
        canvas.AddRectFilled(ImVec2(at.x - 5, at.y - 3), ImVec2(at.x + size.x + 5, at.y + size.y + 3),
                             IM_COL32(6, 7, 9, 170), 4);
        canvas.AddText(at, IM_COL32(220, 224, 235, 220), words);
    };
    caption(view.smoke_pane(), "smoke");
    caption(view.divergence_pane(), "divergence left after the projection");
}

}  // namespace fluid
