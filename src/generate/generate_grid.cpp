#include <algorithm>
#include <array>
#include <glsolve/generate.hpp>
#include <string_view>

#include "base/random.hpp"
#include "generate/grid_operator.hpp"

namespace glsolve::inline v0_1 {
namespace {

using Stencil2d = Stencil<2>;

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

}  // namespace glsolve::inline v0_1
