// The mesh that is made when none is given: the zero surface of a function, by surface nets (Gibson 1998): each cell of
// a grid that the surface crosses gets a vertex, each edge of the grid that it crosses a quadrilateral.
#include <algorithm>
#include <array>
#include <cmath>

#include "deform/mesh.hpp"

namespace deform {
namespace {

/// A limb: all points as far as `radius` from a line, with ribs along it.
struct Limb {
    Vector from, to;
    float radius;
    float ribs, depth;

    /// Negative inside; nearly the distance.
    float operator()(Vector p) const {
        const Vector axis = to - from;
        const float t = std::clamp(dot(p - from, axis) / dot(axis, axis), 0.0f, 1.0f);
        const Vector away = p - (from + t * axis);
        const Vector along = normalised(axis);
        const Vector beside = away - dot(away, along) * along;
        const Vector first = normalised(cross(along, Vector{0.3f, 0.1f, 1.0f})), second = cross(along, first);
        const float angle = std::atan2(dot(beside, second), dot(beside, first));
        const float distance = length(away);
        const float at_the_side = length(beside) / std::max(distance, 1e-6f);  // ribs end at the poles
        return distance - radius - depth * at_the_side * at_the_side * std::cos(ribs * angle);
    }
};

/// A minimum that rounds off the corner, by up to `round` / 4.
float smooth_minimum(float a, float b, float round) {
    const float h = std::max(round - std::abs(a - b), 0.0f) / round;
    return std::min(a, b) - 0.25f * h * h * round;
}

float cactus(Vector p) {
    static constexpr Limb trunk{{0, 0.0f, 0}, {0, 2.05f, 0}, 0.27f, 11, 0.018f};
    // The arms lie across x, where the cactus is bent to.
    static constexpr Limb left[] = {{{0, 0.72f, 0}, {-0.44f, 0.80f, 0.46f}, 0.125f, 7, 0.008f},
                                    {{-0.44f, 0.80f, 0.46f}, {-0.46f, 1.42f, 0.49f}, 0.145f, 8, 0.012f}};
    static constexpr Limb right[] = {{{0, 1.04f, 0}, {0.40f, 1.12f, -0.44f}, 0.115f, 7, 0.008f},
                                     {{0.40f, 1.12f, -0.44f}, {0.42f, 1.62f, -0.46f}, 0.13f, 8, 0.012f}};
    const float arms =
        std::min(smooth_minimum(left[0](p), left[1](p), 0.2f), smooth_minimum(right[0](p), right[1](p), 0.2f));
    return smooth_minimum(trunk(p), arms, 0.16f);
}

/// One step of Newton's method onto the surface.
Vector onto_surface(Vector p) {
    constexpr float h = 2e-3f;
    const auto slope = [&](Vector d) { return (cactus(p + h * d) - cactus(p - h * d)) / (2 * h); };
    const Vector gradient{slope({1, 0, 0}), slope({0, 1, 0}), slope({0, 0, 1})};
    return p - (cactus(p) / std::max(dot(gradient, gradient), 0.1f)) * gradient;
}

/// Vertices to the mean of their neighbours, and back onto the surface: triangles of even sizes.
void relax(Mesh& mesh) {
    std::vector<Vector> sum(mesh.size());
    std::vector<float> count(mesh.size());
    for (const auto& triangle : mesh.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            const std::uint32_t v = triangle[k], next = triangle[(k + 1) % 3];
            sum[v] = sum[v] + mesh.vertices[next];
            ++count[v];
        }
    }
    for (std::size_t v = 0; v < mesh.size(); ++v) mesh.vertices[v] = onto_surface((1 / count[v]) * sum[v]);
}

class Grid {
  public:
    explicit Grid(double spacing) : spacing_(static_cast<float>(spacing)) {
        for (int y = 0; y < size_[1]; ++y) {  // bottom to top: neighbours get numbers that are near each other
            for (int z = 0; z < size_[2]; ++z) {
                for (int x = 0; x < size_[0]; ++x) values_.push_back(cactus(point(x, y, z)));
            }
        }
        vertex_.assign(values_.size(), 0);
    }

    Mesh surface() {
        Mesh mesh;
        for (int y = 0; y + 1 < size_[1]; ++y) {
            for (int z = 0; z + 1 < size_[2]; ++z) {
                for (int x = 0; x + 1 < size_[0]; ++x) add_vertex(mesh, x, y, z);
            }
        }
        for (int y = 1; y + 1 < size_[1]; ++y) {
            for (int z = 1; z + 1 < size_[2]; ++z) {
                for (int x = 1; x + 1 < size_[0]; ++x) {
                    for (int axis = 0; axis < 3; ++axis) add_quadrilateral(mesh, {x, y, z}, axis);
                }
            }
        }
        return mesh;
    }

  private:
    Vector point(int x, int y, int z) const {
        return low_ + spacing_ * Vector{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
    }
    std::size_t at(int x, int y, int z) const { return static_cast<std::size_t>((y * size_[2] + z) * size_[0] + x); }

    /// In the mean of where the surface crosses the cell's edges.
    void add_vertex(Mesh& mesh, int x, int y, int z) {
        Vector sum;
        int crossings = 0;
        for (int edge = 0; edge < 12; ++edge) {
            const int axis = edge / 4, u = edge & 1, v = (edge >> 1) & 1;
            std::array<int, 3> a{x, y, z};
            a[static_cast<std::size_t>((axis + 1) % 3)] += u;
            a[static_cast<std::size_t>((axis + 2) % 3)] += v;
            std::array<int, 3> b = a;
            ++b[static_cast<std::size_t>(axis)];
            const float fa = values_[at(a[0], a[1], a[2])], fb = values_[at(b[0], b[1], b[2])];
            if ((fa < 0) == (fb < 0)) continue;
            const float t = fa / (fa - fb);
            sum = sum + (1 - t) * point(a[0], a[1], a[2]) + t * point(b[0], b[1], b[2]);
            ++crossings;
        }
        if (crossings == 0) return;
        vertex_[at(x, y, z)] = static_cast<std::uint32_t>(mesh.size());
        mesh.vertices.push_back((1.0f / static_cast<float>(crossings)) * sum);
    }

    /// Around the edge from the point `a` along an axis: of the four cells that share it.
    void add_quadrilateral(Mesh& mesh, std::array<int, 3> a, int axis) const {
        std::array<int, 3> b = a;
        ++b[static_cast<std::size_t>(axis)];
        const bool inside = values_[at(a[0], a[1], a[2])] < 0;
        if (inside == (values_[at(b[0], b[1], b[2])] < 0)) return;
        std::array<std::uint32_t, 4> q{};
        for (std::size_t k = 0; k < 4; ++k) {  // around the edge, so that the outside sees it anticlockwise
            std::array<int, 3> cell = a;
            if (k == 0 || k == 3) --cell[static_cast<std::size_t>((axis + 1) % 3)];
            if (k == 0 || k == 1) --cell[static_cast<std::size_t>((axis + 2) % 3)];
            q[k] = vertex_[at(cell[0], cell[1], cell[2])];
        }
        if (!inside) std::swap(q[1], q[3]);
        const auto far = [&](std::size_t i, std::size_t k) {
            return length(mesh.vertices[q[i]] - mesh.vertices[q[k]]);
        };
        if (far(0, 2) < far(1, 3)) {  // the shorter diagonal
            mesh.triangles.push_back({q[0], q[1], q[2]});
            mesh.triangles.push_back({q[0], q[2], q[3]});
        } else {
            mesh.triangles.push_back({q[1], q[2], q[3]});
            mesh.triangles.push_back({q[1], q[3], q[0]});
        }
    }

    float spacing_;
    Vector low_{-0.75f, -0.40f, -0.75f}, high_{0.75f, 2.45f, 0.80f};
    std::array<int, 3> size_{static_cast<int>((high_.x - low_.x) / spacing_) + 2,
                             static_cast<int>((high_.y - low_.y) / spacing_) + 2,
                             static_cast<int>((high_.z - low_.z) / spacing_) + 2};
    std::vector<float> values_;
    std::vector<std::uint32_t> vertex_;  // of the cell above, behind and to the right of each point
};

}  // namespace

Mesh make_cactus(double spacing) {
    Mesh mesh = Grid(spacing).surface();
    for (int k = 0; k < 4; ++k) relax(mesh);
    return mesh;
}

}  // namespace deform
