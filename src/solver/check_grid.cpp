#include "solver/check_grid.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>
#include <limits>

#include "solver/check_options.hpp"

namespace glsolve::inline v0_1 {

std::array<double, 3> weights(const Grid& grid) {
    std::array<double, 3> made{};
    for (std::size_t a = 0; a < (grid.depth > 1 ? 3u : 2u); ++a) made[a] = 1 / (grid.spacing[a] * grid.spacing[a]);
    return made;
}

double strongest(const Grid& grid) {
    const std::array<double, 3> w = weights(grid);
    return *std::max_element(w.begin(), w.end());
}

namespace {

void check_sides(const Grid& grid) {
    if (grid.width < 1 || grid.height < 1 || grid.depth < 1) {
        throw InvalidInput(
            fmt::format("grid: {} x {} x {}; each side must be at least 1", grid.width, grid.height, grid.depth));
    }
    // Rows and planes with what lies behind them (GridCells).
    const double padded = (grid.width + 4.0) * (grid.height + 1.0) * grid.depth;
    if (padded > static_cast<double>(std::numeric_limits<Index>::max())) {
        throw InvalidInput(
            fmt::format("grid: {} x {} x {} cells are {:.1e} numbers with what separates rows; at most "
                        "2^31 - 1 are possible",
                        grid.width, grid.height, grid.depth, padded));
    }
}

void check_numbers(const Grid& grid) {
    for (const double h : grid.spacing) {
        if (!(h > 0) || !std::isfinite(h)) {
            throw InvalidInput(fmt::format("grid: a spacing is {}; it has to be positive and finite", h));
        }
    }
    const double most = strongest(grid);
    for (std::size_t a = 0; a < (grid.depth > 1 ? 3u : 2u); ++a) {
        const double w = weights(grid)[a];
        if (!(most < 1e300 && w > faintest * most)) {
            throw InvalidInput(
                fmt::format("grid: spacings {:.1e}, {:.1e} and {:.1e}: 1 / spacing^2 of one axis is "
                            "less than {:.0e} of another's, or not a number",
                            grid.spacing[0], grid.spacing[1], grid.spacing[2], faintest));
        }
    }
    if (!(grid.shift >= 0) || !std::isfinite(grid.shift)) {
        throw InvalidInput(fmt::format("grid: shift is {}; it has to be finite and not negative", grid.shift));
    }
}

}  // namespace

void check_grid(const Grid& grid) {
    check_sides(grid);
    check_numbers(grid);
}

void check_grid_options(const Options& options) {
    check_options(options);
    if (options.precision == Precision::half) {
        throw InvalidInput("precision half: a GridSolver stores no matrix; single and two_float are possible");
    }
    const Method method = options.method;
    const PreconditionerKind M = options.preconditioner;
    if (!is_cg(method) && method != Method::richardson) {
        throw InvalidInput(
            fmt::format("grids are solved by cg, pipelined-cg or richardson, and not by {}", name(method)));
    }
    if (M != PreconditionerKind::none && M != PreconditionerKind::jacobi && M != PreconditionerKind::multigrid) {
        throw InvalidInput(fmt::format("grids take preconditioner multigrid, jacobi or none, and not {}", name(M)));
    }
    if (method == Method::richardson && M == PreconditionerKind::none) {
        throw InvalidInput("richardson on grids takes preconditioner multigrid or, for Jacobi's method, jacobi");
    }
    if (options.preconditioning.steps > 1) {
        throw InvalidInput("grids take one step of jacobi; chebyshev steps are part of multigrid there");
    }
    if (options.format != FormatKind::automatic) {
        throw InvalidInput(fmt::format("grids have no matrix to be stored in format {}: auto", name(options.format)));
    }
}

void check_cells(const Grid& grid, std::span<const Cell> kinds, std::span<const float> coefficients) {
    const auto wanted = static_cast<std::size_t>(cells_of(grid));
    if (!kinds.empty() && kinds.size() != wanted) {
        throw InvalidInput(fmt::format("grid: {} kinds of cells for {} cells", kinds.size(), wanted));
    }
    if (!coefficients.empty() && coefficients.size() != wanted) {
        throw InvalidInput(fmt::format("grid: {} coefficients for {} cells", coefficients.size(), wanted));
    }
    const auto counts = [&](std::size_t i) { return kinds.empty() || kinds[i] != Cell::solid; };
    float most = 0;
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
        const float k = coefficients[i];
        if (counts(i) && (!(k > 0) || !std::isfinite(k))) {
            throw InvalidInput(
                fmt::format("grid: the coefficient of cell {} is {}; it has to be positive and finite", i, k));
        }
        if (counts(i)) most = std::max(most, k);
    }
    for (std::size_t i = 0; i < coefficients.size(); ++i) {
        if (!counts(i) || static_cast<double>(coefficients[i]) >= faintest * static_cast<double>(most)) continue;
        throw InvalidInput(
            fmt::format("grid: the coefficient of cell {} is {:.1e}, less than {:.0e} of the largest, {:.1e}", i,
                        coefficients[i], faintest, most));
    }
}

}  // namespace glsolve::inline v0_1
