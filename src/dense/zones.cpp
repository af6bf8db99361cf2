#include "dense/zones.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>

namespace glsolve::inline v0_1 {

TileLayout zone_grid(Index n, int count, int max_texture_size) {
    TileLayout grid;
    try {
        grid = tile_grid(layout_of(n).extent(), count, max_texture_size);
    } catch (const InvalidInput&) {  // n columns of n/4 texels in max_texture_size^2
        throw InvalidInput(fmt::format(
            "a dense matrix of {0} rows ({1:.1f} GB) does not fit a texture of {2} x {2} texels, which holds {3} "
            "rows at most; sparse formats need no such texture",
            n, 4e-9 * static_cast<double>(n) * static_cast<double>(n), max_texture_size, 2 * max_texture_size));
    }
    const auto wide = [&] { return std::int64_t{grid.tile.width} << grid.log2_columns; };
    while (wide() < grid.extent().height) ++grid.log2_columns;
    return grid;
}

ZoneMatrix::ZoneMatrix(Backend& backend, Index n, std::string_view label, ZoneOrder order)
    : n_(n),
      rows_(layout_of(n)),
      grid_(zone_grid(n, (n + 3) / 4 * 4, backend.info().max_texture_size)),
      log2_strip_(order == ZoneOrder::strips ? std::min(rows_.log2_width, 2) : rows_.log2_width),
      values_(backend, grid_.extent(), Element::real, label) {}

std::size_t ZoneMatrix::number(Index i, Index j) const {
    const int t = i >> 2, x = t & ((1 << rows_.log2_width) - 1), y = t >> rows_.log2_width;
    const int column = j & ((1 << grid_.log2_columns) - 1), strip = x >> log2_strip_;
    const int at_x = (((strip << grid_.log2_columns) + column) << log2_strip_) + (x & ((1 << log2_strip_) - 1));
    const int at_y = (j >> grid_.log2_columns) * grid_.tile.height + y;
    return (static_cast<std::size_t>(at_y) * static_cast<std::size_t>(grid_.extent().width)
            + static_cast<std::size_t>(at_x))
               * 4
           + static_cast<std::size_t>(i & 3);
}

void ZoneMatrix::upload(const std::function<void(const Entry&)>& place, bool low) {
    if (backend().holds_doubles()) {
        std::vector<double> all(static_cast<std::size_t>(grid_.extent().texels()) * 4, 0.0);
        place([&](Index i, Index j, double a) { all[number(i, j)] = a; });
        backend().upload(values_.id(), std::span<const double>(all));
        low_.reset();
        return;
    }
    std::vector<float> values(static_cast<std::size_t>(grid_.extent().texels()) * 4, 0.0f);
    bool any_low = false;
    place([&](Index i, Index j, double a) {
        const auto hi = static_cast<float>(a);
        values[number(i, j)] = hi;
        any_low = any_low || static_cast<double>(hi) != a;
    });
    backend().upload(values_.id(), values);
    low_.reset();
    if (!low || !any_low) return;
    std::fill(values.begin(), values.end(), 0.0f);
    place([&](Index i, Index j, double a) {
        values[number(i, j)] = static_cast<float>(a - static_cast<double>(static_cast<float>(a)));
    });
    low_.emplace(backend(), grid_.extent(), Element::real, "matrix values, low");
    backend().upload(low_->id(), values);
}

void ZoneMatrix::upload(std::span<const double> columns) {
    std::vector<float> values(static_cast<std::size_t>(grid_.extent().texels()) * 4, 0.0f);
    constexpr Offset grain = 64;
    parallel_for(n_, grain, [&](int, Offset begin, Offset end) {
        for (auto j = static_cast<Index>(begin); j < static_cast<Index>(end); ++j) {
            const double* column = columns.data() + static_cast<std::ptrdiff_t>(j) * n_;
            for (Index i = 0; i < n_; ++i) values[number(i, j)] = static_cast<float>(column[i]);
        }
    });
    backend().upload(values_.id(), values);
    low_.reset();
}

std::vector<float> ZoneMatrix::download() const {
    std::vector<float> texels(static_cast<std::size_t>(grid_.extent().texels()) * 4);
    backend().read(values_.id(), texels);
    std::vector<float> columns;
    columns.reserve(static_cast<std::size_t>(n_) * static_cast<std::size_t>(n_));
    for (Index j = 0; j < n_; ++j) {
        for (Index i = 0; i < n_; ++i) columns.push_back(texels[number(i, j)]);
    }
    return columns;
}

}  // namespace glsolve::inline v0_1
