/// Grids without a matrix, for tests of passes.
#pragma once

#include <algorithm>
#include <cmath>
#include <memory>

#include "base/random.hpp"
#include "device/verbs.hpp"
#include "grid/grid_operator.hpp"
#include "grid/grid_truth.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/harness.hpp"
#include "support/products.hpp"

namespace glsolve::test {

/// A grid with random cells, and what its operator should be, by formulas in double precision that know nothing of
/// texels.
struct Example {
    GridCells cells;
    bool constant;
    std::array<float, 3> weight;
    GridCoefficients of;
    std::vector<float> kinds;  // in the layout of the device

    Example(Index width, Index height, Index depth, bool is_constant, std::uint64_t seed = 1)
        : cells(GridCells::of(width, height, depth, depth > 1, is_constant)),
          constant(is_constant),
          weight(is_constant ? std::array<float, 3>{1, 1, 1} : std::array<float, 3>{1.0f, 0.7f, 1.5f}),
          of{.dirichlet = {1, 2, 3},
             .wall = is_constant ? 2.0f : 1.3f,
             .halved = is_constant ? 0 : 6,
             .mass = is_constant ? 0.0f : 0.12f},
          kinds(static_cast<std::size_t>(cells.size()), 0.0f) {
        Random random(seed);
        each([&](Index x, Index y, Index z) {
            const double dice = random.uniform();
            const float k = constant ? 1.0f : static_cast<float>(0.25 + 4 * random.uniform());
            kinds[cells.at(x, y, z)] = dice < 0.2 ? 0.0f : dice < 0.3 ? -k : k;
        });
    }
    template <class Function>
    void each(const Function& f) const {
        for (Index z = 0; z < cells.depth; ++z) {
            for (Index y = 0; y < cells.height; ++y) {
                for (Index x = 0; x < cells.width; ++x) f(x, y, z);
            }
        }
    }
    std::array<Index, 3> sides() const { return {cells.width, cells.height, cells.depth}; }

    using Place = std::array<Index, 3>;
    bool inside(const Place& at) const {
        for (std::size_t a = 0; a < 3; ++a) {
            if (at[a] < 0 || at[a] >= sides()[a]) return false;
        }
        return true;
    }
    std::size_t number(const Place& at) const { return cells.at(at[0], at[1], at[2]); }
    double kind(const Place& at) const { return inside(at) ? static_cast<double>(kinds[number(at)]) : 0; }
    /// Of a face across the axis, or of a cell, axis 3: what is left of it on walls that halve it.
    double share(const Place& at, std::size_t axis) const {
        double left = 1;
        for (std::size_t a = 0; a < 3; ++a) {
            if (a != axis && at[a] == 0 && (of.halved >> (2 * a) & 1) != 0) left /= 2;
            if (a != axis && at[a] == sides()[a] - 1 && (of.halved >> (2 * a + 1) & 1) != 0) left /= 2;
        }
        return left;
    }
    static Place moved(Place at, std::size_t axis, Index by) {
        at[axis] += by;
        return at;
    }
    double harmonic(const Place& at, std::size_t axis, double k, double other) const {
        return share(at, axis) * static_cast<double>(weight[axis]) * 2 * k * other / (k + other);
    }
    /// With the next cell along the axis.
    double coupling(const Place& at, std::size_t axis) const {
        const double k = kind(at), other = kind(moved(at, axis, 1));
        return k > 0 && other > 0 ? harmonic(at, axis, k, other) : 0;
    }
    /// With values that are given on both sides along the axis.
    double given(const Place& at, std::size_t axis) const {
        const double k = kind(at);
        if (k <= 0) return 0;
        double sum = 0;
        for (const int side : {0, 1}) {
            const Place there = moved(at, axis, side == 0 ? -1 : 1);
            if (!inside(there)) {
                const bool wall = ((of.dirichlet[axis] >> side) & 1) != 0;
                if (wall) sum += share(at, axis) * static_cast<double>(weight[axis]) * static_cast<double>(of.wall) * k;
            } else if (kind(there) < 0) {
                sum += harmonic(at, axis, k, -kind(there));
            }
        }
        return sum;
    }
    double mass(const Place& at) const { return kind(at) > 0 ? share(at, 3) * static_cast<double>(of.mass) : 0; }

    /// Face by face.
    CsrMatrix matrix() const {
        std::vector<Triplet> entries;
        each([&](Index x, Index y, Index z) {
            const Place here{x, y, z};
            const auto i = static_cast<Index>(number(here));
            if (mass(here) != 0) entries.push_back({i, i, mass(here)});
            for (std::size_t axis = 0; axis < static_cast<std::size_t>(cells.dimensions()); ++axis) {
                if (given(here, axis) != 0) entries.push_back({i, i, given(here, axis)});
                const double c = coupling(here, axis);
                if (c == 0) continue;
                const auto j = static_cast<Index>(number(moved(here, axis, 1)));
                entries.insert(entries.end(), {{i, i, c}, {j, j, c}, {i, j, -c}, {j, i, -c}});
            }
        });
        const auto n = static_cast<Index>(cells.size());
        return csr_from_triplets(n, n, entries);
    }
};

inline std::unique_ptr<GridOperator> make(Backend& backend, const Example& example) {
    auto made = std::make_unique<GridOperator>(backend, example.cells, example.weight, example.constant);
    Vector cells(backend, example.cells.size(), "cells");
    cells.upload(example.kinds);
    made->couple(cells, example.of);
    return made;
}

inline std::vector<Example> examples() {
    std::vector<Example> all;
    for (const bool constant : {true, false}) {
        for (const auto& [w, h, d] : {std::array<Index, 3>{1, 1, 1},
                                      {3, 1, 1},
                                      {4, 5, 1},
                                      {13, 7, 1},
                                      {1, 9, 1},
                                      {16, 16, 1},
                                      {5, 4, 3},
                                      {8, 3, 2}}) {
            all.emplace_back(w, h, d, constant);
        }
        if (!is_slow()) all.emplace_back(61, 43, 1, constant);
        if (!is_slow()) all.emplace_back(17, 9, 11, constant);
    }
    return all;
}

/// |A - B| in units of the largest entry of the row.
inline double difference(CsrView A, CsrView B) {
    REQUIRE(std::ranges::equal(A.offsets, B.offsets));
    REQUIRE(std::ranges::equal(A.column, B.column));
    double worst = 0;
    for (Index i = 0; i < A.rows; ++i) {
        double largest = 1e-30;
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) largest = std::max(largest, std::abs(A.value[k]));
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            worst = std::max(worst, std::abs(A.value[k] - B.value[k]) / largest);
        }
    }
    return worst;
}

/// Zeros where there is no unknown.
inline std::vector<float> numbers_in(const GridTruth& truth, std::uint32_t seed) {
    std::vector<float> numbers = random_numbers(static_cast<std::size_t>(truth.matrix().rows), seed);
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (!truth.has_unknown(i)) numbers[i] = 0;
    }
    return numbers;
}

inline GridCells joined_cells(const GridCells& fine, const std::array<Index, 3>& joined) {
    const auto side = [](Index cells, Index together) { return (cells + together - 1) / together; };
    return GridCells::of(side(fine.width, joined[0]), side(fine.height, joined[1]), side(fine.depth, joined[2]),
                         fine.space, false);
}

/// Calls f(example, cells joined along each axis, the cells that they become).
template <class Function>
void each_joining(const Function& f) {
    for (const Example& example : examples()) {
        for (const auto& joined : {std::array<Index, 3>{2, 2, 1}, {2, 1, 1}, {1, 2, 2}, {2, 2, 2}, {1, 1, 1}}) {
            if (joined[2] > 1 && !example.cells.space) continue;
            CAPTURE(example.cells.width, example.cells.height, example.cells.depth, example.constant, joined[0],
                    joined[1], joined[2]);
            f(example, joined, joined_cells(example.cells, joined));
        }
    }
}

}  // namespace glsolve::test
