#include <fmt/format.h>

#include <array>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/mat3x3.hpp>
#include <glm/matrix.hpp>
#include <glm/vec3.hpp>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <limits>
#include <string_view>
#include <vector>

#include "base/require_range.hpp"
#include "generate/row_writer.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr std::string_view shell_name = "thermal-shell";
constexpr double pi = 3.14159265358979324;

using Element = std::array<std::array<double, 8>, 8>;
using Corners = std::array<glm::dvec3, 8>;
/// Corner c lies at (c & 1, c >> 1 & 1, c >> 2) of the unit cube: along the arc, the axis, the thickness.
constexpr int bit(int corner, int axis) { return corner >> axis & 1; }

/// The slopes of the eight trilinear functions at a point of the unit cube.
Corners slopes(const glm::dvec3& point) {
    Corners result;
    for (int c = 0; c < 8; ++c) {
        for (int axis = 0; axis < 3; ++axis) {
            double slope = 1;
            for (int d = 0; d < 3; ++d)
                slope *= d == axis ? 2 * bit(c, d) - 1 : bit(c, d) != 0 ? point[d] : 1 - point[d];
            result[static_cast<std::size_t>(c)][axis] = slope;
        }
    }
    return result;
}

/// a a^T
glm::dmat3 square(const glm::dvec3& a) { return glm::outerProduct(a, a); }

/// The conductivity where `J` maps the unit cube to space, column d the tangent along its axis d.
glm::dmat3 conductivity(const glm::dmat3& J, const Shell& shell, double angle) {
    const glm::dvec3 along = glm::normalize(J[0]);
    const glm::dvec3 normal = glm::normalize(glm::cross(along, J[1]));
    const glm::dvec3 side = glm::cross(normal, along);
    const glm::dvec3 fibre = std::cos(angle) * along + std::sin(angle) * side;
    const glm::dvec3 across = std::cos(angle) * side - std::sin(angle) * along;
    return square(fibre) + shell.across_fibres * square(across) + shell.through_thickness * square(normal);
}

/// The integral of grad N_a . K grad N_b over an element, by 2 x 2 x 2 Gauss points.
Element stiffness(const Corners& corners, const Shell& shell, double angle) {
    Element result{};
    for (int point = 0; point < 8; ++point) {
        glm::dvec3 at;
        for (int d = 0; d < 3; ++d) at[d] = 0.5 + (2 * bit(point, d) - 1) / std::sqrt(12.0);
        const Corners slope = slopes(at);
        glm::dmat3 J(0);
        for (std::size_t c = 0; c < 8; ++c) J += glm::outerProduct(corners[c], slope[c]);
        const glm::dmat3 K = conductivity(J, shell, angle), to_space = glm::transpose(glm::inverse(J));
        const double weight = std::abs(glm::determinant(J)) / 8;
        for (std::size_t a = 0; a < 8; ++a) {
            for (std::size_t b = 0; b <= a; ++b) {  // symmetric, rounding included
                result[a][b] += weight * glm::dot(to_space * slope[a], K * (to_space * slope[b]));
                result[b][a] = result[a][b];
            }
        }
    }
    return result;
}

/// One element for each layer: those of a layer are the same but for their place, and the fibres turn with them.
std::vector<Element> stiffness_of_layers(Index NX, Index NY, Index layers, const Shell& shell) {
    std::vector<Element> result;
    for (Index layer = 0; layer < layers; ++layer) {
        Corners corners;
        for (int c = 0; c < 8; ++c) {
            const double radius = 1 + shell.thickness * (static_cast<double>(layer + bit(c, 2)) / layers - 0.5);
            const double theta = pi / 2 * bit(c, 0) / NX;
            corners[static_cast<std::size_t>(c)] = {radius * std::sin(theta), static_cast<double>(bit(c, 1)) / NY,
                                                    radius * std::cos(theta)};
        }
        const double angle = shell.fibre_angle * pi / 180;
        result.push_back(stiffness(corners, shell, layer % 2 == 0 ? angle : -angle));
    }
    return result;
}

void require_shell(Index NX, Index NY, Index layers, const Shell& shell) {
    constexpr Index most = std::numeric_limits<Index>::max();
    require_range(shell_name, "NX", NX, Index{1}, most);
    require_range(shell_name, "NY", NY, Index{1}, most);
    require_range(shell_name, "layers", layers, Index{1}, most);
    if (1.0 * NX * (NY + 1.0) * (layers + 1.0) > most) {
        throw InvalidInput(
            fmt::format("{}: NX, NY, layers are {}, {}, {}; NX (NY + 1) (layers + 1) has to be at most {}", shell_name,
                        NX, NY, layers, most));
    }
    require_range(shell_name, "through_thickness", shell.through_thickness, 1e-8, 1e8);
    require_range(shell_name, "across_fibres", shell.across_fibres, 1e-8, 1e8);
    require_range(shell_name, "fibre_angle", shell.fibre_angle, -90.0, 90.0);
    require_range(shell_name, "thickness", shell.thickness, 1e-6, 1.0);
}

}  // namespace

CsrMatrix thermal_shell(Index NX, Index NY, Index layers, const Shell& shell) {
    require_shell(NX, NY, layers, shell);
    const std::vector<Element> stiffness = stiffness_of_layers(NX, NY, layers, shell);
    const Index rows = NX * (NY + 1) * (layers + 1);
    RowWriter A(rows, (Offset{3} * NX - 2) * (Offset{3} * NY + 1) * (Offset{3} * layers + 1));
    const auto has_element = [&](Index x, Index y, Index z) {
        return x >= 0 && y >= 0 && z >= 0 && x < NX && y < NY && z < layers;
    };
    const auto is_node = [&](Index x, Index y, Index z) {
        return x >= 1 && y >= 0 && z >= 0 && x <= NX && y <= NY && z <= layers;
    };
    for (Index z = 0; z <= layers; ++z) {
        for (Index y = 0; y <= NY; ++y) {
            for (Index x = 1; x <= NX; ++x) {
                std::array<double, 27> neighbour{};  // itself and those a step away along each axis, x the fastest
                for (int a = 0; a < 8; ++a) {        // the elements of which the node is corner a
                    if (!has_element(x - bit(a, 0), y - bit(a, 1), z - bit(a, 2))) continue;
                    const Element& K = stiffness[static_cast<std::size_t>(z - bit(a, 2))];
                    for (int b = 0; b < 8; ++b) {
                        const int step =
                            bit(b, 0) - bit(a, 0) + 3 * (bit(b, 1) - bit(a, 1)) + 9 * (bit(b, 2) - bit(a, 2));
                        neighbour[static_cast<std::size_t>(13 + step)] +=
                            K[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
                    }
                }
                for (Index k = 0; k < 27; ++k) {
                    const Index to_x = x + k % 3 - 1, to_y = y + k / 3 % 3 - 1, to_z = z + k / 9 - 1;
                    if (!is_node(to_x, to_y, to_z)) continue;
                    A.add(to_x - 1 + NX * (to_y + (NY + 1) * to_z), neighbour[static_cast<std::size_t>(k)]);
                }
                A.end_row();
            }
        }
    }
    return A.take();
}

}  // namespace glsolve::inline v0_1
