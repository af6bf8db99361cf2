#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/matrix_market.hpp>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "base/parallel.hpp"
#include "io/line_reader.hpp"
#include "io/matrix_market_text.hpp"
#include "io/plain_entries.hpp"
#include "io/text_source.hpp"
#include "matrix/csr_build.hpp"

namespace glsolve::inline v0_1 {
namespace {

using Layout = MatrixMarketHeader::Layout;
using Symmetry = MatrixMarketHeader::Symmetry;
using Entries = std::vector<Triplet>;

bool is_at(const Triplet& entry, Index row, Index column) { return entry.row == row && entry.column == column; }

/// Shows an entry, and its mirror image where the file leaves that out.
template <typename Visit>
void visit_mirrored(Symmetry symmetry, const Triplet& entry, const Visit& visit) {
    visit(entry.row, entry.column, entry.value);
    if (symmetry == Symmetry::general || entry.row == entry.column) return;
    visit(entry.column, entry.row, symmetry == Symmetry::skew ? -entry.value : entry.value);
}

/// A place and its mirror image must not both be given: nothing says which one holds.
void refuse_twins(const MatrixMarketText& text, const Entries& entries) {
    const auto below = [](const Triplet& entry) { return entry.row > entry.column; };
    const auto above = [](const Triplet& entry) { return entry.row < entry.column; };
    const bool both_sides =
        std::any_of(entries.begin(), entries.end(), below) && std::any_of(entries.begin(), entries.end(), above);
    if (!both_sides) return;

    const CsrMatrix given = assemble_csr(text.sizes().rows, text.sizes().columns, [&](const auto& visit) {
        for (const Triplet& entry : entries) visit(entry.row, entry.column, 0.0);
    });
    const auto has_twin = [&](const Triplet& entry) {
        return entry.row != entry.column && std::ranges::binary_search(given.row(entry.column).columns(), entry.row);
    };
    const auto first = std::find_if(entries.begin(), entries.end(), has_twin);
    if (first == entries.end()) return;
    const auto second = std::find_if(first, entries.end(),
                                     [&](const Triplet& entry) { return is_at(entry, first->column, first->row); });
    text.fail_at(text.line_of(second - entries.begin()),
                 fmt::format("row {}, column {} mirrors the entry on line {}; accepted: one of the two",
                             second->row + 1, second->column + 1, text.line_of(first - entries.begin())));
}

std::optional<PlainEntries> plain_entries(const MatrixMarketText& text) {
    const LineReader& lines = text.lines();
    return read_plain_entries(lines.source(), lines.bytes_read(), text.header(), text.sizes(), lines.progress());
}

std::vector<double> array_values(MatrixMarketText& text) {
    if (text.knows_shape()) {
        if (std::optional<PlainEntries> plain = plain_entries(text)) return std::move(plain->value);
    }
    return text.read_array();
}

/// Every entry is finite, but entries at the same place may add up to more than a double holds.
void refuse_overflow(const MatrixMarketText& text, CsrView A, const Entries& entries) {
    const auto infinite = std::find_if_not(A.value.begin(), A.value.end(), [](double v) { return std::isfinite(v); });
    if (infinite == A.value.end()) return;
    const Offset at = infinite - A.value.begin();
    const auto row_end = std::upper_bound(A.offsets.begin(), A.offsets.end(), at);
    const auto row = static_cast<Index>(row_end - A.offsets.begin() - 1);
    const Index column = A.column[at];
    const bool mirrored = text.header().symmetry != Symmetry::general;
    const auto last = std::find_if(entries.rbegin(), entries.rend(), [&](const Triplet& entry) {
        // NOLINTNEXTLINE(readability-suspicious-call-argument): the mirrored entry
        return is_at(entry, row, column) || (mirrored && is_at(entry, column, row));
    });
    text.fail_at(
        text.line_of(entries.rend() - last - 1),
        fmt::format("the entries at row {}, column {} add up to infinity; accepted: sums up to {:.3g} either way",
                    last->row + 1, last->column + 1, std::numeric_limits<double>::max()));
}

CsrMatrix matrix_from_entries(const MatrixMarketText& text, const Entries& entries) {
    if (text.header().symmetry != Symmetry::general) refuse_twins(text, entries);
    CsrMatrix A = assemble_csr(text.sizes().rows, text.sizes().columns, [&](const auto& visit) {
        for (const Triplet& entry : entries) visit_mirrored(text.header().symmetry, entry, visit);
    });
    refuse_overflow(text, A, entries);
    return A;
}

/// Zeros of an array only fill places; they do not become entries.
CsrMatrix matrix_from_array(const MatrixMarketText& text, const std::vector<double>& array) {
    return assemble_csr(text.sizes().rows, text.sizes().columns, [&](const auto& visit) {
        auto value = array.begin();
        for (Index column = 0; column < text.sizes().columns; ++column) {
            for (Index row = text.first_row(column); row < text.sizes().rows; ++row, ++value) {
                if (*value != 0) visit_mirrored(text.header().symmetry, {row, column, *value}, visit);
            }
        }
    });
}

/// By all cores; none where something is not plain, or two entries are not as they should be to each other: reading one
/// line after the other tells which.
std::optional<CsrMatrix> read_plain_matrix(const MatrixMarketText& text) {
    const MatrixMarketHeader& header = text.header();
    if (header.layout == Layout::array) return {};
    std::optional<PlainEntries> entries = plain_entries(text);
    if (!entries) return {};
    const auto& [row, column, value] = *entries;
    const bool has_mirror = header.symmetry != Symmetry::general;
    const auto any = [&](const auto& is_one) { return parallel_any(value.size(), is_one); };
    const bool has_both = has_mirror && any([&](std::size_t e) { return row[e] < column[e]; })
                          && any([&](std::size_t e) { return row[e] > column[e]; });
    const bool has_wrong_diagonal =
        header.symmetry == Symmetry::skew && any([&](std::size_t e) { return row[e] == column[e] && value[e] != 0; });
    if (has_both || has_wrong_diagonal) return {};
    const double mirror = header.symmetry == Symmetry::skew ? -1 : has_mirror ? 1 : 0;
    CsrMatrix A = csr_from_arrays(text.sizes().rows, text.sizes().columns, std::move(entries->row),
                                  std::move(entries->column), std::move(entries->value), mirror);
    const bool overflows = parallel_any(A.value.size(), [&](std::size_t k) { return !std::isfinite(A.value[k]); });
    if (overflows) return {};
    return A;
}

CsrMatrix read_matrix(MatrixMarketText text, const ReadRemark& tell = {}) {
    CsrMatrix A;
    if (std::optional<CsrMatrix> plain = read_plain_matrix(text)) {
        A = std::move(*plain);
    } else if (text.header().layout == Layout::array) {
        const std::vector<double> values = array_values(text);  // which tells the sizes, where the file does not
        A = matrix_from_array(text, values);
    } else {
        A = matrix_from_entries(text, text.read_entries());
    }
    for (const std::string& remark : text.remarks()) {
        if (tell) tell(remark);
    }
    return A;
}

std::vector<double> read_vector(MatrixMarketText text) {
    const auto require_column = [&] {
        if (text.sizes().columns == 1) return;
        text.fail_at(text.sizes().line,
                     fmt::format("{} columns; a vector with one column is needed", text.sizes().columns));
    };
    require_column();
    if (text.header().layout == Layout::array && text.header().symmetry == Symmetry::general) {
        std::vector<double> values = array_values(text);
        require_column();
        return values;
    }
    const CsrMatrix A = read_matrix(std::move(text));
    std::vector<double> vector(A.rows, 0.0);
    for (Index row = 0; row < A.rows; ++row) {
        if (!A.row(row).empty()) vector[row] = A.row(row)[0].value;
    }
    return vector;
}

}  // namespace

CsrMatrix read_matrix_market(const std::filesystem::path& file, const ReadProgress& progress,
                             const ReadRemark& remark) {
    return read_matrix(MatrixMarketText(LineReader(open_text(file), file.string(), progress)), remark);
}

CsrMatrix read_matrix_market(std::istream& stream, std::string_view name, const ReadProgress& progress,
                             const ReadRemark& remark) {
    return read_matrix(MatrixMarketText(LineReader(open_text(stream), std::string(name), progress)), remark);
}

CsrMatrix parse_matrix_market(std::string_view text, std::string_view name) {
    return read_matrix(MatrixMarketText(LineReader(open_text(text), std::string(name))));
}

std::vector<double> read_matrix_market_vector(const std::filesystem::path& file) {
    return read_vector(MatrixMarketText(LineReader(open_text(file), file.string())));
}

}  // namespace glsolve::inline v0_1
