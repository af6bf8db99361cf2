#include <glsolve/analyze.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "matrix/csr_entries.hpp"
#include "matrix/scaling.hpp"

namespace glsolve::inline v0_1 {
namespace {

Offset length(CsrView A, std::size_t i) { return std::ssize(A.row(i)); }

void analyze_rows(CsrView A, Analysis& a) {
    const auto n = static_cast<std::size_t>(A.rows);
    if (n == 0) return;
    a.shortest_row = a.longest_row = length(A, 0);
    for (std::size_t i = 0; i < n; ++i) {
        a.shortest_row = std::min(a.shortest_row, length(A, i));
        a.longest_row = std::max(a.longest_row, length(A, i));
        a.empty_rows += length(A, i) == 0 ? 1 : 0;
    }
    a.mean_row = static_cast<double>(A.nonzeros()) / static_cast<double>(n);
    constexpr Offset most_bins = 10;
    const Offset lengths = a.longest_row - a.shortest_row + 1, bins = std::min(most_bins, lengths);
    for (Offset bin = 0; bin < bins; ++bin) {
        a.histogram.push_back(
            {a.shortest_row + bin * lengths / bins, a.shortest_row + (bin + 1) * lengths / bins - 1, 0});
    }
    for (std::size_t i = 0; i < n; ++i) {
        const auto bin = std::find_if(a.histogram.begin(), a.histogram.end(),
                                      [&](const RowLengths& b) { return length(A, i) <= b.longest; });
        ++bin->rows;
    }
}

void analyze_places(CsrView A, Analysis& a) {
    std::vector<bool> used(static_cast<std::size_t>(A.rows) + static_cast<std::size_t>(A.columns), false);
    for (Index i = 0; i < A.rows; ++i) {
        for (const Index j : A.row(i).columns()) {
            const Index distance = j - i;
            a.lower_bandwidth = std::max(a.lower_bandwidth, -distance);
            a.upper_bandwidth = std::max(a.upper_bandwidth, distance);
            auto mark = used[static_cast<std::size_t>(std::int64_t{distance} + A.rows)];
            if (!mark) ++a.diagonals;
            mark = true;
        }
    }
}

void analyze_diagonal(CsrView A, Analysis& a) {
    const std::vector<double> diagonal = glsolve::diagonal(A);
    a.least_dominance = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < diagonal.size(); ++i) {
        a.zero_diagonal += diagonal[i] == 0 ? 1 : 0;
        a.negative_diagonal += diagonal[i] < 0 ? 1 : 0;
        double others = 0;
        for (const auto [j, a_ij] : A.row(i)) {
            if (j != static_cast<Index>(i)) others += std::abs(a_ij);
        }
        const double d = std::abs(diagonal[i]);
        a.dominant_rows += d > 0 && d * (1 + 1e-12) >= others ? 1 : 0;
        if (others > 0) a.least_dominance = std::min(a.least_dominance, d / others);
    }
}

void analyze_sizes(CsrView A, Analysis& a) {
    a.smallest = a.smallest_scaled = std::numeric_limits<double>::infinity();
    const std::vector<double> scale =
        a.square ? choose_scaling(A, ScalingRule::always) : std::vector<double>(static_cast<std::size_t>(A.rows), 1.0);
    for (std::size_t i = 0; i < static_cast<std::size_t>(A.rows); ++i) {
        for (const auto [j, a_ij] : A.row(i)) {
            const double size = std::abs(a_ij);
            if (size == 0) continue;
            const double scaled = a.square ? scale[i] * size * scale[j] : size;
            a.smallest = std::min(a.smallest, size);
            a.largest = std::max(a.largest, size);
            a.smallest_scaled = std::min(a.smallest_scaled, scaled);
            a.largest_scaled = std::max(a.largest_scaled, scaled);
        }
    }
    if (a.largest == 0) a.smallest = a.smallest_scaled = 0;
}

}  // namespace

Analysis analyze(CsrView A) {
    check(A);
    Analysis a;
    a.rows = A.rows;
    a.columns = A.columns;
    a.nonzeros = A.nonzeros();
    a.square = A.rows == A.columns;
    analyze_rows(A, a);
    analyze_places(A, a);
    analyze_diagonal(A, a);
    analyze_sizes(A, a);
    a.asymmetry = asymmetry(A);
    if (a.square) {
        a.structurally_symmetric = has_places_of(transpose(A), A);
    }
    return a;
}

std::vector<std::uint32_t> density(CsrView A, int height, int width) {
    std::vector<std::uint32_t> count(static_cast<std::size_t>(height) * static_cast<std::size_t>(width), 0);
    const auto cell = [](Index place, Index size, int cells) {
        return static_cast<std::size_t>(std::int64_t{place} * cells / std::max(size, 1));
    };
    for (Index i = 0; i < A.rows; ++i) {
        for (const Index j : A.row(i).columns()) {
            ++count[cell(i, A.rows, height) * static_cast<std::size_t>(width) + cell(j, A.columns, width)];
        }
    }
    return count;
}

}  // namespace glsolve::inline v0_1
