// Table 2: a hundred products with each of the paper's matrices: the paper's two kernels, a thread and a warp a row,
// the vendor's, every format of the library, and the processor's cores.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "cores.hpp"
#include "formats/choose_format.hpp"
#include "formats/time_product.hpp"
#include "matrices.hpp"
#include "paper_products.hpp"
#include "parts.hpp"
#include "random_numbers.hpp"
#include "stopwatch.hpp"

namespace glsolve::bench::gmres {
namespace {

constexpr int printed_products = 100;
constexpr double too_much = 3;  // times the memory of CSR: no candidate
constexpr double nothing = 0;

/// Seconds of 100 products, as the paper prints them; empty where it failed, or where nothing was measured.
std::string hundred(double seconds) { return seconds > 0 ? digits(1e3 * printed_products * seconds) : "-"; }

double core_seconds(CsrView A, int threads) {
    const CoreMatrix<float> matrix(A, threads);
    const std::vector<float> x = random_numbers(static_cast<std::size_t>(A.columns));
    std::vector<float> y(static_cast<std::size_t>(A.rows));
    double least = 1e300;
    for (int round = 0; round < 3; ++round) {
        const auto begin = Clock::now();
        int count = 0;
        for (; count < printed_products && seconds_since(begin) < 0.1; ++count) matrix.multiply(y, x);
        least = std::min(least, seconds_since(begin) / count);
    }
    return least;
}

/// Seconds of a product in each format; those that would take far too much memory are left out.
struct FormatTimes {
    std::map<FormatKind, double> seconds;
    FormatKind chosen{};

    double best() const {
        double least = 1e300;
        for (const auto& each : seconds) least = std::min(least, each.second);
        return least;
    }
};

FormatTimes format_seconds(Backend& backend, CsrView A) {
    const Session session(backend);
    const std::vector<double> ones(static_cast<std::size_t>(A.rows), 1.0);
    const FormatInput in = for_device(backend, {A, ones, {}, backend.info().max_texture_size, false});
    FormatTimes times{.seconds = {}, .chosen = choose_format(in, FormatKind::automatic).format};
    TimedVectors vectors(backend, A.rows);
    for (const FormatRow* row : format_table) {
        const FormatPrediction prediction = row->predict(in);
        const double of_csr = 8.0 * static_cast<double>(A.nonzeros() + A.rows);
        if (!prediction.possible() || prediction.memory > too_much * of_csr) continue;
        const auto matrix = row->make(backend, in);
        times.seconds[row->kind] = time_product(backend, *matrix, vectors);
    }
    backend.trim();
    return times;
}

Table kernels_table() {
    return {{"matrix", "rows", "entries a row", "the paper, GTX 260: two kernels", "the paper: thread a row",
             "the paper: warp a row", "here: tile of 128", "here: tile of 512", "here: thread a row",
             "here: warp a row", "here: cuSPARSE", "here: one core", "here: all cores"}};
}

std::vector<std::string> head_of(const MadeMatrix& matrix) {
    return {matrix.name, std::to_string(matrix.A.rows),
            fmt::format("{:.1f}", static_cast<double>(matrix.A.nonzeros()) / matrix.A.rows)};
}

/// What is the same whatever device of ours is beside it.
struct Peers {
    double vendor = nothing, core = nothing, cores = nothing, two_kernels = nothing, thread_a_row = nothing;
};

Peers add_kernels(Table& table, const Bench& bench, const PrintedMatrix& printed, const MadeMatrix& matrix) {
    Peers peers{.vendor = least_cusparse_seconds(bench.vendor, matrix.A, printed_products),
                .core = core_seconds(matrix.A, 1),
                .cores = core_seconds(matrix.A, bench.setting.threads)};
    std::vector<std::string> row = head_of(matrix);
    for (const double seconds : printed.products) row.push_back(seconds > 0 ? digits(1e3 * seconds) : "failed");
    if (const auto here = paper_product_seconds(matrix.A, printed_products)) {
        for (const double seconds : *here) row.push_back(hundred(seconds));
        peers.two_kernels = std::min((*here)[0], (*here)[1]);
        peers.thread_a_row = (*here)[2];
    } else {
        row.insert(row.end(), all_paper_products.size(), "-");
    }
    for (const double seconds : {peers.vendor, peers.core, peers.cores}) row.push_back(hundred(seconds));
    table.rows.push_back(std::move(row));
    return peers;
}

/// Geometric mean.
double mean(const std::vector<double>& ratios) {
    double logs = 0;
    for (const double ratio : ratios) logs += std::log(ratio);
    return ratios.empty() ? 0 : std::exp(logs / static_cast<double>(ratios.size()));
}

/// One device's times.
struct ProductsOfDevice {
    Table table{{"matrix", "rows", "entries a row"}};
    std::vector<double> against_core, against_two_kernels, against_thread_a_row, against_vendor, best_against_vendor;

    ProductsOfDevice() {
        for (const FormatRow* row : format_table) table.head.emplace_back(row->name);
        table.head.insert(table.head.end(), {"chosen", "the paper: thread a row / two kernels", "one core / chosen"});
    }
    void add(const PrintedMatrix& printed, const MadeMatrix& matrix, const FormatTimes& times, const Peers& peers) {
        std::vector<std::string> row = head_of(matrix);
        for (const FormatRow* format : format_table) {
            const auto found = times.seconds.find(format->kind);
            row.push_back(found == times.seconds.end() ? "-" : hundred(found->second));
        }
        const auto measured = times.seconds.find(times.chosen);
        const double chosen = measured == times.seconds.end() ? times.best() : measured->second;
        row.emplace_back(glsolve::name(times.chosen));
        row.push_back(digits(printed.products[1] / printed.products[0]));
        row.push_back(digits(peers.core / chosen));
        table.rows.push_back(std::move(row));
        against_core.push_back(peers.core / chosen);
        if (peers.two_kernels > 0) against_two_kernels.push_back(peers.two_kernels / chosen);
        if (peers.thread_a_row > 0) against_thread_a_row.push_back(peers.thread_a_row / chosen);
        if (peers.vendor > 0) against_vendor.push_back(peers.vendor / chosen);
        if (peers.vendor > 0) best_against_vendor.push_back(peers.vendor / times.best());
    }
};

}  // namespace

void add_gmres_products(Section& section, Bench& bench) {
    Table kernels = kernels_table();
    std::vector<ProductsOfDevice> of(bench.devices.size());
    int made = 0;
    for (const PrintedMatrix& printed : printed_matrices) {
        if (bench.setting.quick && printed.rows > 1'000'000) continue;
        progress(fmt::format("gmres: table 2, {}", printed.name));
        const MadeMatrix matrix = matrix_of(bench, printed, bench.pick<Index>(1, 100));
        made += matrix.made ? 1 : 0;
        const Peers peers = add_kernels(kernels, bench, printed, matrix);
        for (std::size_t k = 0; k < of.size(); ++k)
            of[k].add(printed, matrix, format_seconds(bench.devices[k].device.backend(), matrix.A), peers);
    }
    section.add(Heading{"Table 2: a hundred products, milliseconds"});
    section.add(Text{fmt::format(
        "Single precision, x at random, products in a row. The paper has three kernels: two kernels with tiles in "
        "shared memory, a thread a row, a warp a row; they are run here as well, on CUDA.{} A made matrix has about "
        "the rows and entries a row that "
        "the paper prints, neighbours in a grid and a few far ones; the paper's own have other patterns. For symmetric "
        "matrices the paper seems to count the entries of one triangle only.{} cuSPARSE: the fastest of its three "
        "algorithms, one by one or as a graph.",
        made > 0 ? fmt::format(" {} of {} matrices are made: their files were not given.", made, kernels.rows.size())
                 : "",
        bench.setting.quick ? " Quick: a hundredth of the rows, and not all matrices." : "")});
    section.add(std::move(kernels));
    for (std::size_t k = 0; k < of.size(); ++k) {
        const std::string& name = bench.devices[k].name;
        const bool on_processor = bench.devices[k].device.backend().can().on_processor;
        section.add(
            Text{fmt::format("The formats of glsolve on {}. `-`: cannot hold the matrix, or takes more than {:g} times "
                             "the memory of csr.",
                             name, too_much)});
        section.add(std::move(of[k].table));
        const auto aim = [&](std::string_view peer, const std::vector<double>& ratios, const char* remark) {
            section.claims.push_back({.what = fmt::format("100 products: {}, geometric mean", peer),
                                      .where = name,
                                      .printed = 1,
                                      .found = mean(ratios),
                                      .remark = remark,
                                      .target = true});
        };
        const ProductsOfDevice& device = of[k];
        if (!device.against_two_kernels.empty() && name == "cuda") {
            const char* const model = "the model of costs does not always take the fastest format";
            aim("the paper's two kernels / glsolve", device.against_two_kernels, "");
            aim("the paper's thread a row / glsolve's chosen format", device.against_thread_a_row, model);
            aim("cuSPARSE / glsolve's fastest format", device.best_against_vendor, "");
            aim("cuSPARSE / glsolve's chosen format", device.against_vendor, model);
        }
        aim("one core / glsolve", device.against_core, on_processor ? "the same cores do both" : "");
    }
}

}  // namespace glsolve::bench::gmres
