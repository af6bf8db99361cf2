#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <glsolve/generate.hpp>
#include <limits>
#include <string_view>

#include "base/random.hpp"
#include "base/require_range.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// The largest N for which N^axes rows can be counted.
constexpr Index largest_side(std::size_t axes) {
    static_assert(std::numeric_limits<Index>::max() == 2147483647);
    return axes == 2 ? 46340 : 1290;
}

/// One row of a grid operator.
template <std::size_t axes>
struct Stencil {
    std::array<double, axes> before, behind;  ///< the neighbours' coefficients along each axis
    double centre;
};

using Stencil2d = Stencil<2>;

/// The operator on N^axes unknowns whose row at the place `at` (N of them along each axis, the first the fastest) is
/// stencil_at(at). Neighbours outside the grid are zero: Dirichlet.
template <std::size_t axes, typename StencilAt>
CsrMatrix grid_operator(std::string_view kind, Index N, const StencilAt& stencil_at) {
    require_range(kind, "N", N, Index{1}, largest_side(axes));
    std::array<Index, axes> stride{};
    Index rows = 1;
    for (Index& each : stride) {
        each = rows;
        rows *= N;
    }
    const Offset nonzeros = rows + Offset{2} * axes * (rows - rows / N);
    CsrMatrix A;
    A.rows = A.columns = rows;
    A.offsets.reserve(static_cast<std::size_t>(rows) + 1);
    A.column.reserve(static_cast<std::size_t>(nonzeros));
    A.value.reserve(static_cast<std::size_t>(nonzeros));
    const auto add = [&](Index column, double value) {
        A.column.push_back(column);
        A.value.push_back(value);
    };
    std::array<Index, axes> at{};
    for (Index i = 0; i < rows; ++i) {
        const Stencil<axes> stencil = stencil_at(at);
        for (std::size_t d = axes; d-- > 0;) {
            if (at[d] > 0) add(i - stride[d], stencil.before[d]);
        }
        add(i, stencil.centre);
        for (std::size_t d = 0; d < axes; ++d) {
            if (at[d] < N - 1) add(i + stride[d], stencil.behind[d]);
        }
        A.offsets.push_back(A.nonzeros());
        for (std::size_t d = 0; d < axes && ++at[d] == N; ++d) at[d] = 0;
    }
    return A;
}

/// `weight[d]` couples neighbours along axis d.
template <std::size_t axes>
CsrMatrix constant_operator(std::string_view kind, Index N, const std::array<double, axes>& weight) {
    Stencil<axes> stencil{};
    for (std::size_t d = 0; d < axes; ++d) {
        stencil.before[d] = stencil.behind[d] = -weight[d];
        stencil.centre += 2 * weight[d];
    }
    return grid_operator<axes>(kind, N, [&](const auto&) { return stencil; });
}

/// A coefficient that is constant on square tiles of unknowns.
class Tiles {
  public:
    /// The tiles that cover N x N unknowns, `side` unknowns a side.
    Tiles(Index N, Index side)
        : side_(side), across_((N + side - 1) / side), k_(static_cast<std::size_t>(across_) * across_) {}

    /// Sets each to k(column, row), called row by row.
    template <typename Coefficient>
    void set(const Coefficient& k) {
        for (std::size_t t = 0; t < k_.size(); ++t) k_[t] = k(t % across_, t / across_);
    }

    double at(Index x, Index y) const { return k_[static_cast<std::size_t>(y / side_) * across_ + x / side_]; }

  private:
    Index side_;
    std::size_t across_;
    std::vector<double> k_;
};

Tiles tiles(Index N, double contrast, Coefficients kind, std::uint64_t seed) {
    if (kind == Coefficients::checkerboard) {
        Tiles board(N, (N + 7) / 8);
        board.set([&](std::size_t column, std::size_t row) { return (column + row) % 2 == 0 ? 1 : contrast; });
        return board;
    }
    Random random(seed);
    const bool inclusions = kind == Coefficients::inclusions;
    const double share = inclusions ? 0.25 : 0.5;
    Tiles scattered(N, inclusions ? 4 : 1);
    scattered.set([&](std::size_t, std::size_t) { return random.uniform() < share ? contrast : 1; });
    return scattered;
}

}  // namespace

CsrMatrix poisson2d(Index N) { return constant_operator<2>("poisson2d", N, {1, 1}); }

CsrMatrix poisson3d(Index N) { return constant_operator<3>("poisson3d", N, {1, 1, 1}); }

CsrMatrix anisotropic(Index N, double epsilon) {
    require_positive("anisotropic", "epsilon", epsilon);
    return constant_operator<2>("anisotropic", N, {1, epsilon});
}

CsrMatrix jumping_coefficients(Index N, double contrast, Coefficients kind, std::uint64_t seed) {
    constexpr std::string_view name = "jumping-coefficients";
    require_range(name, "N", N, Index{1}, largest_side(2));
    require_range(name, "contrast", contrast, 1e-12, 1e12);
    const Tiles k = tiles(N, contrast, kind, seed);
    return grid_operator<2>(name, N, [&](const std::array<Index, 2>& at) {
        const auto [x, y] = at;
        const double here = k.at(x, y);
        // -2 k_i k_j / (k_i + k_j): the flux through two halves in series
        const auto coupling = [&](Index neighbour_x, Index neighbour_y) {
            const double there = k.at(std::clamp(neighbour_x, 0, N - 1), std::clamp(neighbour_y, 0, N - 1));
            return -2 * (here * there) / (here + there);
        };
        Stencil2d s{{coupling(x - 1, y), coupling(x, y - 1)}, {coupling(x + 1, y), coupling(x, y + 1)}, 0};
        s.centre = -(s.before[0] + s.before[1] + s.behind[0] + s.behind[1]);
        return s;
    });
}

CsrMatrix convection_diffusion(Index N, const Convection& c) {
    constexpr std::string_view name = "convection-diffusion";
    require_positive(name, "diffusion", c.diffusion);
    require_range(name, "velocity_x", c.velocity_x, -1e100, 1e100);
    require_range(name, "velocity_y", c.velocity_y, -1e100, 1e100);
    return grid_operator<2>(name, N, [&](const std::array<Index, 2>& at) {
        const double h = 1.0 / (N + 1);
        const double x = h * (at[0] + 1), y = h * (at[1] + 1);
        const std::array<double, 2> w = c.recirculating
                                            ? std::array{4 * x * (x - 1) * (1 - 2 * y), -4 * y * (y - 1) * (1 - 2 * x)}
                                            : std::array{c.velocity_x, c.velocity_y};
        Stencil2d s{};
        for (std::size_t d = 0; d < 2; ++d) {
            // h^2 w u' = h w (u_i - u_(i-1)) where w > 0, h w (u_(i+1) - u_i) where w < 0
            s.before[d] = -(c.diffusion + h * std::max(w[d], 0.0));
            s.behind[d] = -(c.diffusion + h * std::max(-w[d], 0.0));
            s.centre -= s.before[d] + s.behind[d];
        }
        return s;
    });
}

}  // namespace glsolve::inline v0_1
