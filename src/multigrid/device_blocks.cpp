#include "multigrid/device_blocks.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <utility>
#include <vector>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"
#include "multigrid/host_rows.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

int texels_of(int numbers) { return (numbers + 3) / 4; }
int texels_of_block(int rows, int columns) { return rows * texels_of(columns); }
std::int32_t entries_of(const RowTextures& A) { return static_cast<std::int32_t>(4 * A.size.texels); }

Storage points_of_texels(const RowTextures& A) {
    Storage made(*A.backend, A.layout.extent(A.size.texels), Element::integer, "points of texels");
    A.backend->encode(pass::points_of_texels{
        .points = made, .rows = A.parts, .offsets = A.offsets, .log2_entries = A.layout.log2_width, .length = A.rows});
    return made;
}

Storage room_for_blocks(const RowTextures& A, int rows, int columns) {
    const std::int64_t texels = 4 * A.size.texels * texels_of_block(rows, columns);
    return {*A.backend, A.layout.extent(texels), Element::real, "blocks"};
}

/// For each point the points that its rows lead to, in ascending order, and itself.
class PointsOfRows {
  public:
    PointsOfRows(CsrView A, int side) : A_(A), side_(side) {}

    const std::vector<Index>& of(Index point) {
        found_.assign(1, point);
        for (int r = 0; r < side_; ++r) {
            Index last = -1;
            for (const Index j : A_.row(point * side_ + r).columns()) {
                if (j / side_ != last) found_.push_back(last = j / side_);
            }
        }
        std::ranges::sort(found_);
        found_.erase(std::unique(found_.begin(), found_.end()), found_.end());
        return found_;
    }

  private:
    CsrView A_;
    int side_;
    std::vector<Index> found_;
};

constexpr Offset points_worth_a_thread = 512;

template <class Work>
void each_point(CsrView A, int side, const Work& work) {
    parallel_for(A.rows / side, points_worth_a_thread, [&](int, Offset begin, Offset end) {
        PointsOfRows points(A, side);
        for (Offset p = begin; p < end; ++p) work(static_cast<Index>(p), points.of(static_cast<Index>(p)));
    });
}

}  // namespace

std::optional<DeviceBlocks> upload_blocks(Backend& backend, const EntryLayout& layout, CsrView A, int side,
                                          std::span<const double> scale) {
    const Index points = A.rows / side;
    std::vector<std::int32_t> entries(static_cast<std::size_t>(points), 0);
    each_point(A, side, [&](Index p, const std::vector<Index>& found) {
        entries[static_cast<std::size_t>(p)] = static_cast<std::int32_t>(found.size());
    });
    DeviceBlocks made{.pattern = upload_pattern(backend, layout, entries,
                                                [&](const auto& put) {
                                                    each_point(A, side, [&](Index p, const std::vector<Index>& found) {
                                                        put(p, found);
                                                    });
                                                }),
                      .points = {},
                      .blocks = {},
                      .side = side,
                      .wide = side};
    const RowTextures& at = made.pattern.at;
    made.points = points_of_texels(at);
    made.blocks = room_for_blocks(at, side, side);
    const std::vector<std::int32_t> offsets = offsets_of_pattern(entries);
    const auto texels = static_cast<std::size_t>(texels_of_block(side, side)),
               a_row = static_cast<std::size_t>(texels_of(side));
    std::atomic<bool> is_held = true;
    const auto fill = [&](auto numbers) {
        using Number = typename decltype(numbers)::value_type;
        parallel_each(numbers.size(), [&](std::size_t i) { numbers[i] = 0; });
        each_point(A, side, [&](Index p, const std::vector<Index>& found) {
            for (int r = 0; r < side; ++r) {
                const Index i = p * side + r;
                auto at_point = found.begin();
                for (const auto [j, a] : A.row(i)) {
                    at_point = std::lower_bound(at_point, found.end(), j / side);
                    const auto e =
                        static_cast<std::size_t>(offsets[static_cast<std::size_t>(p)] + (at_point - found.begin()));
                    const double scaled = scale[i] * a * scale[j];
                    const std::size_t texel = e * texels + static_cast<std::size_t>(r) * a_row;
                    numbers[4 * texel + static_cast<std::size_t>(j % side)] = static_cast<Number>(scaled);
                    if (!std::isfinite(static_cast<Number>(scaled))) is_held = false;
                }
            }
        });
    };
    upload_reals(backend, made.blocks.id(), fill);
    if (!is_held) return {};
    return made;
}

Storage upload_tentative(Backend& backend, const EntryLayout& layout, CsrView T, int wide,
                         std::span<const double> scale) {
    const auto a_row = static_cast<std::size_t>((wide + 3) / 4) * 4;
    Storage made(backend, layout.extent(static_cast<std::int64_t>(a_row / 4) * T.rows), Element::real,
                 "tentative interpolation");
    upload_reals(backend, made.id(), [&](auto numbers) {
        using Number = typename decltype(numbers)::value_type;
        parallel_each(numbers.size(), [&](std::size_t k) {
            const std::size_t i = k / a_row, c = k % a_row;
            double t = 0;
            if (i < static_cast<std::size_t>(T.rows)) {
                const auto begin = static_cast<std::size_t>(T.offsets[i]),
                           end = static_cast<std::size_t>(T.offsets[i + 1]);
                if (c < end - begin) t = T.value[begin + c] / scale[i];
            }
            numbers[k] = static_cast<Number>(t);
        });
    });
    return made;
}

RowFacts look_at_blocks(const DeviceBlocks& A, Vector& d) {
    const RowTextures& at = A.pattern.at;
    const Index unknowns = at.rows * A.side;
    Vector bound(*at.backend, unknowns, "bounds of rows");
    at.backend->encode(pass::block_facts{.d = d,
                                         .bound = bound,
                                         .offsets = at.offsets,
                                         .columns = at.columns,
                                         .blocks = A.blocks,
                                         .log2_entries = at.layout.log2_width,
                                         .log2_width = d.layout().log2_width,
                                         .length = unknowns,
                                         .side = A.side});
    const std::array<float, 4> most = read_largest(std::move(bound));
    return {static_cast<double>(*std::ranges::max_element(most))};
}

void take_norms(DeviceBlocks& A, Vector& d) {
    RowTextures& at = A.pattern.at;
    A.pattern.values = Storage(*at.backend, at.layout.extent(at.size.texels), Element::real, "norms of blocks");
    at.values = A.pattern.values.id();
    at.backend->encode(pass::block_norms{.norms = A.pattern.values,
                                         .offsets = at.offsets,
                                         .columns = at.columns,
                                         .blocks = A.blocks,
                                         .log2_entries = at.layout.log2_width,
                                         .log2_width = 0,
                                         .length = entries_of(at),
                                         .side = A.side});
    at.backend->encode(pass::block_diagonal{.d = d,
                                            .offsets = at.offsets,
                                            .columns = at.columns,
                                            .blocks = A.blocks,
                                            .log2_entries = at.layout.log2_width,
                                            .log2_width = d.layout().log2_width,
                                            .length = at.rows,
                                            .side = A.side});
}

BlockInterpolation smoothed_blocks(const DeviceBlocks& A, const Vector& d, const Vector& d_points,
                                   const DeviceAggregates& aggregates, const Storage& tentative, int wide,
                                   double omega) {
    const RowTextures& a = A.pattern.at;
    Backend& backend = *a.backend;
    // Patterns: as if each point had one unknown. What is added up has one sign, so nothing vanishes.
    DeviceInterpolation way = smoothed_interpolation(a, d_points, a.columns, aggregates, -1, nullptr);
    DeviceRows of_AP = product_of_patterns(a, way.P.at);
    DeviceRows of_coarse = product_of_patterns(way.Pt.at, of_AP.at);

    BlockInterpolation made;
    made.P = {.pattern = std::move(way.P), .points = {}, .blocks = {}, .side = A.side, .wide = wide};
    made.Pt = {.pattern = std::move(way.Pt), .points = {}, .blocks = {}, .side = wide, .wide = A.side};
    made.coarse = {.pattern = std::move(of_coarse), .points = {}, .blocks = {}, .side = wide, .wide = wide};
    const RowTextures &p = made.P.pattern.at, &pt = made.Pt.pattern.at, &ap = of_AP.at,
                      &coarse = made.coarse.pattern.at;
    for (DeviceBlocks* each : {&made.P, &made.Pt, &made.coarse}) each->points = points_of_texels(each->pattern.at);

    made.P.blocks = room_for_blocks(p, A.side, wide);
    backend.encode(pass::block_prolongation{.made = made.P.blocks,
                                            .points = made.P.points,
                                            .offsets = p.offsets,
                                            .columns = p.columns,
                                            .aggregate = aggregates.of,
                                            .a_offsets = a.offsets,
                                            .a_columns = a.columns,
                                            .a = A.blocks,
                                            .d = d,
                                            .tentative = tentative,
                                            .log2_entries = a.layout.log2_width,
                                            .entries = entries_of(p),
                                            .side = A.side,
                                            .wide = wide,
                                            .log2_width = d.layout().log2_width,
                                            .omega = static_cast<float>(omega)});
    const Storage AP = room_for_blocks(ap, A.side, wide);
    backend.encode(pass::block_product{.made = AP,
                                       .points = points_of_texels(ap),
                                       .offsets = ap.offsets,
                                       .columns = ap.columns,
                                       .a_offsets = a.offsets,
                                       .a_columns = a.columns,
                                       .a = A.blocks,
                                       .p_offsets = p.offsets,
                                       .p_columns = p.columns,
                                       .p = made.P.blocks,
                                       .log2_entries = a.layout.log2_width,
                                       .entries = entries_of(ap),
                                       .side = A.side,
                                       .wide = wide});
    made.coarse.blocks = room_for_blocks(coarse, wide, wide);
    backend.encode(pass::block_galerkin{.made = made.coarse.blocks,
                                        .points = made.coarse.points,
                                        .offsets = coarse.offsets,
                                        .columns = coarse.columns,
                                        .pt_offsets = pt.offsets,
                                        .pt_columns = pt.columns,
                                        .p_offsets = p.offsets,
                                        .p_columns = p.columns,
                                        .p = made.P.blocks,
                                        .ap_offsets = ap.offsets,
                                        .ap_columns = ap.columns,
                                        .ap = AP,
                                        .log2_entries = a.layout.log2_width,
                                        .entries = entries_of(coarse),
                                        .side = A.side,
                                        .wide = wide});
    return made;
}

namespace {

/// Rows of points with `of.side` unknowns each, columns of points with `of.wide`. `numbers`: whose blocks they are; of
/// P^T those of P. `of_sums`: texels in front of the entries.
DeviceRows expanded_rows(const DeviceBlocks& of, const DeviceBlocks& numbers, std::int32_t of_sums) {
    const RowTextures& from = of.pattern.at;
    Backend& backend = *from.backend;
    const EntryLayout& layout = from.layout;
    const Index rows = from.rows * of.side;
    const bool is_transposed = &of != &numbers;
    const RowTexels size{.texels = from.size.texels * of.side * of.wide,
                         .entries = from.size.entries * of.side * of.wide};
    DeviceRows made = room_for_rows(backend, layout, rows, of_sums, size);
    backend.encode(pass::expanded_offsets{.made = made.offsets,
                                          .points = of.points,
                                          .offsets = from.offsets,
                                          .log2_entries = layout.log2_width,
                                          .length = rows,
                                          .side = of.side,
                                          .wide = of.wide});
    backend.encode(pass::expanded_columns{.made = made.columns,
                                          .points = of.points,
                                          .offsets = from.offsets,
                                          .of_blocks = from.columns,
                                          .log2_entries = layout.log2_width,
                                          .length = static_cast<std::int32_t>(size.texels),
                                          .side = of.side,
                                          .wide = of.wide});
    const Extent all = layout.extent(size.texels);
    backend.encode(
        pass::expanded_values{.made = made.values,
                              .points = of.points,
                              .offsets = from.offsets,
                              .of_blocks = from.columns,
                              .blocks = numbers.blocks,
                              .p_offsets = is_transposed ? pass::Optional(numbers.pattern.offsets) : pass::Optional(),
                              .p_columns = is_transposed ? pass::Optional(numbers.pattern.columns) : pass::Optional(),
                              .left = 0,
                              .bottom = of_sums >> layout.log2_width,
                              .columns = all.width,
                              .rows = all.height,
                              .log2_entries = layout.log2_width,
                              .length = static_cast<std::int32_t>(size.texels),
                              .side = of.side,
                              .wide = of.wide,
                              .beside = of_sums > 0 ? 1 : 0});
    return made;
}

}  // namespace

ExpandedInterpolation expanded(const BlockInterpolation& made) {
    const DeviceBlocks& coarse = made.coarse;
    const RowTextures& from = coarse.pattern.at;
    const Index rows = from.rows * coarse.side;
    ExpandedInterpolation all{.P = expanded_rows(made.P, made.P, 0),
                              .Pt = expanded_rows(made.Pt, made.P, 0),
                              .coarse = expanded_rows(coarse, coarse, texels_of_sums(from.layout, rows))};
    Vector sums(*from.backend, rows, "row sums");
    from.backend->encode(pass::expanded_sums{.made = sums,
                                             .points = coarse.points,
                                             .offsets = from.offsets,
                                             .blocks = coarse.blocks,
                                             .log2_entries = from.layout.log2_width,
                                             .length = rows,
                                             .side = coarse.side,
                                             .wide = coarse.wide,
                                             .log2_width = sums.layout().log2_width});
    put_row_sums(all.coarse.at, sums);
    return all;
}

}  // namespace glsolve::inline v0_1
