// Products alone: triangular solves hide in a whole solve what formats do.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <glsolve/error.hpp>
#include <limits>

#include "formats/choose_format.hpp"
#include "formats/ell_width.hpp"
#include "on_device.hpp"
#include "parts.hpp"

namespace glsolve::bench::hec {
namespace {

constexpr std::array shown{FormatKind::csr, FormatKind::hyb, FormatKind::hec};

struct Products {
    const PaperMatrix* matrix;
    double vendor = unknown;  ///< seconds, as all that follow
    std::array<double, shown.size()> ours{};
    FormatKind chosen{};
    double of_chosen = unknown;
};

double seconds_in(OnDevice& on, FormatKind format) {
    try {
        return on.seconds(format, on.input());
    } catch (const Error&) {
        return unknown;  // the device cannot hold it
    }
}

/// Format after format, some times over: what else the machine does meets all of them. The least time of each counts.
Products products_of(const PaperMatrix& matrix, Backend& backend, int rounds) {
    OnDevice on(backend, matrix.system.A);
    Products products{.matrix = &matrix};
    products.ours.fill(unknown);
    products.chosen = choose_format(on.input(), FormatKind::automatic).format;
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t f = 0; f < shown.size(); ++f)
            products.ours[f] = std::fmin(products.ours[f], seconds_in(on, shown[f]));
        products.of_chosen = std::fmin(products.of_chosen, seconds_in(on, products.chosen));
    }
    return products;
}

Table products_table(const std::vector<Products>& all) {
    Table table{{"matrix", "cuSPARSE CSR, us", "csr, us", "hyb, us", "hec, us", "chosen format", "us", "csr / hec",
                 "cuSPARSE / hec", "cuSPARSE / chosen"}};
    for (const Products& each : all) {
        const auto [csr, hyb, hec] = each.ours;
        table.rows.push_back({each.matrix->system.name, digits(1e6 * each.vendor), digits(1e6 * csr), digits(1e6 * hyb),
                              digits(1e6 * hec), std::string(name(each.chosen)), digits(1e6 * each.of_chosen),
                              digits(csr / hec), digits(each.vendor / hec), digits(each.vendor / each.of_chosen)});
    }
    return table;
}

Figure products_figure(const std::vector<Products>& all, const std::string& device, bool with_vendor) {
    Figure figure{.title = fmt::format("Products alone, {}", device),
                  .kind = FigureKind::bars,
                  .x_label = "",
                  .y_label = "us of a product",
                  .curves = {{.name = "csr"}, {.name = "hyb"}, {.name = "hec"}, {.name = "chosen"}}};
    if (with_vendor) figure.curves.push_back({.name = "cuSPARSE CSR"});
    for (const Products& each : all) {
        const auto x = static_cast<double>(figure.categories.size());
        figure.categories.push_back(each.matrix->system.name);
        const std::array seconds{each.ours[0], each.ours[1], each.ours[2], each.of_chosen, each.vendor};
        for (std::size_t k = 0; k < figure.curves.size(); ++k)
            figure.curves[k].points.emplace_back(x, seconds[k] > 0 ? 1e6 * seconds[k] : 0);
    }
    return figure;
}

/// The share of ELL's slots, K by the paper's rule, that hold nothing.
double empty_slots(CsrView A) {
    const std::vector<Index> rows = rows_with(A);
    const int K = paper_ell_width(rows, A.rows);
    double full = 0;
    for (int j = 0; j < K; ++j) full += rows[static_cast<std::size_t>(j)];
    return K > 0 ? 1 - full / (static_cast<double>(K) * A.rows) : 0;
}

/// Where there is no vendor's product to be compared with.
Claim claim_beside_csr(const std::string& device, const Products& products) {
    const auto [csr, hyb, hec] = products.ours;
    return {.what = fmt::format("HEC against our CSR, product alone, {}", products.matrix->system.name),
            .where = device,
            .printed = 1.0,
            .found = csr / hec,
            .remark = fmt::format(
                "the paper's text has HEC before its own CSR, without a number; {:.0f} % of the slots of ELL are empty "
                "here, and a product goes through them as well",
                100 * empty_slots(products.matrix->system.A)),
            .target = true};
}

Claim claim_beside_vendor(const std::string& device, const Products& products) {
    const double hec = products.ours[2];
    return {.what = fmt::format("HEC against the vendor's CSR, product alone, {}", products.matrix->system.name),
            .where = device,
            .printed = paper_gain,
            .found = products.vendor / hec,
            .remark = fmt::format("glsolve's chosen format: {:.2f} times as fast as the vendor's CSR",
                                  products.vendor / products.of_chosen),
            .target = true};
}

}  // namespace

constexpr int in_a_row = 100;  // cuSPARSE's products

void add_products(Section& section, Bench& bench, const std::vector<PaperMatrix>& matrices) {
    const int rounds = bench.pick(bench.setting.rounds, 1);
    section.blocks.emplace_back(Heading{"Products alone"});
    section.blocks.emplace_back(Text{
        "y = A x in single precision, x random: the median of seven batches, and the least of that in some rounds "
        "over all formats. cuSPARSE: the fastest of its three algorithms for CSR in single precision, launched one "
        "by one or as one graph. K of hyb and hec by the "
        "paper's rule. The chosen format is what `--format auto` takes. Values are kept in single precision also "
        "where half precision would hold them (made values are small whole numbers), so that both read as much. "
        "The paper shows whole solves only."});
    if (bench.vendor == nullptr)
        section.blocks.emplace_back(Text{"cuSPARSE's products are left out: the list of devices says why."});
    std::vector<double> of_vendor;
    for (const PaperMatrix& matrix : matrices)
        of_vendor.push_back(bench.vendor == nullptr ? unknown
                                                    : least_cusparse_seconds(bench.vendor, matrix.system.A, in_a_row));
    for (NamedDevice& on : bench.devices) {
        std::vector<Products> all;
        for (std::size_t i = 0; i < matrices.size(); ++i) {
            progress(fmt::format("products, {}, {}", matrices[i].system.name, on.name));
            all.push_back(products_of(matrices[i], on.device.backend(), rounds));
            all.back().vendor = of_vendor[i];
        }
        section.blocks.emplace_back(Heading{fmt::format("Products on {}", on.name)});
        section.blocks.emplace_back(products_table(all));
        section.blocks.emplace_back(products_figure(all, on.name, bench.vendor != nullptr));
        for (const Products& each : all)
            section.claims.push_back(bench.vendor == nullptr ? claim_beside_csr(on.name, each)
                                                             : claim_beside_vendor(on.name, each));
    }
}

}  // namespace glsolve::bench::hec
