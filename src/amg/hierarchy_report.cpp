// What a hierarchy looks like, and what it is told about the problem.
#include <fmt/format.h>

#include <cmath>
#include <glsolve/error.hpp>
#include <numeric>

#include "amg/check_amg.hpp"
#include "amg/hierarchy.hpp"
#include "core/require_range.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// The sum over all levels, over that of the finest.
template <class Count>
double complexity(const HierarchyReport& report, const Count& count) {
    if (report.levels.empty() || count(report.levels.front()) == 0) return 1;
    double sum = 0;
    for (const LevelReport& level : report.levels) sum += static_cast<double>(count(level));
    return sum / static_cast<double>(count(report.levels.front()));
}

}  // namespace

double HierarchyReport::grid_complexity() const {
    return complexity(*this, [](const LevelReport& level) { return level.rows; });
}

double HierarchyReport::operator_complexity() const {
    return complexity(*this, [](const LevelReport& level) { return level.nonzeros; });
}

HierarchyReport analyze_hierarchy(const CsrMatrix& A, const AmgOptions& options) {
    check(A);
    if (A.rows != A.columns) {
        throw InvalidInput(
            fmt::format("multigrid needs a square matrix; this one has {} rows and {} columns", A.rows, A.columns));
    }
    check_amg(options, A.rows);
    return Hierarchy(A, options, options.coarsest > 0 ? options.coarsest : usual_coarsest).report();
}

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
