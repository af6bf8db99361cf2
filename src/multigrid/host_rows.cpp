#include "multigrid/host_rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <glsolve/error.hpp>
#include <iterator>
#include <limits>

#include "base/large_pages.hpp"
#include "base/parallel.hpp"
#include "passes.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// The parts of an integer that integer_parts has made, together again.
std::int32_t joined(double high, double low) {
    return static_cast<std::int32_t>(high) * 4096 + static_cast<std::int32_t>(low);
}

/// Calls take(i, number) for the numbers of a storage; waits.
template <class Take>
void read_numbers(Backend& backend, Ticket ticket, const Take& take) {
    const auto take_all = [&](const auto& numbers) {
        for (std::size_t i = 0; i < numbers.size(); ++i) take(i, static_cast<double>(numbers[i]));
    };
    if (backend.holds_doubles()) {
        backend.collect_doubles(ticket, [&](std::span<const double> numbers) { take_all(numbers); });
    } else {
        backend.collect(ticket, [&](std::span<const float> numbers) { take_all(numbers); });
    }
}

}  // namespace

std::vector<std::int32_t> offsets_of_pattern(std::span<const std::int32_t> entries) {
    std::vector<std::int32_t> offsets = filled(entries.size() + 1, std::int32_t{0});
    std::int64_t at = 0;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        at += (entries[i] + 3) / 4 * 4;
        if (at > std::numeric_limits<std::int32_t>::max())
            throw InvalidInput(
                fmt::format("a level has more than {} entries", std::numeric_limits<std::int32_t>::max()));
        offsets[i + 1] = static_cast<std::int32_t>(at);
    }
    return offsets;
}

DeviceRows upload_pattern(
    Backend& backend, const EntryLayout& layout, std::span<const std::int32_t> entries,
    const std::function<void(const std::function<void(Index row, std::span<const Index> columns)>& put)>& each_row) {
    const auto rows = static_cast<Index>(entries.size());
    std::vector<std::int32_t> offsets = offsets_of_pattern(entries);
    RowTexels size{.texels = offsets.back() / 4};
    for (const std::int32_t count : entries) size.entries += count;
    DeviceRows made;
    made.parts = Storage(backend, layout.extent(rows), Element::integer, "parts of rows");  // for their extent
    made.offsets = Storage(backend, layout.of_offsets(rows), Element::integer, "offsets");
    made.columns = Storage(backend, layout.extent(size.texels), Element::integer, "columns");
    made.at = textures_of(made, backend, rows, layout, 0, size);

    std::vector<std::int32_t> columns =
        filled(static_cast<std::size_t>(backend.extent(made.columns.id()).texels()) * 4, std::int32_t{0});
    each_row([&](Index row, std::span<const Index> of_row) {
        const auto i = static_cast<std::size_t>(row);
        const auto begin = columns.begin() + offsets[i], end = columns.begin() + offsets[i + 1];
        const auto behind = std::copy(of_row.begin(), of_row.end(), begin);
        std::fill(behind, end, of_row.empty() ? 0 : of_row.back());
    });
    backend.upload(made.columns.id(), std::span<const std::int32_t>(columns));
    offsets.resize(static_cast<std::size_t>(backend.extent(made.offsets.id()).texels()) * 4, offsets.back());
    backend.upload(made.offsets.id(), std::span<const std::int32_t>(offsets));
    return made;
}

std::optional<DeviceRows> upload_rows(Backend& backend, const EntryLayout& layout, CsrView A,
                                      std::span<const double> scale) {
    std::vector<std::int32_t> entries = filled(static_cast<std::size_t>(A.rows), std::int32_t{0});
    parallel_rows(A, [&](std::size_t i) {
        const std::span<const Index> columns = A.row(i).columns();
        const bool has_own = std::ranges::binary_search(columns, static_cast<Index>(i));
        entries[i] = static_cast<std::int32_t>(columns.size()) - (has_own ? 1 : 0);
    });
    DeviceRows made = upload_pattern(backend, layout, entries, [&](const auto& put) {
        parallel_for(A.rows, row_grain(A), [&](int, Offset begin, Offset end) {
            std::vector<Index> beside;
            for (auto i = static_cast<Index>(begin); i < end; ++i) {
                beside.clear();
                std::ranges::remove_copy(A.row(i).columns(), std::back_inserter(beside), i);
                put(i, beside);
            }
        });
    });
    const std::vector<std::int32_t> offsets = offsets_of_pattern(entries);
    const std::int32_t first = texels_of_sums(layout, A.rows);
    made.values = Storage(backend, layout.extent(first + made.at.size.texels), Element::real, "values of rows");
    made.at = textures_of(made, backend, A.rows, layout, first, made.at.size);

    std::atomic<bool> is_held = true;
    const auto fill = [&](auto texels) {
        using Number = typename decltype(texels)::value_type;
        parallel_each(texels.size(), [&](std::size_t i) { texels[i] = 0; });
        parallel_rows(A, [&](std::size_t i) {
            double sum = 0;
            auto at = static_cast<std::size_t>(first) * 4 + static_cast<std::size_t>(offsets[i]);
            for (const auto [j, a] : A.row(i)) {
                const double scaled = scale[i] * a * scale[j];
                sum += scaled;
                if (static_cast<std::size_t>(j) != i) texels[at++] = static_cast<Number>(scaled);
                if (!std::isfinite(static_cast<Number>(scaled))) is_held = false;
            }
            texels[i] = static_cast<Number>(sum);
        });
    };
    upload_reals(backend, made.values.id(), fill);
    if (!is_held) return {};
    return made;
}

std::vector<std::int32_t> download_integers(Backend& backend, StorageId x, std::size_t count) {
    const Storage high(backend, backend.extent(x), Element::real, "parts of integers"),
        low(backend, backend.extent(x), Element::real, "parts of integers");
    backend.encode(pass::integer_parts{.high = high, .low = low, .x = x});
    const Ticket of_high = backend.read_later(high.id()), of_low = backend.read_later(low.id());
    std::vector<std::int32_t> made(count);
    const auto inside = [&](std::size_t i) { return i < count; };
    read_numbers(backend, of_high, [&](std::size_t i, double part) {
        if (inside(i)) made[i] = joined(part, 0);
    });
    read_numbers(backend, of_low, [&](std::size_t i, double part) {
        if (inside(i)) made[i] += static_cast<std::int32_t>(part);
    });
    return made;
}

CsrMatrix download_rows(const RowTextures& A, std::optional<Index> columns) {
    Backend& backend = *A.backend;
    const std::vector<std::int32_t> offsets =
        download_integers(backend, A.offsets, static_cast<std::size_t>(A.rows) + 1);
    const std::vector<std::int32_t> column =
        download_integers(backend, A.columns, static_cast<std::size_t>(A.size.texels) * 4);
    std::vector<double> numbers(static_cast<std::size_t>(backend.extent(A.values).texels()) * 4);
    read_numbers(backend, backend.read_later(A.values), [&](std::size_t i, double v) { numbers[i] = v; });
    // Some columns are repeated, with zeros. A square matrix is symmetric but for rounding, and becomes so entirely.
    std::vector<Triplet> entries;
    const auto add = [&](Index i, Index j, double a) {
        if (A.first == 0 || i == j) return entries.push_back({i, j, a});
        entries.insert(entries.end(), {{i, j, a / 2}, {j, i, a / 2}});
    };
    for (Index i = 0; i < A.rows; ++i) {
        const auto row = static_cast<std::size_t>(i);
        double own = A.first > 0 ? numbers[row] : 0;
        for (auto e = static_cast<std::size_t>(offsets[row]); e < static_cast<std::size_t>(offsets[row + 1]); ++e) {
            const double a = numbers[static_cast<std::size_t>(A.first) * 4 + e];
            add(i, column[e], a);
            own -= a;
        }
        if (A.first > 0) add(i, i, own);
    }
    return csr_from_triplets(A.rows, columns.value_or(A.rows), entries);
}

}  // namespace glsolve::inline v0_1
