#include "support/panel.hpp"

#include <backends/imgui_impl_opengl3.h>
#include <imgui.h>

#include <algorithm>
#include <cmath>

namespace demo {
namespace {

constexpr std::size_t most_residuals = 160;  // of the curve
constexpr std::size_t most_passes = 7;       // that are listed
constexpr float width = 248;

}  // namespace

Panel::Panel(Stage& stage) : stage_(stage) {
    if (!stage_.options().panel) return;
    ImGui::CreateContext();
    ImGuiIO& io = ImGui::GetIO();
    io.IniFilename = nullptr;  // nothing is kept in files
    ImGui::StyleColorsDark();
    ImGui::GetStyle().WindowRounding = 6;
    ImGui_ImplOpenGL3_Init("#version 330 core");
    // In its first frame ImGui measures a window, and does not show it.
    begin_frame();
    ImGui::Begin(stage_.options().name.c_str(), nullptr, ImGuiWindowFlags_NoResize);
    ImGui::Text(" ");
    ImGui::End();
    ImGui::EndFrame();
}

Panel::~Panel() {
    if (!stage_.options().panel) return;
    ImGui_ImplOpenGL3_Shutdown();
    ImGui::DestroyContext();
}

void Panel::heard(const glsolve::Report& report) {
    last_ = report;
    heard_ = true;
    if (!report.profile.empty()) profile_ = report.profile;
    const auto add = [this](double residual) {
        residuals_.push_back(static_cast<float>(std::log10(std::clamp(residual, 1e-12, 1e3))));
        if (residuals_.size() > most_residuals) residuals_.pop_front();
    };
    by_iterations_ = !report.history.empty();
    for (const glsolve::HistoryEntry& entry : report.history) add(entry.relative_residual);
    if (!by_iterations_) add(report.relative_residual);
    const auto now = static_cast<float>(1e3 * report.device_seconds);
    if (now > 0) milliseconds_ = milliseconds_ > 0 ? 0.9f * milliseconds_ + 0.1f * now : now;
}

void Panel::forget() {
    residuals_.clear();
    profile_.clear();
    milliseconds_ = 0;
    heard_ = false;
}

void Panel::draw(const std::string& method, const std::string& preconditioner, const std::function<void()>& own) {
    if (!stage_.options().panel) return;
    const StageOptions& options = stage_.options();
    begin_frame();
    ImGui::Begin(options.name.c_str(), nullptr, ImGuiWindowFlags_NoResize);
    if (own) own();
    solver(method, preconditioner);
    passes();
    ImGui::End();
    ImGui::Render();
    glBindFramebuffer(GL_FRAMEBUFFER, stage_.framebuffer());
    glViewport(0, 0, options.width, options.height);
    ImGui_ImplOpenGL3_RenderDrawData(ImGui::GetDrawData());
    if (ImGui::GetIO().WantCaptureMouse) stage_.take_mouse();
}

void Panel::begin_frame() {
    const StageOptions& options = stage_.options();
    ImGuiIO& io = ImGui::GetIO();
    io.DisplaySize = ImVec2(static_cast<float>(options.width), static_cast<float>(options.height));
    io.DeltaTime = 1.0f / 60;
    const Input& input = stage_.input();
    io.MousePos = options.headless ? ImVec2(-1, -1)
                                   : ImVec2(static_cast<float>(input.x), static_cast<float>(options.height - input.y));
    io.MouseDown[0] = input.down;
    ImGui_ImplOpenGL3_NewFrame();
    ImGui::NewFrame();
    ImGui::SetNextWindowPos(ImVec2(8, 8), ImGuiCond_FirstUseEver);
    ImGui::SetNextWindowSize(ImVec2(width, 0));
    ImGui::SetNextWindowBgAlpha(0.72f);
}

void Panel::solver(const std::string& method, const std::string& preconditioner) {
    ImGui::Text("%s + %s", method.c_str(), preconditioner.c_str());
    if (!heard_) return;
    ImGui::Text("%lld iterations, residual %.1e", static_cast<long long>(last_.iterations), last_.relative_residual);
    if (milliseconds_ > 0) {
        const auto milliseconds = static_cast<double>(milliseconds_);
        const auto passes = static_cast<double>(std::max<std::uint64_t>(1, last_.passes));
        ImGui::Text("GPU %.1f ms, %.0f passes of %.2g", milliseconds, passes, milliseconds / passes);
    }
    const std::vector<float> curve(residuals_.begin(), residuals_.end());
    ImGui::PlotLines("##residual", curve.data(), static_cast<int>(curve.size()), 0,
                     by_iterations_ ? "log10 |r|/|b|, by iterations" : "log10 |r|/|b|, by frames", -8, 3,
                     ImVec2(width - 16, 64));
}

/// What takes longest comes first.
void Panel::passes() const {
    std::vector<glsolve::PassReport> all = profile_;
    std::ranges::sort(all, std::greater(), &glsolve::PassReport::seconds);
    for (std::size_t k = 0; k < std::min(most_passes, all.size()); ++k) {
        ImGui::Text("%6.3f ms  %3llu x %s", 1e3 * all[k].seconds, static_cast<unsigned long long>(all[k].calls),
                    all[k].name.c_str());
    }
}

}  // namespace demo
