#include <fmt/format.h>

#include <algorithm>

#include <glsolve/error.hpp>
#include "base/parallel.hpp"
#include "formats/diagonal_part.hpp"
#include "formats/format_table.hpp"
#include "formats/rectangle.hpp"
#include "formats/stored_matrix.hpp"
#include "formats/team.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr std::int64_t most_rounds = 65'000;  // Mesa's llvmpipe ends all loops of a shader after 65,535

/// The first entry beside the diagonal of each row, and of as many empty rows as fill texels; then their number.
std::vector<std::int32_t> offsets_beside_diagonal(const CsrMatrix& A, std::size_t padded_rows) {
    std::vector<std::int32_t> offsets(padded_rows + 1, 0);
    parallel_each(static_cast<std::size_t>(A.rows), [&](std::size_t i) {
        const auto begin = A.column.begin() + A.offsets[i], end = A.column.begin() + A.offsets[i + 1];
        offsets[i + 1] =
            static_cast<std::int32_t>(end - begin) - (std::binary_search(begin, end, static_cast<Index>(i)) ? 1 : 0);
    });
    for (std::size_t i = 0; i < padded_rows; ++i) offsets[i + 1] += offsets[i];
    return offsets;
}

/// Texels of entries that four rows read, at most.
std::int64_t most_rounds_of(const CsrMatrix& A) {
    return static_cast<std::int64_t>(parallel_max(static_cast<std::size_t>(A.rows + 3) / 4, [&](std::size_t t) {
        const Index first = static_cast<Index>(4 * t), last = std::min(first + 4, A.rows);
        return static_cast<double>(A.offsets[static_cast<std::size_t>(last)] - A.offsets[4 * t]) / 4 + 1;
    }));
}

/// Where entry texels begin, behind the diagonal, and how many there are.
struct Plan {
    std::int64_t first = 0, entries = 0;  // texels
};

Plan plan(const CsrMatrix& A) {
    const std::int64_t rows = layout_of(A.rows).extent().texels();
    return {rows, (A.nonzeros() + 3) / 4};  // of those on the diagonal, too: a bound
}

FormatPrediction predict(const FormatInput& in) {
    const auto rows = static_cast<double>(layout_of(in.A.rows).extent().texels());
    const double texels = static_cast<double>(std::max<Offset>(in.A.nonzeros() - in.A.rows, 0)) / 4 + rows;
    FormatPrediction p;
    p.note = fmt::format("rows have {:.1f} nonzeros in the mean",
                         static_cast<double>(in.A.nonzeros()) / std::max<double>(in.A.rows, 1));
    // For each texel of y: offsets, the diagonal, x there, y; for each four entries a value, columns, four elements of
    // x and the time of two fetches to find their rows.
    p.bytes = 16 * (4 * rows + 8 * texels);
    p.memory = 16 * (2 * rows + 2 * texels);
    if (const std::int64_t rounds = most_rounds_of(in.A); rounds > most_rounds) {
        p.impossible =
            fmt::format("four rows have {} nonzeros; shaders may go through {}", 4 * rounds, 4 * most_rounds);
    }
    try {
        const auto [first, entries] = plan(in.A);
        rectangle(first + entries, in.max_texture_size, "values");
    } catch (const InvalidInput& too_large) {
        p.impossible = too_large.what();
    }
    return p;
}

std::unique_ptr<AssembledMatrix> make(Backend& backend, const FormatInput& in) {
    const CsrMatrix& A = in.A;
    const Layout rows = layout_of(A.rows);
    const std::int64_t first = rows.extent().texels();
    std::vector<std::int32_t> offsets = offsets_beside_diagonal(A, static_cast<std::size_t>(4 * first));
    const std::int64_t entries = offsets.back();
    const Layout value_layout = rectangle(first + (entries + 3) / 4, in.max_texture_size, "values");
    const Layout column_layout = rectangle((entries + 3) / 4, in.max_texture_size, "columns");
    const Layout offset_layout = rectangle(first + 1, in.max_texture_size, "offsets");

    const DiagonalPart diagonal = diagonal_part(A, in.scale);
    std::vector<double> values = zeros<double>(value_layout);
    std::vector<std::int32_t> columns = zeros<std::int32_t>(column_layout);
    std::copy(diagonal.values.begin(), diagonal.values.end(), values.begin());
    parallel_each(static_cast<std::size_t>(A.rows), [&](std::size_t i) {
        auto at = static_cast<std::size_t>(offsets[i]);
        for (Offset k = A.offsets[i]; k < A.offsets[i + 1]; ++k) {
            const Index j = A.column[static_cast<std::size_t>(k)];
            if (j == static_cast<Index>(i)) continue;
            values[static_cast<std::size_t>(4 * first) + at] = in.scaled(static_cast<Index>(i), k);
            columns[at++] = j;
        }
    });
    offsets.resize(static_cast<std::size_t>(offset_layout.extent().texels()) * 4, static_cast<std::int32_t>(entries));

    const double rounds = static_cast<double>(entries) / std::max<double>(A.rows, 1);
    auto matrix = std::make_unique<StoredMatrix>(
        backend, StoredFormat{.passes = product_of::csr,
                              .integers = {rows.log2_width, value_layout.log2_width, column_layout.log2_width,
                                           offset_layout.log2_width, static_cast<std::int32_t>(first), A.rows,
                                           diagonal.differences ? 1 : 0},
                              .gathers = true,
                              .team = team_for(backend, in, rounds)});
    matrix->add(in, value_layout.extent(), values);
    matrix->add(column_layout.extent(), columns);
    matrix->add(offset_layout.extent(), offsets);
    return matrix;
}

}  // namespace

/// CSR: the entries row after row, with a column each. Four rows share their entries: no slot is padding.
constinit const FormatRow csr_format{FormatKind::csr, "csr", predict, make};

}  // namespace glsolve::inline v0_1
