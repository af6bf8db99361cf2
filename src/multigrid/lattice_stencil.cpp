#include "multigrid/lattice_stencil.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <glsolve/error.hpp>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "formats/dia_plan.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

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

void put_lines(Backend& backend, StorageId tiles, const TileLayout& grid, int tile, Lines lines, StorageId x,
               Index shift) {
    const int width = grid.extent().width;
    const std::int64_t first = grid.texel(tile, std::int64_t{lines.first} * grid.tile.width);
    backend.encode(pass::lattice_put{.y = tiles,
                                     .x = x,
                                     .left = static_cast<std::int32_t>(first % width),
                                     .bottom = static_cast<std::int32_t>(first / width),
                                     .columns = grid.tile.width,
                                     .rows = lines.count,
                                     .log2_x = std::countr_zero(static_cast<unsigned>(grid.tile.width)),
                                     .shift = shift});
}

namespace {

/// Rows of A as they stand in the tiles of a stencil.
class StencilRows {
  public:
    StencilRows(CsrView A, const LatticeStencil& stencil) : A_(A), sums_(stencil.sums) {
        for (int k = 0; k < LatticeStencil::neighbours; ++k) {
            const int tile = stencil.tile[static_cast<std::size_t>(k)];
            if (tile != LatticeStencil::no_tile) tiles_.emplace_back(stencil.distance(k), tile);
        }
    }

    /// numbers[tile][k] <- entry of row first + k, for all tiles and `count` rows; zeros behind the last row.
    template <class Number>
    void fill(std::span<Number> numbers, Index first, Index count) {
        parallel_each(static_cast<std::size_t>(count), row_grain(A_), [&](std::size_t k) {
            const auto put = [&](int tile, double a) {
                numbers[static_cast<std::size_t>(tile) * static_cast<std::size_t>(count) + k] = static_cast<Number>(a);
            };
            const std::size_t row = static_cast<std::size_t>(first) + k;
            for (const auto& [distance, tile] : tiles_) put(tile, 0);
            double sum = 0;
            if (row < static_cast<std::size_t>(A_.rows)) {
                auto next = tiles_.begin();  // rows are sorted, as tiles are
                for (const auto [j, a] : A_.row(row)) {
                    if (!(std::abs(a) < largest_number)) is_held_ = false;
                    sum += a;
                    const Index distance = j - static_cast<Index>(row);
                    if (distance == 0) continue;
                    while (next->first < distance) ++next;
                    put(next->second, a);
                }
            }
            put(sums_, sum);
        });
    }
    /// Does single precision hold all that were filled in?
    bool is_held() const { return is_held_; }

  private:
    static constexpr double largest_number = 1e30;  // sums of some hundreds of them are held, and reciprocals

    CsrView A_;
    std::vector<std::pair<Index, int>> tiles_;  // by the distance to the diagonal
    int sums_;
    std::atomic<bool> is_held_ = true;
};

}  // namespace

std::optional<Storage> upload_stencil(Backend& backend, CsrView A, const LatticeStencil& stencil,
                                      std::int64_t texels_at_once) {
    const Extent tile = stencil.grid.tile;
    const int count = stencil.sums + 1;
    const auto of_all = static_cast<int>(texels_at_once / tile.width / count);  // lines
    const int band = std::clamp(std::min(of_all, backend.info().max_texture_size / count), 1, tile.height);
    const Index rows_of_band = 4 * tile.width * band;
    Storage made(backend, stencil.grid.extent(), Element::real, "stencil of the finest level");
    const Storage rows(backend, {tile.width, band * count}, Element::real, "rows of a stencil");
    StencilRows numbers(A, stencil);
    for (int line = 0; line < tile.height; line += band) {
        const auto fill = [&](auto texels) { numbers.fill(texels, 4 * tile.width * line, rows_of_band); };
        upload_reals(backend, rows.id(), fill);
        const Lines lines{line, std::min(band, tile.height - line)};
        for (int k = 0; k < count; ++k)
            put_lines(backend, made.id(), stencil.grid, k, lines, rows.id(), -k * rows_of_band);
    }
    if (!numbers.is_held()) return {};
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
