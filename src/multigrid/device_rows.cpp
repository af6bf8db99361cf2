#include "multigrid/device_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>
#include <limits>

#include "formats/team.hpp"
#include "multigrid/host_rows.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr std::int64_t group_size = 32;  // shaders/pass/prefix_sum.glsl

Storage integers(Backend& backend, Extent extent, std::string_view label) {
    return {backend, extent, Element::integer, label};
}

}  // namespace

RowTextures textures_of(const DeviceRows& made, Backend& backend, Index rows, const EntryLayout& layout,
                        std::int32_t first, const RowTexels& size) {
    return {.backend = &backend,
            .rows = rows,
            .layout = layout,
            .first = first,
            .size = size,
            .parts = made.parts.id(),
            .offsets = made.offsets.id(),
            .columns = made.columns.id(),
            .values = made.values.id()};
}

EntryLayout EntryLayout::of(Index rows, int max_size) {
    constexpr Index many = 1 << 14, very_many = 1 << 22;
    return {.log2_width = rows < many ? 8 : rows < very_many || max_size < 1 << 14 ? 12 : 14, .max_size = max_size};
}

Extent EntryLayout::extent(std::int64_t texels) const {
    const int width = 1 << log2_width;
    const std::int64_t height = (std::max<std::int64_t>(texels, 1) + width - 1) / width;
    // Sums that 32 bits do not hold are negative.
    if (texels < 0 || width > max_size || height > max_size || texels > std::numeric_limits<std::int32_t>::max() / 4) {
        throw InvalidInput(
            fmt::format("a level needs {} texels, which do not fit a texture of {} x {}", texels, width, max_size));
    }
    return {width, static_cast<int>(height)};
}

PrefixSums prefix_sums(Backend& backend, const EntryLayout& layout, const Storage& parts, Index count,
                       std::int32_t factor) {
    const auto log2 = static_cast<std::int32_t>(layout.log2_width);
    // Sums of groups, of groups of these, and so on, until one texel has them all.
    std::vector<Storage> groups;
    std::vector<std::int32_t> lengths{count};
    const auto parts_of = [&](std::size_t k) { return k == 0 ? parts.id() : groups[k - 1].id(); };
    do {
        const std::int64_t above = std::max<std::int64_t>(1, (lengths.back() + group_size - 1) / group_size);
        groups.push_back(integers(backend, above == 1 ? Extent{1, 1} : layout.extent(above), "sums of groups"));
        backend.encode(pass::sums_of_groups{.groups = groups.back(),
                                            .parts = parts_of(groups.size() - 1),
                                            .log2_entries = log2,
                                            .length = lengths.back()});
        lengths.push_back(static_cast<std::int32_t>(above));
    } while (lengths.back() > 1);
    // What is before each of them. The last but one of these lists is a single group.
    std::vector<Storage> before(groups.size());
    const auto base_of = [&](std::size_t k) { return k < before.size() && before[k].id() ? &before[k] : nullptr; };
    for (std::size_t k = groups.size() - 1; k >= 1; --k) {
        before[k] = integers(backend, layout.extent(lengths[k]), "sums before");
        backend.encode(pass::sums_before{.before = before[k],
                                         .parts = parts_of(k),
                                         .base = base_of(k + 1),
                                         .log2_entries = log2,
                                         .length = lengths[k]});
    }
    PrefixSums made{integers(backend, layout.of_offsets(count), "offsets"), {}};
    backend.encode(pass::offsets_of_rows{.offsets = made.offsets,
                                         .parts = parts,
                                         .base = base_of(1),
                                         .log2_entries = log2,
                                         .length = count,
                                         .factor = factor});
    const std::vector<std::int32_t> all = download_integers(backend, groups.back().id(), 2);
    made.size = {.texels = all[0], .entries = all[1]};
    return made;
}

namespace {

/// Invocations for a row: a work group, or one where so many rows wait that all have work, and rows are short.
int team_of_rows(const Backend& backend, const RowsToMake& what) {
    constexpr int warp = 32;
    constexpr double few = 16;
    const bool all_have_work = what.rows >= invocations_at_work / 2;
    return has_teams(backend) && (what.offered >= few || !all_have_work) ? warp : 1;
}

}  // namespace

DeviceRows make_rows(Backend& backend, const EntryLayout& layout, const RowsToMake& what,
                     const std::function<PassCall(const RowsPass& to)>& call) {
    const auto [rows, offered, has_values, of_sums] = what;
    const int team = team_of_rows(backend, what);
    const auto encode = [&](const RowsPass& to) {
        PassCall pass = call(to);
        pass.team = team;
        backend.encode(pass);
    };
    DeviceRows made;
    made.parts = integers(backend, layout.extent(rows), "parts of rows");
    encode({.counts = made.parts});
    PrefixSums sums = prefix_sums(backend, layout, made.parts, rows, 4);
    made.offsets = std::move(sums.offsets);
    made.columns = integers(backend, layout.extent(sums.size.texels), "columns");
    RowsPass fill{.columns = made.columns, .rows = made.parts, .offsets = made.offsets};
    if (has_values) {
        made.values = Storage(backend, layout.extent(of_sums + sums.size.texels), Element::real, "values of rows");
        fill.values = made.values;
        fill.first = of_sums;
    }
    encode(fill);
    made.at = textures_of(made, backend, rows, layout, of_sums, sums.size);
    return made;
}

std::int32_t texels_of_sums(const EntryLayout& layout, Index rows) {
    const Extent lines = layout.of_integers(rows);
    return static_cast<std::int32_t>(lines.texels());
}

void put_row_sums(const RowTextures& A, const Vector& sums) {
    A.backend->encode(pass::put_row_sums{.y = A.values,
                                         .x = sums,
                                         .left = 0,
                                         .bottom = 0,
                                         .columns = 1 << A.layout.log2_width,
                                         .rows = A.first >> A.layout.log2_width,
                                         .log2_entries = A.layout.log2_width,
                                         .log2_width = sums.layout().log2_width,
                                         .texels = static_cast<std::int32_t>(sums.layout().extent().texels())});
}

DeviceRows room_for_rows(Backend& backend, const EntryLayout& layout, Index rows, std::int32_t of_sums,
                         const RowTexels& size) {
    DeviceRows made;
    made.offsets = integers(backend, layout.of_offsets(rows), "offsets");
    made.columns = integers(backend, layout.extent(size.texels), "columns");
    const std::int64_t texels = std::max<std::int64_t>(size.texels, 1);  // there is a line behind the row sums
    made.values = Storage(backend, layout.extent(of_sums + texels), Element::real, "values of rows");
    made.at = textures_of(made, backend, rows, layout, of_sums, size);
    return made;
}

namespace {

/// Invocations for the four rows at a texel of a product.
int team_of_product(const RowTextures& A) {
    const std::int64_t texels = layout_of(A.rows).extent().texels();
    const double mean = static_cast<double>(A.size.texels) / static_cast<double>(texels);
    return has_teams(*A.backend) ? best_team({.slots = 4 * mean, .texels = texels, .side_by_side = true}) : 1;
}

}  // namespace

std::unique_ptr<StoredMatrix> rows_matrix(DeviceRows& made) {
    const RowTextures& A = made.at;
    const auto log2 = static_cast<std::int32_t>(A.layout.log2_width);
    const int log2_rows = layout_of(A.rows).log2_width;
    auto matrix = std::make_unique<StoredMatrix>(
        *A.backend, StoredFormat{.passes = product_of::csr,
                                 .integers = {log2_rows, log2, log2, log2, 0, 0, A.first, A.rows, 1},
                                 .rest_integers = 4,
                                 .gathers = true,
                                 .team = team_of_product(A)});
    matrix->take_values(std::move(made.values));
    matrix->take_structure(std::move(made.columns));
    matrix->take_structure(std::move(made.offsets));
    return matrix;
}

Transfer rows_transfer(DeviceRows made, Index columns) {
    const RowTextures& P = made.at;
    const auto log2 = static_cast<std::int32_t>(P.layout.log2_width);
    std::vector<Storage> textures;
    for (Storage* texture : {&made.values, &made.columns, &made.offsets}) textures.push_back(std::move(*texture));
    return csr_transfer(std::move(textures), {.rows = P.rows,
                                              .columns = columns,
                                              .log2_values = log2,
                                              .log2_columns = log2,
                                              .log2_offsets = log2,
                                              .team = team_of_product(P)});
}

}  // namespace glsolve::inline v0_1
