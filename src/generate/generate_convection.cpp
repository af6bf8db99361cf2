#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <string_view>

#include "generate/grid_operator.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// The largest |w|. That of a recirculating flow is known: `turning`.
double largest_speed(const Convection& c, double velocity_z, double turning) {
    return c.recirculating ? turning : std::hypot(c.velocity_x, c.velocity_y, velocity_z);
}

/// The diffusion that is given, or follows from the cell Peclet number: Pe = |w| h / (2 diffusion).
double diffusion(std::string_view kind, const Convection& c, double h, double speed) {
    double result = c.diffusion;
    if (c.cell_peclet != 0) {
        require_positive(kind, "cell_peclet", c.cell_peclet);
        if (speed == 0) {
            throw InvalidInput(
                fmt::format("{}: cell_peclet is {}, but the velocity is 0; give the diffusion instead, or a velocity",
                            kind, c.cell_peclet));
        }
        result = speed * h / (2 * c.cell_peclet);
    }
    require_positive(kind, "diffusion", result);
    return result;
}

void require_velocity(std::string_view kind, std::string_view parameter, double velocity) {
    require_range(kind, parameter, velocity, -1e100, 1e100);
}

/// h^2 (-diffusion Laplace(u) + w grad u). `velocity_at` takes a place in the unit square or cube, and gives w.
template <std::size_t axes, typename VelocityAt>
CsrMatrix convection_operator(std::string_view kind, Index N, const Convection& c, double speed,
                              const VelocityAt& velocity_at) {
    require_range(kind, "N", N, Index{1}, largest_side(axes));
    const double h = 1.0 / (N + 1);
    const double epsilon = diffusion(kind, c, h, speed);
    return grid_operator<axes>(kind, N, [&](const std::array<Index, axes>& at) {
        std::array<double, axes> place{};
        for (std::size_t d = 0; d < axes; ++d) place[d] = h * (at[d] + 1);
        const std::array<double, axes> w = velocity_at(place);
        Stencil<axes> s{};
        for (std::size_t d = 0; d < axes; ++d) {
            if (c.differences == Differences::upwind) {
                // h^2 w u' = h w (u_i - u_(i-1)) where w > 0, h w (u_(i+1) - u_i) where w < 0
                s.before[d] = -(epsilon + h * std::max(w[d], 0.0));
                s.behind[d] = -(epsilon + h * std::max(-w[d], 0.0));
            } else {
                // h^2 w u' = h w (u_(i+1) - u_(i-1)) / 2
                s.before[d] = -(epsilon + h * w[d] / 2);
                s.behind[d] = -(epsilon - h * w[d] / 2);
            }
            s.centre -= s.before[d] + s.behind[d];
        }
        return s;
    });
}

}  // namespace

CsrMatrix convection_diffusion(Index N, const Convection& c) {
    constexpr std::string_view name = "convection-diffusion";
    require_velocity(name, "velocity_x", c.velocity_x);
    require_velocity(name, "velocity_y", c.velocity_y);
    return convection_operator<2>(name, N, c, largest_speed(c, 0, 1),
                                  [&](const std::array<double, 2>& place) -> std::array<double, 2> {
                                      if (!c.recirculating) return {c.velocity_x, c.velocity_y};
                                      const auto [x, y] = place;
                                      return {4 * x * (x - 1) * (1 - 2 * y), -4 * y * (y - 1) * (1 - 2 * x)};
                                  });
}

CsrMatrix convection_diffusion3d(Index N, const Convection& c) {
    constexpr std::string_view name = "convection-diffusion3d";
    require_velocity(name, "velocity_x", c.velocity_x);
    require_velocity(name, "velocity_y", c.velocity_y);
    require_velocity(name, "velocity_z", c.velocity_z);
    return convection_operator<3>(name, N, c, largest_speed(c, c.velocity_z, 0.5),
                                  [&](const std::array<double, 3>& place) -> std::array<double, 3> {
                                      if (!c.recirculating) return {c.velocity_x, c.velocity_y, c.velocity_z};
                                      const auto [x, y, z] = place;
                                      return {2 * x * (1 - x) * (2 * y - 1) * z, -(2 * x - 1) * y * (1 - y),
                                              -(2 * x - 1) * (2 * y - 1) * z * (1 - z)};
                                  });
}

}  // namespace glsolve::inline v0_1
