#include <fmt/format.h>

#include <glsolve/error.hpp>
#include <glsolve/multigrid.hpp>

#include "base/require_range.hpp"

namespace glsolve::inline v0_1 {

/// x -> e_k; and about the centre of the points  (x, y) -> (-y, x),  (x, y, z) -> (0, -z, y), (z, 0, -x), (-y, x, 0).
std::vector<double> rigid_body_modes(const std::vector<double>& coordinates, int dimension) {
    require_range("rigid_body_modes", "dimension", dimension, 2, 3);
    const auto d = static_cast<std::size_t>(dimension), points = coordinates.size() / d;
    if (coordinates.size() % d != 0) {
        throw InvalidInput(fmt::format("rigid_body_modes: {} coordinates are no multiple of the dimension, {}",
                                       coordinates.size(), dimension));
    }
    std::vector<double> centre(d, 0.0);
    for (std::size_t i = 0; i < coordinates.size(); ++i)
        centre[i / points] += coordinates[i] / static_cast<double>(points);
    const std::size_t modes = d == 2 ? 3 : 6;
    std::vector<double> all(points * d * modes, 0.0);
    for (std::size_t p = 0; p < points; ++p) {
        const auto x = [&](std::size_t axis) { return coordinates[axis * points + p] - centre[axis]; };
        const auto mode = [&](std::size_t axis, std::size_t k) -> double& { return all[(p * d + axis) * modes + k]; };
        for (std::size_t axis = 0; axis < d; ++axis) mode(axis, axis) = 1;
        for (std::size_t k = d; k < modes; ++k) {
            const std::size_t a = d == 2 ? 0 : (k + 1) % 3, b = d == 2 ? 1 : (k + 2) % 3;  // the axes that turn
            mode(a, k) = -x(b);
            mode(b, k) = x(a);
        }
    }
    return all;
}

}  // namespace glsolve::inline v0_1
