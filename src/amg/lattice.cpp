#include "amg/lattice.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <vector>

#include "base/parallel.hpp"
#include "matrix/csr_entries.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr Index lattice_grain = 1 << 14;

/// Every distance is a step of -1, 0 or 1 along each axis. Those of the first axis and the second: 1, nx - 1, nx, nx +
/// 1; those of the third end with nx ny - nx - 1 ... nx ny + nx + 1. The middle of what stands together is the step.
Index middle(std::span<const Index> distances, Index above) {
    const auto first = std::upper_bound(distances.begin(), distances.end(), above);
    if (first == distances.end()) return 0;
    auto last = first;
    while (last + 1 != distances.end() && *(last + 1) - *first <= 2 * above) ++last;
    return *first + (*last - *first) / 2;
}

}  // namespace

Steps::Steps(const Lattice& lattice) {
    for (Index z = -1; z <= 1; ++z) {
        for (Index y = -1; y <= 1; ++y) {
            for (Index x = -1; x <= 1; ++x) {
                const std::array<Index, 3> step{x, y, z};
                const Index distance = lattice.number(step);
                if (lattice.step(distance) == step) known_.push_back({distance, step});
            }
        }
    }
    std::sort(known_.begin(), known_.end(), [](const Known& a, const Known& b) { return a.distance < b.distance; });
}

Lattice coarser(const Lattice& fine, std::array<bool, 3> joined) {
    Lattice coarse;
    for (std::size_t axis = 0; axis < 3; ++axis) {
        coarse.size[axis] = joined[axis] ? blocks_of(fine.size[axis]) : fine.size[axis];
    }
    return coarse;
}

Lattice find_lattice(CsrView A) { return find_lattice(A, offsets_of_entries(A, neighbours_and_itself)); }

Lattice find_lattice(CsrView A, std::span<const Index> diagonals) {
    if (diagonals.size() > neighbours_and_itself) return {};
    const auto above = std::ranges::upper_bound(diagonals, 0);
    const std::span<const Index> apart(above, diagonals.end());
    if (apart.empty() || apart[0] != 1) return {};
    const Index nx = middle(apart, 1);
    const auto if_fits = [&](const Lattice& lattice) { return fits(lattice, A) ? lattice : Lattice{}; };
    if (nx == 0) return if_fits({{A.rows, 1, 1}});
    if (nx < 3 || A.rows % nx != 0) return {};
    const Index slice = middle(apart, nx + 1);
    const Index ny = slice == 0 ? A.rows / nx : slice / nx;
    if (ny < 3 || (slice != 0 && slice % nx != 0) || A.rows % (nx * ny) != 0) return {};
    return if_fits({{nx, ny, A.rows / nx / ny}});
}

bool fits(const Lattice& lattice, CsrView A) {
    if (lattice.points() != A.rows) return false;
    std::atomic<bool> holds = true;
    const Steps steps(lattice);
    parallel_for(A.rows, lattice_grain, [&](int, Index begin, Index end) {
        Walk walk(lattice, begin);
        for (Index i = begin; i < end && holds; ++i, walk.next()) {
            Steps::Row row(steps);
            for (const Index j : A.row(i).columns()) {
                const std::array<Index, 3>* const step = row.step(j - i);
                if (step == nullptr) {
                    holds = false;
                    return;
                }
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    const Index there = walk.place()[axis] + (*step)[axis];
                    if (there < 0 || there >= lattice.size[axis]) holds = false;
                }
            }
        }
    });
    return holds;
}

std::array<bool, 3> joined_axes(const Lattice& lattice, CsrView A, double threshold) {
    const auto outermost = [&](const std::array<Index, 3>& at) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            if (lattice.size[axis] > 4 && (at[axis] == 0 || at[axis] + 1 == lattice.size[axis])) return true;
        }
        return false;
    };
    std::vector<double> root = diagonal(A);  // sqrt |a_ii|
    parallel_each(root.size(), [&](std::size_t i) { root[i] = std::sqrt(std::abs(root[i])); });
    const Steps steps(lattice);
    std::array<std::atomic<bool>, 3> joined{lattice.size[0] > 1, lattice.size[1] > 1, lattice.size[2] > 1};
    parallel_for(A.rows, lattice_grain, [&](int, Index begin, Index end) {
        Walk walk(lattice, begin);
        for (Index i = begin; i < end; ++i, walk.next()) {
            const std::array<Index, 3>& at = walk.place();
            if (outermost(at)) continue;
            std::array<double, 3> along{};
            Steps::Row row(steps);
            for (const auto [j, a] : A.row(i)) {
                const std::array<Index, 3>* const step = row.step(j - i);
                if (step == nullptr) continue;
                for (std::size_t axis = 0; axis < 3; ++axis) {
                    if ((*step)[axis] == 1) along[axis] += a;
                }
            }
            for (std::size_t axis = 0; axis < 3; ++axis) {
                std::array<Index, 3> to = at;
                if (++to[axis] == lattice.size[axis] || outermost(to)) continue;
                if (!(std::abs(along[axis]) > threshold * root[i] * root[lattice.number(to)])) joined[axis] = false;
            }
        }
    });
    return {joined[0], joined[1], joined[2]};
}

}  // namespace glsolve::inline v0_1
