/// Rows of a sparse matrix on the device (device_rows.hpp), from the host and to it.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "multigrid/device_rows.hpp"

namespace glsolve::inline v0_1 {

/// Where rows of so many entries begin, each with a texel of its own; and behind the last one.
std::vector<std::int32_t> offsets_of_pattern(std::span<const std::int32_t> entries);
/// A pattern on the device. `each_row(put)` calls put(row, columns) for all rows, in any order, also at once.
DeviceRows upload_pattern(
    Backend& backend, const EntryLayout& layout, std::span<const std::int32_t> entries,
    const std::function<void(const std::function<void(Index row, std::span<const Index> columns)>& put)>& each_row);

/// S A S on the device, with its row sums. None where single precision does not hold its numbers.
std::optional<DeviceRows> upload_rows(Backend& backend, const EntryLayout& layout, CsrView A,
                                      std::span<const double> scale);

/// The matrix again, on the host; waits. Its columns: as many as rows, or so many.
CsrMatrix download_rows(const RowTextures& A, std::optional<Index> columns = {});
/// Integers that belong to rows; waits.
std::vector<std::int32_t> download_integers(Backend& backend, StorageId integers, std::size_t count);

}  // namespace glsolve::inline v0_1
