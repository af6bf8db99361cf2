/// What set-ups by passes give: levels, in the device's precision.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "formats/stored_matrix.hpp"
#include "multigrid/coarse_inverse.hpp"
#include "multigrid/level.hpp"

namespace glsolve::inline v0_1 {

/// Rows of the coarsest level, at most, where passes get no further: there is no lattice behind it, or too little is
/// strong.
inline constexpr Index largest_of_last = 1500;

/// A level below the finest.
struct DeviceSystem {
    std::unique_ptr<StoredMatrix> matrix;
    std::unique_ptr<Diagonal> diagonal;  ///< 1 / a_ii
    std::vector<double> scale;           ///< ones
    std::optional<AssembledSystem> system;

    /// The system of the matrix and the diagonal, which are there.
    AssembledSystem& assemble(Backend& backend, Index rows) {
        scale.assign(static_cast<std::size_t>(rows), 1.0);
        return system.emplace(
            System{
                .backend = backend, .A = *matrix, .M = diagonal.get(), .size = rows, .symmetric = true, .scale = scale},
            *matrix);
    }
};

struct DeviceLevels {
    std::vector<std::unique_ptr<DeviceSystem>> coarse;
    std::vector<Level> levels;
    HostInverse inverse;  ///< of the coarsest level's matrix
    HierarchyReport report;

    /// The next level, with the vectors that it needs. Its matrix has so many nonzeros.
    Level& add(const AssembledSystem& system, Offset nonzeros, std::string_view stored) {
        const std::size_t k = levels.size();
        const auto vector = [&](const char* what) {
            return Vector(system.backend, k == 0 ? 0 : system.size,
                          std::string(what) + " of level " + std::to_string(k));
        };
        levels.push_back({system, nullptr, nullptr, vector("x"), vector("b")});
        report.levels.push_back(
            {.rows = system.size, .nonzeros = nonzeros, .stored = k == 0 ? "" : std::string(stored)});
        return levels.back();
    }
};

}  // namespace glsolve::inline v0_1
