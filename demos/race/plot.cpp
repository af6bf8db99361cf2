#include "race/plot.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "race/layout.hpp"

namespace race {
namespace {

constexpr float text_size = 15, room_for_labels = 168, thickness = 2.5f;

}  // namespace

std::string in_words(double used, Clock clock) {
    if (clock == Clock::iterations) return with_commas(std::llround(used));
    if (used >= 0.9995) return fmt::format("{:.3g} s", used);
    return used >= 0.00995 ? fmt::format("{:.0f} ms", 1e3 * used) : fmt::format("{:.2g} ms", 1e3 * used);
}

ImU32 colour_of(std::size_t runner) {
    const Colour colour = runner_colours[runner % runner_colours.size()];
    return IM_COL32(colour.red, colour.green, colour.blue, 255);
}

float Plot::x(double used) const {
    const double width = to_.x - from_.x - room_for_labels;
    return from_.x + static_cast<float>(width * std::log10(1 + std::max(used, 0.0) / unit_) / decades_);
}

float Plot::y(double residual) const {
    const double exponent = std::log10(std::isfinite(residual) ? std::clamp(residual, 1e-30, 1e30) : 1e30);
    return to_.y - static_cast<float>((to_.y - from_.y) * (exponent - lowest_) / (highest_ - lowest_));
}

void Plot::draw(const Field& field) {
    const bool by_time = field.clock() == Clock::time;
    unit_ = by_time ? 1e-3 : 1;
    // The axis is as long as the race so far, and never shorter than this.
    decades_ = std::log10(1 + std::max(field.now() / unit_, by_time ? 20.0 : 30.0));
    lowest_ = std::log10(field.tolerance()) - 2.2;  // what meets it ends below, with a name beside it
    list_.AddRectFilled(ImVec2(from_.x, from_.y), ImVec2(to_.x, to_.y), backdrop, 6);
    axes(field);
    list_.PushClipRect(from_, to_, true);
    for (std::size_t k = 0; k < field.runners().size(); ++k) curve(field, k);
    list_.PopClipRect();
    labels(field);
}

/// "10" and a small exponent, ending at `right`.
void Plot::power_of_ten(int exponent, float right, float middle_line) const {
    constexpr float small = 11;
    const std::string digits = std::to_string(exponent);
    const float wide = font_->CalcTextSizeA(small, 1e9f, 0, digits.c_str()).x;
    const float ten = font_->CalcTextSizeA(text_size, 1e9f, 0, "10").x;
    list_.AddText(font_, text_size, ImVec2(right - wide - ten - 1, middle_line - 9), middle, "10");
    list_.AddText(font_, small, ImVec2(right - wide, middle_line - 14), middle, digits.c_str());
}

void Plot::axes(const Field& field) const {
    for (int exponent = static_cast<int>(std::ceil(lowest_)); exponent <= 0; ++exponent) {
        const float line = y(std::pow(10.0, exponent));
        list_.AddLine(ImVec2(from_.x, line), ImVec2(to_.x, line), faint);
        if (exponent % 2 == 0) power_of_ten(exponent, from_.x - 8, line);
    }
    // 1, 10, 100 ... with words, 2 and 5 of them where there is room
    float last = -1e9f;
    const auto tick = [&](double used) {
        const float line = x(used);
        if (line > to_.x - 40) return;
        list_.AddLine(ImVec2(line, from_.y), ImVec2(line, to_.y), faint);
        const std::string words = used == 0 ? "0" : in_words(used, field.clock());
        const float wide = font_->CalcTextSizeA(text_size, 1e9f, 0, words.c_str()).x;
        if (line - wide / 2 < last + 18) return;
        list_.AddText(font_, text_size, ImVec2(line - wide / 2, to_.y + 6), middle, words.c_str());
        last = line + wide / 2;
    };
    tick(0);
    for (double power = unit_; power <= 1e12 * unit_ && x(power) < to_.x; power *= 10) {
        for (const int times : {1, 2, 5}) tick(times * power);
    }
    const float line = y(field.tolerance());
    for (float at = from_.x; at < to_.x; at += 10) list_.AddLine(ImVec2(at, line), ImVec2(at + 5, line), middle);
    list_.AddText(font_, text_size, ImVec2(from_.x + 10, line + 3), middle, "tolerance");
    list_.AddText(font_, text_size, ImVec2(from_.x, to_.y + 27), middle,
                  field.clock() == Clock::time ? "time of solving, after the set-up" : "iterations");
    const char* note = "curves: |b - Ax| / |b| as the method has it;  dots: recomputed in double precision";
    const float wide = font_->CalcTextSizeA(text_size, 1e9f, 0, note).x;
    list_.AddText(font_, text_size, ImVec2(to_.x - wide, to_.y + 27), middle, note);
}

/// Points that share a pixel are one; dots stand apart from each other.
void Plot::curve(const Field& field, std::size_t runner) const {
    const Runner& one = field.runners()[runner];
    std::vector<ImVec2> points;
    ImVec2 last_dot(-1e9f, 0);
    for (const CurvePoint& point : one.curve()) {
        const double used = field.clock() == Clock::time ? point.seconds : static_cast<double>(point.iteration);
        if (!field.shown(point)) break;
        const ImVec2 at(x(used), y(point.residual));
        if (points.empty() || std::abs(at.x - points.back().x) + std::abs(at.y - points.back().y) >= 1) {
            points.push_back(at);
        }
        if (point.corrected && std::abs(at.x - last_dot.x) + std::abs(at.y - last_dot.y) >= 22) {
            list_.AddCircleFilled(at, 4, colour_of(runner), 16);
            last_dot = at;
        }
    }
    list_.AddPolyline(points.data(), static_cast<int>(points.size()), colour_of(runner), ImDrawFlags_None, thickness);
    if (field.place(one) > 0) {
        list_.AddCircleFilled(ImVec2(x(one.used(field.clock())), y(one.residual())), 6, colour_of(runner), 24);
    }
}

/// The last point that is shown.
ImVec2 Plot::head(const Field& field, const Runner& runner) const {
    const auto shown = std::find_if(runner.curve().rbegin(), runner.curve().rend(),
                                    [&](const CurvePoint& point) { return field.shown(point); });
    const double used = field.clock() == Clock::time ? shown->seconds : static_cast<double>(shown->iteration);
    return {x(used), y(shown->residual)};
}

/// The names, at the heads of the curves, to their right; to the left of those that are there if the right is taken.
/// Where two would cover each other they move apart.
void Plot::labels(const Field& field) const {
    struct Label {
        const Runner* runner;
        ImVec2 head, at, size;
    };
    std::vector<Label> all;
    for (const Runner& runner : field.runners()) {
        const ImVec2 size = font_->CalcTextSizeA(text_size, 1e9f, 0, runner.label().c_str());
        all.push_back({&runner, head(field, runner), {}, size});
    }
    for (Label& label : all) {
        const bool taken = std::ranges::any_of(all, [&](const Label& other) {
            const float beside = other.head.x - label.head.x;
            return &other != &label && beside > 0 && beside < label.size.x + 24
                   && std::abs(other.head.y - label.head.y) < label.size.y;
        });
        const float left = field.place(*label.runner) > 0 && taken ? -12 - label.size.x : 12;
        label.at = ImVec2(std::max(label.head.x + left, from_.x + 4), label.head.y - label.size.y / 2);
    }
    std::ranges::sort(all, [](const Label& a, const Label& b) { return a.at.y < b.at.y; });
    for (std::size_t k = 0; k < all.size(); ++k) {
        Label& label = all[k];
        label.at.y = std::clamp(label.at.y, from_.y + 4, to_.y - label.size.y - 4);
        for (std::size_t i = 0; i < k; ++i) {  // those above, from the top
            const Label& other = all[i];
            const bool beside = label.at.x > other.at.x + other.size.x || other.at.x > label.at.x + label.size.x;
            if (!beside && label.at.y < other.at.y + other.size.y) label.at.y = other.at.y + other.size.y;
        }
        constexpr ImU32 veil = IM_COL32(19, 22, 27, 176);
        list_.AddRectFilled(ImVec2(label.at.x - 3, label.at.y),
                            ImVec2(label.at.x + label.size.x + 3, label.at.y + label.size.y), veil, 4);
        list_.AddText(font_, text_size, label.at, bright, label.runner->label().c_str());
    }
}

}  // namespace race
