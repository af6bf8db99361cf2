#include "multigrid/lattice_stencil.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <glsolve/error.hpp>
#include <utility>
#include <vector>

#include "base/host_array.hpp"
#include "base/parallel.hpp"
#include "formats/dia_plan.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// Numbers in all texels of the tiles.
std::size_t numbers_of(const LatticeStencil& stencil) {
    return static_cast<std::size_t>(stencil.grid.extent().texels()) * 4;
}

/// Where the number of row i in a tile is.
std::size_t place_of(const LatticeStencil& stencil, int tile, Index i) {
    return static_cast<std::size_t>(stencil.grid.texel(tile, i >> 2)) * 4 + static_cast<std::size_t>(i & 3);
}

/// The plan of DIA: every diagonal has its tile.
DiaPlan plan_of(const LatticeStencil& stencil) {
    DiaPlan plan;
    for (int k = 0; k < LatticeStencil::neighbours; ++k) {
        if (stencil.tile[static_cast<std::size_t>(k)] == LatticeStencil::no_tile) continue;
        plan.beside.push_back({.offset = stencil.distance(k)});
        plan.tile.push_back(plan.tiles++);
    }
    ++plan.tiles;
    plan.main.differences = true;
    return plan;
}

}  // namespace

std::optional<LatticeStencil> LatticeStencil::of(const Lattice& points, const std::array<bool, neighbours>& has,
                                                 int max_size) {
    LatticeStencil made;
    made.points = points;
    made.tile.fill(no_tile);
    made.rows = layout_of(points.points());
    std::vector<Index> distances;
    for (int k = 0; k < neighbours; ++k) {
        if (k == itself || !has[static_cast<std::size_t>(k)]) continue;
        made.tile[static_cast<std::size_t>(k)] = made.sums++;
        distances.push_back(made.distance(k));
    }
    // Steps come in the order of diagonals, unless the lattice is narrow.
    if (std::ranges::adjacent_find(distances, std::greater_equal<>()) != distances.end()) return {};
    if (std::ranges::find(distances, 0) != distances.end()) return {};
    try {
        made.grid = tile_grid(made.rows.extent(), made.sums + 1, max_size);
    } catch (const InvalidInput&) {
        return {};
    }
    return made;
}

std::optional<LatticeStencil> LatticeStencil::full(const Lattice& points, int max_size) {
    std::array<bool, neighbours> has{};
    for (int k = 0; k < neighbours; ++k) {
        const std::array<Index, 3> to = step(k);
        bool is_there = true;
        for (std::size_t axis = 0; axis < 3; ++axis) is_there = is_there && (to[axis] == 0 || points.size[axis] > 1);
        has[static_cast<std::size_t>(k)] = is_there;
    }
    return of(points, has, max_size);
}

std::optional<LatticeStencil> LatticeStencil::of(const Lattice& points, std::span<const Index> diagonals,
                                                 int max_size) {
    std::array<bool, neighbours> has{};
    for (const Index distance : diagonals) {
        const std::array<Index, 3> to = points.step(distance);
        has[static_cast<std::size_t>(to[0] + 3 * to[1] + 9 * to[2] + itself)] = true;
    }
    return of(points, has, max_size);
}

std::int32_t LatticeStencil::bits() const {
    std::int32_t made = 0;
    for (int k = 0; k < neighbours; ++k) {
        if (tile[static_cast<std::size_t>(k)] != no_tile) made |= std::int32_t{1} << k;
    }
    return made;
}

Offset LatticeStencil::nonzeros() const {
    Offset sum = points.points();
    for (int k = 0; k < neighbours; ++k) {
        if (tile[static_cast<std::size_t>(k)] == no_tile) continue;
        Offset pairs = 1;
        for (std::size_t axis = 0; axis < 3; ++axis) pairs *= points.size[axis] - std::abs(step(k)[axis]);
        sum += pairs;
    }
    return sum;
}

std::optional<Storage> upload_stencil(Backend& backend, const CsrMatrix& A, const LatticeStencil& stencil) {
    constexpr double largest_number = 1e30;  // single precision holds sums of some hundreds of them, and reciprocals
    std::vector<std::pair<Index, int>> tiles;  // by the distance to the diagonal
    for (int k = 0; k < LatticeStencil::neighbours; ++k) {
        const int tile = stencil.tile[static_cast<std::size_t>(k)];
        if (tile != LatticeStencil::no_tile) tiles.emplace_back(stencil.distance(k), tile);
    }
    const CsrRow<const double> no_entries(nullptr, nullptr, 0, 0);
    std::atomic<bool> is_held = true;
    const auto fill = [&](auto numbers) {
        using Number = std::decay_t<decltype(numbers[0])>;
        const auto padded_rows = static_cast<std::size_t>(stencil.rows.extent().texels()) * 4;
        parallel_each(padded_rows, row_grain(A), [&](std::size_t row) {
            const auto i = static_cast<Index>(row);
            const auto put = [&](int tile, double a) { numbers[place_of(stencil, tile, i)] = static_cast<Number>(a); };
            for (const auto& [distance, tile] : tiles) put(tile, 0);
            double sum = 0;
            auto next = tiles.begin();  // rows are sorted, as tiles are
            for (const auto [j, a] : row < static_cast<std::size_t>(A.rows) ? A.row(row) : no_entries) {
                if (!(std::abs(a) < largest_number)) is_held = false;
                sum += a;
                if (j == i) continue;
                while (next->first < j - i) ++next;
                put(next->second, a);
            }
            put(stencil.sums, sum);
        });
    };
    Storage made(backend, stencil.grid.extent(), Element::real, "stencil of the finest level");
    if (backend.holds_doubles()) {
        const HostArray<double> numbers(numbers_of(stencil));
        fill(numbers.all());
        if (is_held) backend.upload(made.id(), std::span<const double>(numbers.all()));
    } else {
        const HostArray<float> numbers(numbers_of(stencil));
        fill(numbers.all());
        if (is_held) backend.upload(made.id(), std::span<const float>(numbers.all()));
    }
    if (!is_held) return {};
    return made;
}

std::unique_ptr<StoredMatrix> stencil_matrix(Backend& backend, const LatticeStencil& stencil, Storage tiles) {
    const DiaPlan plan = plan_of(stencil);
    const std::vector<std::int32_t> structure = plan.structure();
    auto matrix = std::make_unique<StoredMatrix>(
        backend, StoredFormat{.passes = product_of::dia,
                              .integers = tile_integers(stencil.rows, stencil.grid,
                                                        static_cast<int>(plan.beside.size()), plan.main.differences),
                              .definitions = plan.definitions(stencil.rows.log2_width),
                              .table = plan.table()});
    matrix->take_values(std::move(tiles));
    matrix->add({static_cast<int>(structure.size() / 4), 1}, structure);
    return matrix;
}

CsrMatrix download_stencil(Backend& backend, const LatticeStencil& stencil, StorageId tiles) {
    CsrMatrix A;
    A.rows = A.columns = stencil.points.points();
    const auto take = [&](const auto& numbers) {
        for (Index i = 0; i < A.rows; ++i) {
            auto diagonal = static_cast<double>(numbers[place_of(stencil, stencil.sums, i)]);
            std::optional<std::size_t> own;
            for (int k = 0; k < LatticeStencil::neighbours; ++k) {
                const int tile = stencil.tile[static_cast<std::size_t>(k)];
                const auto add = [&](Index j, double a) {
                    A.column.push_back(j);
                    A.value.push_back(a);
                };
                if (k == LatticeStencil::itself) {
                    own = A.value.size();
                    add(i, 0);
                } else if (tile != LatticeStencil::no_tile) {
                    const auto a = static_cast<double>(numbers[place_of(stencil, tile, i)]);
                    diagonal -= a;
                    if (a != 0) add(i + stencil.distance(k), a);
                }
            }
            A.value[*own] = diagonal;
            A.offsets.push_back(static_cast<Offset>(A.column.size()));
        }
    };
    const Ticket ticket = backend.read_later(tiles);
    if (backend.holds_doubles()) {
        backend.collect_doubles(ticket, [&](std::span<const double> numbers) { take(numbers); });
    } else {
        backend.collect(ticket, [&](std::span<const float> numbers) { take(numbers); });
    }
    return A;
}

}  // namespace glsolve::inline v0_1
