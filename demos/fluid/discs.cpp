#include "discs.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fluid {
namespace {

constexpr double fastest = 0.012;  // of a disc that is pulled
constexpr int free_disc = 2;

void move(Disc& disc, double x, double y) {
    disc.velocity_x = x - disc.x;
    disc.velocity_y = y - disc.y;
    disc.x = x;
    disc.y = y;
}

/// The first swings through the plume, the second goes round above it.
void follow_paths(std::array<Disc, Discs::count>& discs, int frame) {
    const double swing = 2 * std::numbers::pi * frame / 280, round = 2 * std::numbers::pi * frame / 360;
    move(discs[0], 0.5 - 0.22 * std::cos(swing), 0.36);
    move(discs[1], 0.5 + 0.13 * std::cos(round), 0.66 + 0.11 * std::sin(round));
}

}  // namespace

Discs::Discs(int cells_a_side) : gap_(3.0 / cells_a_side) {
    discs_[0].radius = 0.085;
    discs_[1].radius = 0.06;
    discs_[free_disc] = {.x = 0.83, .y = 0.6, .radius = 0.06};
    follow_paths(discs_, -1);  // so that their velocities are right in frame 0
    advance(0);
}

void Discs::advance(int frame) {
    follow_paths(discs_, frame);
    Disc& disc = discs_[free_disc];
    const double way_x = held_ ? target_x_ - disc.x : 0, way_y = held_ ? target_y_ - disc.y : 0;
    const double way = std::hypot(way_x, way_y), part = way > fastest ? fastest / way : 1;
    Disc next = disc;
    next.x += part * way_x;
    next.y += part * way_y;
    push_apart(next);
    move(disc, next.x, next.y);
}

void Discs::grab(double x, double y) {
    const Disc& disc = discs_[free_disc];
    hold_x_ = disc.x - x;
    hold_y_ = disc.y - y;
    held_ = std::hypot(hold_x_, hold_y_) < disc.radius;
    pull(x, y);
}

void Discs::pull(double x, double y) {
    target_x_ = x + hold_x_;
    target_y_ = y + hold_y_;
}

/// Fluid that is enclosed between discs has nowhere to go: its pressure is not determined. So the discs never touch.
void Discs::push_apart(Disc& disc) const {
    for (int again = 0; again < 4; ++again) {
        for (int k = 0; k < free_disc; ++k) {
            const Disc& other = discs_[static_cast<std::size_t>(k)];
            const double x = disc.x - other.x, y = disc.y - other.y;
            const double distance = std::hypot(x, y), least = disc.radius + other.radius + gap_;
            if (distance >= least || distance == 0) continue;
            disc.x = other.x + x * least / distance;
            disc.y = other.y + y * least / distance;
        }
        const double margin = disc.radius + gap_;
        disc.x = std::clamp(disc.x, margin, 1 - margin);
        disc.y = std::clamp(disc.y, margin, 1 - margin);
    }
}

}  // namespace fluid
