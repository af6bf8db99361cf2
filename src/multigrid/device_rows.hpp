/// Sparse matrices that passes make, row after row (shaders/rows.glsl): what the format CSR multiplies, with rows that
/// begin at texels.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "device/pass_call.hpp"
#include "device/vectors.hpp"
#include "formats/format_table.hpp"
#include "formats/stored_matrix.hpp"
#include "formats/transfer.hpp"

namespace glsolve::inline v0_1 {

/// Where the entries of a set-up are, and the integers that belong to its rows: in textures of one width.
struct EntryLayout {
    int log2_width = 8;
    int max_size = 0;

    /// For matrices of so many rows, on a device whose textures have at most `max_size` texels a side.
    static EntryLayout of(Index rows, int max_size);

    /// Of so many texels, at least one; throws InvalidInput where a texture does not take them.
    Extent extent(std::int64_t texels) const;
    Extent of_integers(Index count) const { return extent((std::int64_t{count} + 3) / 4); }
    /// Of where so many rows begin. Products ask for all texels of a vector, also those behind the last row: these have
    /// no entries.
    Extent of_offsets(Index rows) const { return extent(layout_of(rows).extent().texels() + 1); }
};

/// How much there is in all rows of a matrix.
struct RowTexels {
    std::int64_t texels = 0;
    std::int64_t entries = 0;  ///< without what only repeats a column
};

/// Where a matrix is. Of a square one the row sums stand in the first texels of `values`, and its other entries from
/// texel `first` on.
struct RowTextures {
    Backend* backend = nullptr;
    Index rows = 0;
    EntryLayout layout;
    std::int32_t first = 0;
    RowTexels size;
    StorageId parts;    ///< a texel for each row: (its texels, its entries, 0, 0)
    StorageId offsets;  ///< of the entries of each row, and behind the last one how many there are
    StorageId columns, values;
};

/// A matrix on the device.
struct DeviceRows {
    RowTextures at;
    Storage parts, offsets, columns, values;
};

/// Numbers from 0 on for what `parts` counts, and their sum (waits): offsets are `factor` times what stands before.
struct PrefixSums {
    Storage offsets;
    RowTexels size;
};
PrefixSums prefix_sums(Backend& backend, const EntryLayout& layout, const Storage& parts, Index count,
                       std::int32_t factor);

/// What a pass that makes rows is told: to count their entries, or to write them.
struct RowsPass {
    pass::Optional counts = {}, columns = {}, values = {}, rows = {}, offsets = {};
    pass::OptionalNumber<std::int32_t> first = {};
};

/// What is to be made.
struct RowsToMake {
    Index rows = 0;
    double offered = 0;        ///< entries that each row is found among, in the mean
    bool has_values = true;    ///< else columns only
    std::int32_t of_sums = 0;  ///< texels of values that are left free in front
};

/// Makes a matrix in two such passes.
DeviceRows make_rows(Backend& backend, const EntryLayout& layout, const RowsToMake& what,
                     const std::function<PassCall(const RowsPass& to)>& call);

/// A matrix that stands in these textures.
RowTextures textures_of(const DeviceRows& made, Backend& backend, Index rows, const EntryLayout& layout,
                        std::int32_t first, const RowTexels& size);

/// Room for one, to be filled: all but `parts`.
DeviceRows room_for_rows(Backend& backend, const EntryLayout& layout, Index rows, std::int32_t of_sums,
                         const RowTexels& size);

/// Row sums go in front of the entries.
void put_row_sums(const RowTextures& A, const Vector& sums);
/// Texels that they take there: whole lines of the texture.
std::int32_t texels_of_sums(const EntryLayout& layout, Index rows);

/// The matrix for products, or for transfer from vectors of so many unknowns. They keep the textures but for `parts`.
std::unique_ptr<StoredMatrix> rows_matrix(DeviceRows& A);
Transfer rows_transfer(DeviceRows P, Index columns);

}  // namespace glsolve::inline v0_1
