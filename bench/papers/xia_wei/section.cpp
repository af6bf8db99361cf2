// J. Xia and D. Wei (2009): figure 5, the operations count, and how definite their test system is.
#include <fmt/format.h>

#include <map>

#include "papers.hpp"
#include "runs.hpp"

namespace glsolve::bench::dense_cg {
namespace {

constexpr double printed_ratio = 4.4;  // Krueger / single pass at n = 1024: the only number that the paper prints
constexpr double tolerance = 1e-5;
constexpr Index definite_up_to = 20;

using Runs = std::array<DenseRun, all_products.size()>;
constexpr std::size_t krueger = 0, single_pass = 1, fast = 2;

std::string or_never(int iteration) { return iteration == 0 ? "never" : std::to_string(iteration); }

void add_definiteness(Section& section, const std::map<Index, Runs>& runs, const NamedDevice& on) {
    Table table{{"n", "smallest eigenvalue", "eigenvalues below 0", "first (p, Ap) <= 0, iteration", "iterations",
                 "true residual"}};
    Index largest_definite = 0, smallest_indefinite = 0;
    for (const auto& [n, of] : runs) {
        const Definiteness found = definiteness(n);
        if (found.negative == 0) largest_definite = n;
        if (found.negative > 0 && smallest_indefinite == 0) smallest_indefinite = n;
        const DenseRun& run = of[single_pass];
        table.rows.push_back({std::to_string(n), digits(found.smallest), std::to_string(found.negative),
                              or_never(run.first_indefinite), std::to_string(run.iterations),
                              fmt::format("{:.1e}", run.residual)});
    }
    section.add(Heading{"The test system is not definite"});
    section.add(Text{fmt::format(
        "Conjugate gradients are for positive definite matrices; the paper says nothing about its own. It is definite "
        "up to n = {} only. (p, Ap) becomes negative, the method goes on, and still ends: with an indefinite matrix it "
        "may break down at any step, so the library's own `cg` stops there and says so. Eigenvalues: Eigen, in double "
        "precision. Iterations: single pass on {}, until |r| <= {:.0e} |b| by the recurrence, at most n.",
        definite_up_to, on.name, tolerance)});
    section.add(std::move(table));
    section.claims.push_back(
        {.what = fmt::format("the system is definite up to n = {}, not beyond", definite_up_to),
         .where = "double precision",
         .printed = 1,
         .found = largest_definite == definite_up_to && smallest_indefinite == definite_up_to + 1 ? 1.0 : 0.0,
         .timed = false});
}

void add_operations(Section& section, Index n, const Runs& runs) {
    Table table{{"of a product, n = " + std::to_string(n), "the paper", "passes here", "MB read and written",
                 "passes of an iteration", "reads of an iteration"}};
    const std::array printed{fmt::format("n = {} quads, each with an upload", n), std::string("1 quad, then sumVector"),
                             std::string("-")};
    for (const Product product : all_products) {
        const auto k = static_cast<std::size_t>(product);
        table.rows.push_back({std::string(name(product)), printed[k], std::to_string(runs[k].product_passes),
                              fmt::format("{:.2f}", 1e-6 * runs[k].product_bytes),
                              fmt::format("{:.1f}", runs[k].iteration_passes),
                              fmt::format("{:.1f}", runs[k].iteration_reads)});
    }
    section.add(Heading{"Operations"});
    section.add(Text{fmt::format(
        "All three multiply n^2 = {} numbers; they differ in passes and in what goes through memory. Counted while "
        "they ran. The single pass writes textureB and textureC, each as large as textureA, and reads all three; "
        "glsolve "
        "reads A once and adds up in registers. An iteration is the paper's: two inner products, each read by the "
        "host.",
        static_cast<std::int64_t>(n) * n)});
    section.add(std::move(table));
}

void add_figure5(Section& section, const std::map<Index, Runs>& runs, const NamedDevice& on) {
    Table table{{"n", "Krueger, ms", "single pass, ms", "glsolve, ms", "Krueger / single pass", "the paper",
                 "Krueger / glsolve", "products alone: Krueger / single pass", "products alone: Krueger / glsolve",
                 "iterations: Krueger, single pass, glsolve"}};
    Figure figure{.title = "Figure 5 again: conjugate gradients on " + on.name,
                  .x_label = "n",
                  .y_label = "ms",
                  .log_x = true,
                  .log_y = true};
    for (const Product product : all_products) figure.curves.push_back({std::string(name(product))});
    for (const auto& [n, of] : runs) {
        const auto ratio = [&](std::size_t a, std::size_t b) { return digits(of[a].seconds / of[b].seconds); };
        const auto product = [&](std::size_t a, std::size_t b) {
            return digits(of[a].product_seconds / of[b].product_seconds);
        };
        table.rows.push_back(
            {std::to_string(n), digits(1e3 * of[krueger].seconds), digits(1e3 * of[single_pass].seconds),
             digits(1e3 * of[fast].seconds), ratio(krueger, single_pass), n == 1024 ? digits(printed_ratio) : "",
             ratio(krueger, fast), product(krueger, single_pass), product(krueger, fast),
             fmt::format("{}, {}, {}", of[krueger].iterations, of[single_pass].iterations, of[fast].iterations)});
        for (std::size_t k = 0; k < of.size(); ++k) figure.curves[k].points.emplace_back(n, 1e3 * of[k].seconds);
    }
    section.add(Heading{"Figure 5: time of a solve over n"});
    section.add(Text{
        "The paper's figure has no scale that could be read off; its text says that Krueger's product makes the solve "
        "take 4.4 times as long at n = 1024. Same method, same system, same stopping rule for all three. The least "
        "time of some rounds; processors "
        "make one."});
    section.add(std::move(table));
    section.add(std::move(figure));
}

void add_claims(Section& section, Index n, const Runs& of, const NamedDevice& on) {
    const auto claim = [&](std::string what, double printed, double found, bool timed, std::string remark = {},
                           bool target = false) {
        section.claims.push_back(
            {fmt::format("{}, n = {}", what, n), on.name, printed, found, timed, std::move(remark), target});
    };
    const std::string why = on.device.backend().can().on_processor
                                ? "a pass costs a processor next to nothing, so n of them are no burden"
                                : "";
    claim("solve: Krueger / single pass", printed_ratio, of[krueger].seconds / of[single_pass].seconds, true,
          why.empty() ? why : why + "; textureC goes through memory twice");
    claim("solve: Krueger / glsolve", printed_ratio, of[krueger].seconds / of[fast].seconds, true, why, true);
    claim("passes of a product: Krueger / single pass", 1,
          static_cast<double>(of[krueger].product_passes) / static_cast<double>(of[single_pass].product_passes), false);
    claim("the three true residuals are within a factor of 100: smallest / largest", 0.01,
          std::min({of[0].residual, of[1].residual, of[2].residual})
              / std::max({of[0].residual, of[1].residual, of[2].residual}),
          false);
}

}  // namespace

}  // namespace glsolve::bench::dense_cg

namespace glsolve::bench {

Section xia_wei(Bench& bench) {
    using namespace dense_cg;
    Section section{.paper = "2009"};
    const auto sizes = bench.pick<std::vector<Index>>({20, 21, 32, 64, 128, 256, 512, 768, 1024}, {20, 21, 32, 64});
    for (NamedDevice& on : bench.devices) {
        std::map<Index, Runs> runs;
        const int rounds = on.device.backend().can().on_processor ? 1 : bench.setting.rounds;
        for (const Index n : sizes) {
            progress(fmt::format("2009: n = {} on {}", n, on.name));
            runs[n] = run_dense(on.device.backend(), n, tolerance, rounds);
        }
        if (&on == &bench.devices.front()) add_definiteness(section, runs, on);
        section.add(Heading{fmt::format("{}: {}", on.name, on.device.info().renderer)});
        add_operations(section, sizes.back(), runs.at(sizes.back()));
        add_figure5(section, runs, on);
        add_claims(section, sizes.back(), runs.at(sizes.back()), on);
    }
    return section;
}

}  // namespace glsolve::bench
