// Bytes of five formats: by the formulas of the paper's section 1, and as stored on a device.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <glsolve/error.hpp>
#include <limits>

#include "formats/ell_width.hpp"
#include "on_device.hpp"
#include "parts.hpp"

namespace glsolve::bench::hec {
namespace {

constexpr double value_bytes = 8, index_bytes = 4;
constexpr std::array formats{FormatKind::csr, FormatKind::coo, FormatKind::ell, FormatKind::hyb, FormatKind::hec};

/// For each j from 1 on the rows with at least j nonzeros: entry j - 1. The paper counts the main diagonal as well.
std::vector<Index> rows_with_diagonal(CsrView A) {
    std::vector<Index> rows;
    for (std::size_t i = 0; i < static_cast<std::size_t>(A.rows); ++i) {
        const auto length = static_cast<std::size_t>(A.offsets[i + 1] - A.offsets[i]);
        if (length > rows.size()) rows.resize(length, 0);
        for (std::size_t j = 0; j < length; ++j) ++rows[j];
    }
    return rows;
}

/// What the formulas need, in the paper's letters where it has any.
struct Counts {
    double n = 0, m = 0;  ///< rows, nonzeros
    double k = 0, K = 0;  ///< nonzeros of the longest row; of each row in ELL
    double rest = 0;      ///< nonzeros behind the first K of their rows
    double rows = 0;      ///< that have such
};

Counts counts_of(CsrView A) {
    const std::vector<Index> rows = rows_with_diagonal(A);
    const auto K = static_cast<std::size_t>(paper_ell_width(rows, A.rows));
    Counts counts{.n = static_cast<double>(A.rows),
                  .m = static_cast<double>(A.nonzeros()),
                  .k = static_cast<double>(rows.size()),
                  .K = static_cast<double>(K)};
    for (std::size_t j = K; j < rows.size(); ++j) counts.rest += rows[j];
    if (K < rows.size()) counts.rows = rows[K];
    return counts;
}

double paper_bytes(FormatKind format, const Counts& c) {
    constexpr double slot = value_bytes + index_bytes;
    switch (format) {
        case FormatKind::csr:  // Values, Colind; Rowptr
            return slot * c.m + index_bytes * (c.n + 1);
        case FormatKind::coo:  // Values, Colind, Row
            return (slot + index_bytes) * c.m;
        case FormatKind::ell:  // Values, Col
            return slot * c.n * c.k;
        case FormatKind::hyb:  // ELL; COO
            return slot * c.n * c.K + (slot + index_bytes) * c.rest;
        case FormatKind::hec:  // ELL; CSR over the rows that have any
            return slot * c.n * c.K + slot * c.rest + (c.rest > 0 ? index_bytes * (c.rows + 1) : 0);
        default:
            return std::numeric_limits<double>::quiet_NaN();
    }
}

/// Of the five formats of a matrix; a format that the device cannot hold has NaN.
struct Bytes {
    const PaperMatrix* matrix;
    Counts counts;
    std::array<double, formats.size()> paper{}, here{};

    /// ELL / HEC of one of the two.
    static double gain(const std::array<double, formats.size()>& of) { return of[2] / of[4]; }
};

Bytes bytes_of(const PaperMatrix& matrix, Backend& backend) {
    Bytes bytes{&matrix, counts_of(matrix.system.A)};
    OnDevice on(backend, matrix.system.A);
    for (std::size_t f = 0; f < formats.size(); ++f) {
        bytes.paper[f] = paper_bytes(formats[f], bytes.counts);
        try {
            bytes.here[f] = static_cast<double>(on.bytes(formats[f]));
        } catch (const Error&) {
            bytes.here[f] = std::numeric_limits<double>::quiet_NaN();
        }
    }
    return bytes;
}

Table structure_table(const std::vector<Bytes>& all) {
    Table table{{"matrix", "rows", "nonzeros", "mean row", "longest row k", "K by the paper's rule",
                 "nonzeros outside ELL", "rows that have such", "where from"}};
    for (const Bytes& each : all) {
        const Counts& c = each.counts;
        table.rows.push_back({each.matrix->system.name, digits(c.n), digits(c.m), digits(c.m / c.n), digits(c.k),
                              digits(c.K), digits(c.rest), digits(c.rows), each.matrix->origin});
    }
    return table;
}

Table bytes_table(const std::vector<Bytes>& all) {
    Table table{{"matrix", "format", "the paper's formula, kB", "here, kB", "the paper's, bytes a nonzero",
                 "here, bytes a nonzero", "the paper's / CSR's", "here / CSR's"}};
    for (const Bytes& each : all) {
        for (std::size_t f = 0; f < formats.size(); ++f) {
            const double paper = each.paper[f], here = each.here[f];
            table.rows.push_back({each.matrix->system.name, std::string(name(formats[f])), digits(paper / 1e3),
                                  digits(here / 1e3), digits(paper / each.counts.m), digits(here / each.counts.m),
                                  digits(paper / each.paper[0]), digits(here / each.here[0])});
        }
    }
    return table;
}

Figure bytes_figure(const std::vector<Bytes>& all) {
    Figure figure{.title = "Bytes a nonzero", .kind = FigureKind::bars, .x_label = "", .y_label = "bytes a nonzero"};
    figure.curves = {{.name = "the paper's formulas"}, {.name = "here"}};
    for (const Bytes& each : all) {
        for (std::size_t f = 0; f < formats.size(); ++f) {
            const auto x = static_cast<double>(figure.categories.size());
            figure.categories.push_back(fmt::format("{} {}", each.matrix->system.name, name(formats[f])));
            figure.curves[0].points.emplace_back(x, each.paper[f] / each.counts.m);
            figure.curves[1].points.emplace_back(x, each.here[f] > 0 ? each.here[f] / each.counts.m : 0);
        }
    }
    return figure;
}

/// Matrices whose rows all fit into the first K slots: HEC and HYB are ELL there.
std::string whole_rows(const std::vector<Bytes>& all) {
    std::string names;
    for (const Bytes& each : all) {
        if (each.counts.rest == 0) names += (names.empty() ? "" : ", ") + each.matrix->system.name;
    }
    if (names.empty()) return "";
    return fmt::format(
        " The rule keeps whole rows in ELL where the mean row has more than half of the longest one's nonzeros: HEC "
        "and HYB are ELL then, with nothing outside. So it is here for {}.",
        names);
}

Claim gain_claim(const std::string& where, const std::vector<Bytes>& all, bool here) {
    double least = std::numeric_limits<double>::infinity();
    for (const Bytes& each : all) least = std::min(least, Bytes::gain(here ? each.here : each.paper));
    return {.what = "bytes of ELL / bytes of HEC, the least of all matrices",
            .where = where,
            .printed = 1,
            .found = least,
            .timed = false,
            .remark = least < 1 ? "what is left to CSR is less than what it needs to be found" : ""};
}

/// Section 1.4, figure 4: of five rows the first column of ELL holds 5 nonzeros, the first two 6, the first three 7.
Claim example_claim() {
    const std::vector<Index> rows_with{5, 1, 1, 1};
    return {.what = "K of the paper's example of five rows",
            .where = "computed",
            .printed = 2,
            .found = static_cast<double>(paper_ell_width(rows_with, 5)),
            .timed = false};
}

}  // namespace

void add_memory(Section& section, Bench& bench, const std::vector<PaperMatrix>& matrices) {
    NamedDevice& on = bench.devices.front();
    std::vector<Bytes> all;
    for (const PaperMatrix& matrix : matrices) all.push_back(bytes_of(matrix, on.device.backend()));
    section.blocks.emplace_back(Heading{"The matrices, and the formats' memory"});
    section.blocks.emplace_back(Text{
        "K by the rule of section 1.4: column j joins ELL while the first j columns hold more nonzeros than half of "
        "their slots. In the paper's own example of five rows (6 > 10/2, but 7 < 15/2) that is K = 2, and 2 is what "
        "the rule gives here."
        + whole_rows(all)});
    section.blocks.emplace_back(structure_table(all));
    section.blocks.emplace_back(Text{fmt::format(
        "The paper prints no bytes. Its section 1 says which arrays each format has; with its values of 8 and indices "
        "of 4 bytes: CSR 12 m + 4 (n + 1), COO 16 m, ELL 12 n k, HYB 12 n K + 16 e, HEC 12 n K + 12 e + 4 (r + 1), for "
        "n rows, m nonzeros, k of them in the longest row, and e nonzeros in r rows outside ELL. (Its HEC does not say "
        "which rows these are: 4 r bytes more.) Here, on {}: what is stored, with all that it takes to find rows. A "
        "value has 4 bytes, and 4 more for what single precision has cut off, unless that is nothing, as with made "
        "values, which are whole numbers; a column has 2 bytes where that is enough; the main diagonal needs none.",
        on.name)});
    section.blocks.emplace_back(bytes_table(all));
    section.blocks.emplace_back(bytes_figure(all));
    section.claims.push_back(gain_claim("the paper's formulas", all, false));
    section.claims.push_back(gain_claim(on.name, all, true));
    section.claims.push_back(example_claim());
}

}  // namespace glsolve::bench::hec
