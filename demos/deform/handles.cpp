#include "deform/handles.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace deform {
namespace {

constexpr float share = 0.06f;  // of the height, of each end
constexpr double bend_angle = 1.9, twist_angle = 2.0, stretch_factor = 0.5;

std::vector<std::vector<std::uint32_t>> neighbours_of(const Mesh& mesh) {
    std::vector<std::vector<std::uint32_t>> neighbours(mesh.size());
    for (const auto& triangle : mesh.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            neighbours[triangle[k]].push_back(triangle[(k + 1) % 3]);
            neighbours[triangle[(k + 1) % 3]].push_back(triangle[k]);
        }
    }
    return neighbours;
}

/// Everything that can be reached from the stack by way of `next`, which says whether to go on to a vertex.
template <typename Next>
void spread(const std::vector<std::vector<std::uint32_t>>& neighbours, std::vector<std::uint32_t> stack, Next next) {
    while (!stack.empty()) {
        const std::uint32_t v = stack.back();
        stack.pop_back();
        for (const std::uint32_t other : neighbours[v]) {
            if (next(other)) stack.push_back(other);
        }
    }
}

}  // namespace

Handles handles_at_ends(const Mesh& mesh) {
    const auto [low, high] = std::ranges::minmax_element(mesh.vertices, {}, &Vector::y);
    const float lowest = low->y, highest = high->y, height = highest - lowest;
    if (height < 1e-4f) {
        throw std::runtime_error("the mesh has no height: its lowest vertices (y) are held, its highest are dragged");
    }
    Handles handles{.group = std::vector<Group>(mesh.size(), free_group), .base = {}, .tip = {}};
    std::vector<std::uint32_t> held;
    std::array<int, 3> counts{};
    for (std::uint32_t v = 0; v < mesh.size(); ++v) {
        const Vector& p = mesh.vertices[v];
        Group& group = handles.group[v];
        if (p.y <= lowest + share * height) group = fixed_group;
        if (p.y >= highest - share * height) group = dragged_group;
        if (group == free_group) continue;
        Vector& middle = group == fixed_group ? handles.base : handles.tip;
        middle = middle + p;
        ++counts[group];
        held.push_back(v);
    }
    handles.base = (1 / static_cast<float>(counts[fixed_group])) * handles.base;
    handles.tip = (1 / static_cast<float>(counts[dragged_group])) * handles.tip;

    std::vector<bool> reached(mesh.size(), false);
    for (const std::uint32_t v : held) reached[v] = true;
    spread(neighbours_of(mesh), held, [&](std::uint32_t v) {
        const bool is_new = !reached[v];
        reached[v] = true;
        return is_new;
    });
    for (std::size_t v = 0; v < mesh.size(); ++v) {
        if (!reached[v]) handles.group[v] = fixed_group;
    }
    return handles;
}

int add_handle(Handles& handles, const Mesh& mesh, std::size_t vertex, float radius, Group group) {
    int count = 0;
    const auto take = [&](std::uint32_t v) {
        if (handles.group[v] != free_group || length(mesh.vertices[v] - mesh.vertices[vertex]) > radius) return false;
        handles.group[v] = group;
        ++count;
        return true;
    };
    const auto start = static_cast<std::uint32_t>(vertex);
    if (take(start)) spread(neighbours_of(mesh), {start}, take);
    return count;
}

double amount_at(int frame, int period) {
    const double s = std::sin(std::numbers::pi * frame / period);
    return s * s;
}

Motion motion_along(Path path, double amount, const Handles& handles) {
    const Vector way = handles.tip - handles.base, up = normalised(way);
    // The rotation is about the tip, which then moves by `shift`.
    const auto about_tip = [&](Quaternion turn, Vector shift) {
        return Motion{turn, handles.tip - rotate(turn, handles.tip) + shift};
    };
    if (path == Path::twist) return about_tip(rotation_about(up, amount * twist_angle), {});
    if (path == Path::stretch) return about_tip({}, static_cast<float>(amount * stretch_factor) * way);
    if (path == Path::bend && amount > 0) {
        const Vector axis = normalised(cross(up, Vector{1, 0, 0.001f}));  // towards x
        const Vector side = cross(axis, up);
        const double angle = amount * bend_angle, radius = static_cast<double>(length(way)) / angle;
        const auto sideways = static_cast<float>(radius * (1 - std::cos(angle)));
        const auto upwards = static_cast<float>(radius * std::sin(angle));
        return about_tip(rotation_about(axis, angle), handles.base + upwards * up + sideways * side - handles.tip);
    }
    return {};
}

}  // namespace deform
