// K, the nonzeros of each row that HEC keeps in ELL: by three rules, and what a product takes over K.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>
#include <limits>
#include <map>

#include "formats/ell_width.hpp"
#include "on_device.hpp"
#include "parts.hpp"

namespace glsolve::bench::hec {
namespace {

constexpr int steps_of_curve = 8;

/// K of each rule, and seconds of a product for these and for others.
struct Widths {
    const PaperMatrix* matrix;
    int paper, cheapest, measured, longest;
    std::map<int, double> seconds = {};  ///< by K; NaN: the device cannot hold it

    /// The fastest K of all that were timed.
    int best() const {
        const auto time = [](const auto& each) { return std::isnan(each.second) ? HUGE_VAL : each.second; };
        return std::ranges::min_element(seconds, {}, time)->first;
    }
};

double seconds_with(OnDevice& on, int K) {
    FormatInput in = on.input();
    in.width = K;
    try {
        return on.seconds(FormatKind::hec, in);
    } catch (const Error&) {
        return unknown;
    }
}

/// K after K, some times over; the least time of each counts.
Widths widths_of(const PaperMatrix& matrix, Backend& backend, int rounds) {
    const CsrView A = matrix.system.A;
    OnDevice on(backend, A);
    const std::vector<Index> rows = rows_with(A);
    Widths widths{.matrix = &matrix,
                  .paper = paper_ell_width(rows, A.rows),
                  .cheapest = cheapest_ell_width(rows, A.rows),
                  .measured = on.measured_width(),
                  .longest = static_cast<int>(rows.size())};
    for (const int K : {widths.paper, widths.cheapest, widths.measured}) widths.seconds[K] = unknown;
    for (int step = 0; step <= steps_of_curve; ++step) widths.seconds[widths.longest * step / steps_of_curve] = unknown;
    for (int round = 0; round < rounds; ++round) {
        for (auto& [K, seconds] : widths.seconds) seconds = std::fmin(seconds, seconds_with(on, K));
    }
    return widths;
}

std::string microseconds(double seconds) { return digits(1e6 * seconds); }

Table widths_table(const std::vector<Widths>& all) {
    Table table{{"matrix", "longest row", "K, the paper's rule", "us", "K, cheapest", "us", "K, measured", "us",
                 "fastest K of the curve", "us", "the paper's rule / fastest"}};
    for (const Widths& each : all) {
        std::vector<std::string> row{each.matrix->system.name, fmt::format("{}", each.longest)};
        for (const int K : {each.paper, each.cheapest, each.measured, each.best()}) {
            row.push_back(fmt::format("{}", K));
            row.push_back(microseconds(each.seconds.at(K)));
        }
        row.push_back(digits(each.seconds.at(each.paper) / each.seconds.at(each.best())));
        table.rows.push_back(std::move(row));
    }
    return table;
}

Figure widths_figure(const std::vector<Widths>& all, const std::string& device) {
    Figure figure{.title = fmt::format("A product in HEC over K, {}", device),
                  .x_label = "K, nonzeros of each row in ELL",
                  .y_label = "us"};
    for (const Widths& each : all) {
        Curve curve{.name = each.matrix->system.name};
        for (const auto& [K, seconds] : each.seconds) curve.points.emplace_back(K, 1e6 * seconds);
        figure.curves.push_back(std::move(curve));
    }
    return figure;
}

std::string in_words(const std::vector<Widths>& all) {
    std::string text = "Where the rules stand on the curves:";
    for (const Widths& each : all) {
        text += fmt::format(" {}: the paper's rule at K = {}, cheapest at {}, measured at {};",
                            each.matrix->system.name, each.paper, each.cheapest, each.measured);
    }
    text.back() = '.';
    return text;
}

}  // namespace

void add_widths(Section& section, Bench& bench, const std::vector<PaperMatrix>& matrices) {
    section.blocks.emplace_back(Heading{"K by the paper's rule, and by measurement"});
    section.blocks.emplace_back(Text{
        "The time of a product alone in HEC, in single precision: the median of seven batches, the least of "
        "some rounds. K counts nonzeros beside the main diagonal, which glsolve keeps apart: so K may "
        "be one or two less than in the table above. Cheapest: the K with the fewest bytes "
        "to fetch. Measured: the fastest of some widths, timed once when a solver is made (`--ell-width measure`); "
        "the curve has more widths, and times them several times over. K = 0 is CSR alone, K = "
        "the longest row ELL alone. The paper has its rule, and no times over K; the best rule is left to its "
        "future work."});
    for (NamedDevice& on : bench.devices) {
        Backend& backend = on.device.backend();
        const int rounds = bench.pick(std::min(bench.setting.rounds, backend.can().on_processor ? 2 : 100), 1);
        std::vector<Widths> all;
        for (const PaperMatrix& matrix : matrices) {
            progress(fmt::format("HEC over K, {}, {}", matrix.system.name, on.name));
            all.push_back(widths_of(matrix, backend, rounds));
        }
        section.blocks.emplace_back(Heading{fmt::format("K on {}", on.name)});
        section.blocks.emplace_back(widths_table(all));
        section.blocks.emplace_back(widths_figure(all, on.name));
        section.blocks.emplace_back(Text{.words = in_words(all), .finding = true});
    }
}

}  // namespace glsolve::bench::hec
