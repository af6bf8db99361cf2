#include "deform/mouse.hpp"

#include <limits>

namespace deform {
namespace {

constexpr float handle_radius = 0.09f;                  // of a new handle; the mesh's diagonal is 2
constexpr double orbit_speed = 0.008, turn_step = 0.1;  // radians a pixel, and a key

struct Hit {
    std::size_t vertex;
    Vector place;
};

/// The first triangle along the ray (Moeller and Trumbore 1997), and the nearest of its vertices.
std::optional<Hit> first_hit(const Mesh& mesh, Vector eye, Vector ray) {
    std::optional<Hit> hit;
    float nearest = std::numeric_limits<float>::max();
    for (const auto& triangle : mesh.triangles) {
        const Vector a = mesh.vertices[triangle[0]];
        const Vector u = mesh.vertices[triangle[1]] - a, v = mesh.vertices[triangle[2]] - a;
        const Vector across = cross(ray, v), from = eye - a;
        const float volume = dot(u, across);
        if (volume == 0) continue;
        const float s = dot(from, across) / volume;
        const Vector other = cross(from, u);
        const float t = dot(ray, other) / volume, distance = dot(v, other) / volume;
        if (s < 0 || t < 0 || s + t > 1 || distance < 0 || distance >= nearest) continue;
        nearest = distance;
        const std::size_t corner = s > 0.5f ? 1 : t > 0.5f ? 2 : 0;
        hit = Hit{triangle[corner], eye + distance * ray};
    }
    return hit;
}

/// The motion, and then a turn about a point.
Motion turned(const Motion& motion, Vector about, Vector axis, double angle) {
    const Quaternion turn = rotation_about(axis, angle);
    return {turn * motion.turn, rotate(turn, motion.shift - about) + about};
}

}  // namespace

void Mouse::press(Vector eye, Vector ray, Deformation& deformation) {
    const std::optional<Hit> hit = first_hit(deformation.read(), eye, ray);  // a click may wait for the device
    if (!hit) return;
    const Group group = deformation.handles().group[hit->vertex];
    const std::optional<Group> handle = group != free_group ? group : deformation.grasp(hit->vertex, handle_radius);
    if (!handle) return;
    handle_ = handle;
    dragging_ = true;
    place_ = hit->place;
}

void Mouse::act(const demo::Input& input, const demo::StageOptions& picture, Camera& camera, Deformation& deformation) {
    const auto width = static_cast<float>(picture.width), height = static_cast<float>(picture.height);
    camera.zoom(input.wheel);
    if (input.pressed) {
        const auto across = static_cast<float>(input.x) / width, upwards = static_cast<float>(input.y) / height;
        press(camera.eye(), camera.ray(2 * across - 1, 2 * upwards - 1, width / height), deformation);
    } else if (input.down && dragging_) {
        // A pixel is that wide where the mesh is held.
        const float pixel = 2 * Camera::slope * dot(place_ - camera.eye(), camera.forward()) / height;
        const Vector step = (pixel * static_cast<float>(input.x - x_)) * camera.right()
                            + (pixel * static_cast<float>(input.y - y_)) * camera.up();
        Motion motion = deformation.motion(*handle_);
        motion.shift = motion.shift + step;
        deformation.move(*handle_, motion);
        place_ = place_ + step;
    } else if (input.down) {
        camera.orbit(orbit_speed * (input.x - x_), orbit_speed * (input.y - y_));
    }
    if (!input.down) dragging_ = false;
    x_ = input.x;
    y_ = input.y;
    if (!handle_) return;
    for (const char key : input.keys) {
        if (key != 'A' && key != 'D') continue;
        const double angle = key == 'A' ? turn_step : -turn_step;
        deformation.move(*handle_, turned(deformation.motion(*handle_), place_, -1 * camera.forward(), angle));
    }
}

}  // namespace deform
