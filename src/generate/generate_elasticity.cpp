#include <fmt/format.h>

#include <array>
#include <glsolve/error.hpp>
#include <glsolve/generate.hpp>
#include <limits>

#include "base/require_range.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr std::string_view elasticity_name = "elasticity";

using Place = std::array<Index, 3>;
using Block = std::array<std::array<double, 3>, 3>;

struct Material {
    double lambda, mu;
};

/// Lame's parameters: lambda = E nu / ((1 + nu) (1 - 2 nu)), mu = E / (2 (1 + nu)).
Material material(double youngs_modulus, double poisson_ratio) {
    require_positive(elasticity_name, "youngs_modulus", youngs_modulus);
    require_range(elasticity_name, "poisson_ratio", poisson_ratio, -0.999999, 0.499999);
    return {youngs_modulus * poisson_ratio / ((1 + poisson_ratio) * (1 - 2 * poisson_ratio)),
            youngs_modulus / (2 * (1 + poisson_ratio))};
}

/// Integrals of products of two hat functions f and g, or of their slopes, over one axis.
struct HatIntegrals {
    double f_g, df_g, f_dg, df_dg;
};

/// f stands on node `i`, g on node `i + step`, of the nodes 0 ... elements.
HatIntegrals hat_integrals(Index i, Index step, Index elements) {
    if (step != 0) return {1.0 / 6, -0.5 * step, 0.5 * step, -1};
    const double left = i > 0 ? 1 : 0, right = i < elements ? 1 : 0;
    return {(left + right) / 3, (left - right) / 2, (left - right) / 2, left + right};
}

/// How the displacement of one node pulls another: a trilinear function is a product of hats, and so is the integral.
Block block(const std::array<HatIntegrals, 3>& axis, const Material& m) {
    // The integral of df/da dg/db.
    const auto integral = [&](int a, int b) {
        double product = 1;
        for (int d = 0; d < 3; ++d) {
            const HatIntegrals& on = axis[d];
            product *= d == a ? (d == b ? on.df_dg : on.df_g) : (d == b ? on.f_dg : on.f_g);
        }
        return product;
    };
    const double laplacian = integral(0, 0) + integral(1, 1) + integral(2, 2);
    Block result;
    for (int a = 0; a < 3; ++a) {
        for (int b = 0; b < 3; ++b) {
            result[a][b] = m.lambda * integral(a, b) + m.mu * integral(b, a) + (a == b ? m.mu * laplacian : 0);
        }
    }
    return result;
}

/// The nodes of the bricks that are not clamped: x from 1 to NX, y from 0 to NY, z from 0 to NZ.
class FreeNodes {
  public:
    explicit FreeNodes(const Place& bricks) : bricks_(bricks) {
        for (int d = 0; d < 3; ++d) {
            require_range(elasticity_name, std::array{"NX", "NY", "NZ"}[d], bricks[d], Index{1},
                          std::numeric_limits<Index>::max());
        }
        const double rows = 3.0 * bricks[0] * (bricks[1] + 1.0) * (bricks[2] + 1.0);
        if (rows > std::numeric_limits<Index>::max()) {
            throw InvalidInput(fmt::format("{}: NX, NY, NZ are {}, {}, {}; 3 NX (NY + 1) (NZ + 1) has to be at most {}",
                                           elasticity_name, bricks[0], bricks[1], bricks[2],
                                           std::numeric_limits<Index>::max()));
        }
    }

    Index count() const { return bricks_[0] * (bricks_[1] + 1) * (bricks_[2] + 1); }
    /// Pairs of nodes that share a brick, each node with itself among them.
    Offset pairs() const {
        return (Offset{3} * bricks_[0] - 2) * (Offset{3} * bricks_[1] + 1) * (Offset{3} * bricks_[2] + 1);
    }
    bool contains(const Place& at) const {
        return at[0] >= 1 && at[1] >= 0 && at[2] >= 0 && at[0] <= bricks_[0] && at[1] <= bricks_[1]
               && at[2] <= bricks_[2];
    }
    Index number(const Place& at) const { return at[0] - 1 + bricks_[0] * (at[1] + (bricks_[1] + 1) * at[2]); }

    template <typename Visit>
    void for_each(const Visit& visit) const {
        for (Index z = 0; z <= bricks_[2]; ++z) {
            for (Index y = 0; y <= bricks_[1]; ++y) {
                for (Index x = 1; x <= bricks_[0]; ++x) visit(Place{x, y, z});
            }
        }
    }

    /// Calls visit(number of the neighbour, hat integrals along each axis), the node itself included.
    template <typename Visit>
    void for_each_neighbour(const Place& at, const Visit& visit) const {
        for (Index k = 0; k < 27; ++k) {
            const Place step{k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
            const Place there{at[0] + step[0], at[1] + step[1], at[2] + step[2]};
            if (!contains(there)) continue;
            std::array<HatIntegrals, 3> axis{};
            for (int d = 0; d < 3; ++d) axis[d] = hat_integrals(at[d], step[d], bricks_[d]);
            visit(number(there), axis);
        }
    }

  private:
    Place bricks_;
};

}  // namespace

ElasticBody elasticity(Index NX, Index NY, Index NZ, double youngs_modulus, double poisson_ratio) {
    const FreeNodes nodes({NX, NY, NZ});
    const Material m = material(youngs_modulus, poisson_ratio);
    ElasticBody body;
    CsrMatrix& A = body.A;
    A.rows = A.columns = 3 * nodes.count();
    A.offsets.reserve(static_cast<std::size_t>(A.rows) + 1);
    A.column.reserve(static_cast<std::size_t>(9 * nodes.pairs()));
    A.value.reserve(static_cast<std::size_t>(9 * nodes.pairs()));
    std::vector<std::pair<Index, Block>> neighbours;
    nodes.for_each([&](const Place& at) {
        neighbours.clear();
        nodes.for_each_neighbour(at,
                                 [&](Index node, const auto& axis) { neighbours.emplace_back(node, block(axis, m)); });
        for (int a = 0; a < 3; ++a) {
            for (const auto& [node, coupling] : neighbours) {
                for (int b = 0; b < 3; ++b) {
                    A.column.push_back(3 * node + b);
                    A.value.push_back(coupling[a][b]);
                }
            }
            A.offsets.push_back(A.nonzeros());
        }
    });
    body.coordinates.reserve(static_cast<std::size_t>(A.rows));
    for (int d = 0; d < 3; ++d) nodes.for_each([&](const Place& at) { body.coordinates.push_back(at[d]); });
    return body;
}

}  // namespace glsolve::inline v0_1
