#include "matrix/saddle_point.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "matrix/csr_entries.hpp"

namespace glsolve::inline v0_1 {
namespace {

/// Of the first block: what stands beside the diagonal, in times of it, in the mean.
double mean_beside_diagonal(CsrView K, const SaddlePoint& blocks, std::span<const double> d) {
    double sum = 0, rows = 0;
    for (std::size_t i = 0; i < d.size(); ++i) {
        if (blocks.is_second[i]) continue;
        double beside = 0;
        for (const auto [column, a] : K.row(i)) {
            const auto j = static_cast<std::size_t>(column);
            if (j != i && !blocks.is_second[j]) beside += std::abs(a);
        }
        sum += beside / d[i];
        ++rows;
    }
    return rows > 0 ? sum / rows : 0;
}

/// The row of C + B D^-1 B^T, or its diagonal alone.
void append_schur_row(std::vector<Triplet>& entries, CsrView K, const SaddlePoint& blocks, std::span<const double> d,
                      Index row, bool diagonal_alone) {
    for (const auto [j, b] : K.row(row)) {
        if (blocks.is_second[static_cast<std::size_t>(j)]) {  // -C
            if (b != 0 && (static_cast<Index>(j) == row || !diagonal_alone)) {
                entries.push_back({row, static_cast<Index>(j), -b});
            }
            continue;
        }
        const double share = b / d[static_cast<std::size_t>(j)];
        if (diagonal_alone) {
            entries.push_back({row, row, share * b});
            continue;
        }
        for (const auto [k, c] : K.row(j)) {  // the column of B is a row of B^T
            if (blocks.is_second[static_cast<std::size_t>(k)]) entries.push_back({row, k, share * c});
        }
    }
}

}  // namespace

SaddlePoint saddle_point(CsrView K, std::int64_t first_rows) {
    SaddlePoint found;
    const std::vector<double> d = diagonal(K);
    const bool is_told = first_rows > 0;
    for (std::size_t i = 0; i < d.size(); ++i) {
        const bool is_second = is_told ? static_cast<std::int64_t>(i) >= first_rows : d[i] == 0;
        found.is_second.push_back(is_second);
        const bool is_wrong = is_second ? d[i] > 0 : d[i] <= 0;
        if (is_wrong && found.why_not.empty()) {
            found.why_not = fmt::format("row {} has {:.3g} on the diagonal", i + 1, d[i]);
            if (is_told) found.why_not += fmt::format(", and is of the {} block", is_second ? "second" : "first");
        }
    }
    if (first_rows >= K.rows) {
        found.why_not = fmt::format("there are {} rows, so {} are none of the second block", K.rows, first_rows);
    } else if (std::ranges::find(found.is_second, true) == found.is_second.end()) {
        found.why_not = "no row has a zero on the diagonal";
    }
    if (!found.why_not.empty()) return found;
    each_entry(K, [&](std::size_t i, std::size_t j, double a) {
        if (is_told || a == 0 || !found.is_second[i] || !found.is_second[j] || !found.why_not.empty()) return;
        found.why_not = fmt::format("rows {} and {} have zeros on the diagonal and are coupled", i + 1, j + 1);
    });
    if (found.why_not.empty() && !is_symmetric(K)) found.why_not = "it is not symmetric";
    if (!found.why_not.empty()) return found;
    constexpr double little = 0.8;  // times the diagonal, in the mean: Laplacians have all of it
    found.first_is_like_diagonal = mean_beside_diagonal(K, found, d) < little;
    return found;
}

CsrMatrix saddle_substitute(CsrView K, const SaddlePoint& blocks) {
    const std::vector<double> d = diagonal(K);
    const bool first_is_diagonal = blocks.first_is_like_diagonal;
    std::vector<Triplet> entries;
    entries.reserve(K.value.size());
    for (Index i = 0; i < K.rows; ++i) {
        if (blocks.is_second[static_cast<std::size_t>(i)]) {
            append_schur_row(entries, K, blocks, d, i, !first_is_diagonal);
            continue;
        }
        for (const auto [j, a] : K.row(i)) {
            const bool is_first = !blocks.is_second[static_cast<std::size_t>(j)];
            if (j == i || (is_first && !first_is_diagonal)) entries.push_back({i, j, a});
        }
    }
    return csr_from_triplets(K.rows, K.columns, entries);
}

}  // namespace glsolve::inline v0_1
