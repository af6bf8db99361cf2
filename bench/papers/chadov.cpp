// The tables and figures of S. N. Chadov, Chebyshev iteration on the GPU, anew.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "chadov_figures.hpp"
#include "chadov_forms.hpp"
#include "chadov_kernel.hpp"
#include "cores_chebyshev.hpp"
#include "papers.hpp"

namespace glsolve::bench {
namespace {

constexpr double tolerance = 1e-5, fine_tolerance = 1e-9;
constexpr int sample = 64;  // steps of what takes too long to be run to its end

/// Iterations and milliseconds as printed.
struct Printed {
    int iterations = 0;
    double milliseconds = 0;
};
struct PrintedTable {
    int number, rows;
    Printed naive, optimised, stochastic, processor, bicgstab;
};
constexpr std::array printed_tables{
    PrintedTable{1, 39204, {869, 265}, {864, 131}, {768, 101}, {869, 1400}, {41, 49}},
    PrintedTable{2, 350000, {2747, 2900}, {2656, 2311}, {1247, 2111}, {2747, 10656}, {86, 250}}};

/// A system that stands for one of the paper's, and how cores do on it.
struct Grid {
    Grid(Index side, const PrintedTable& table, const Setting& setting) : printed(table), system(side, tolerance) {
        const CoreChebyshev cores(system.A);
        one = cores.run(system.b, system.rule, 1);
        all = cores.run(system.b, system.rule, setting.threads);
        // What has taken long has been timed well enough.
        for (int round = 1; round < setting.rounds && one.seconds + all.seconds < 1; ++round) {
            one.seconds = std::min(one.seconds, cores.run(system.b, system.rule, 1).seconds);
            all.seconds = std::min(all.seconds, cores.run(system.b, system.rule, setting.threads).seconds);
        }
    }
    std::string rows() const { return fmt::format("{} rows", system.A.rows); }

    const PrintedTable& printed;
    ChadovSystem system;
    CoreChebyshev::Run one, all;
};

ChadovRun of_cores(const Grid& grid, const CoreChebyshev::Run& run, std::string form) {
    return {.form = std::move(form),
            .steps = run.iterations,
            .seconds = run.seconds,
            .residual = grid.system.residual(run.x)};
}

/// What a device does with a grid.
struct DeviceRuns {
    ChadovRun naive, optimised;
    std::vector<std::pair<ChadovRun, Printed>> rows;  // of the table, these two included
    std::optional<ChadovRun> chaotic;
    std::vector<std::string> remarks;
};

Options fused(int test_every) { return {.method = Method::chebyshev, .test_every = test_every}; }

/// Some steps only, and the time scaled to as many as the cores take.
DeviceRuns run_sample(NamedDevice& device, const Grid& grid) {
    ChadovSystem some = grid.system;
    some.rule.max_iterations = sample;
    const auto scaled = [&](ChadovRun run) {
        run.seconds *= static_cast<double>(grid.one.iterations) / static_cast<double>(run.steps);
        run.residual = NAN;
        return run;
    };
    DeviceRuns runs;
    runs.naive = scaled(NaiveChebyshev(device.device, some, FormatKind::automatic).run(1));
    Options options = chadov_options(some, fused(16));
    options.fixed_iterations = sample;
    runs.optimised = scaled(run_solver(device.device, some, "optimised, tested every 16th step", options, 1));
    runs.rows = {{runs.naive, grid.printed.naive}, {runs.optimised, grid.printed.optimised}};
    return runs;
}

DeviceRuns run_forms(NamedDevice& device, const Grid& grid, int rounds) {
    const ChadovSystem& system = grid.system;
    const PrintedTable& printed = grid.printed;
    DeviceRuns runs;
    const auto solver = [&](std::string form, Options options, const Printed& paper) {
        runs.rows.emplace_back(
            run_solver(device.device, system, std::move(form), chadov_options(system, std::move(options)), rounds),
            paper);
        return runs.rows.back().first;
    };
    runs.naive = NaiveChebyshev(device.device, system, FormatKind::automatic).run(rounds);
    runs.rows.emplace_back(runs.naive, printed.naive);
    Options published = fused(1), chaotic = fused(16);
    published.chebyshev.form = ChebyshevForm::published;
    chaotic.chebyshev.form = ChebyshevForm::chaotic;
    solver("the same passes, tested on the device", published, {});
    runs.optimised = solver("optimised, tested every 16th step", fused(16), printed.optimised);
    solver("optimised, tested every 32nd step", fused(32), printed.optimised);
    runs.chaotic = solver("chaotic", chaotic, printed.stochastic);
    runs.remarks.push_back("The chaotic form says: " + runs.chaotic->remarks + ".");
    if (device.device.info().backend == BackendKind::cuda) {
        if (std::optional<ChadovRun> kernel = run_chaotic_kernel(system, rounds)) {
            if (!kernel->remarks.empty()) runs.remarks.push_back("The paper's kernel: " + kernel->remarks + ".");
            runs.rows.emplace_back(*std::move(kernel), printed.stochastic);
        }
    }
    solver("BiCGStab", {.method = Method::bicgstab}, printed.bicgstab);
    return runs;
}

std::string number_or_dash(auto number) { return number > 0 ? fmt::format("{}", number) : "-"; }

std::vector<std::string> table_row(const ChadovRun& run, const Printed& printed) {
    const bool sampled = std::isnan(run.residual);
    return {run.form,
            number_or_dash(printed.iterations),
            fmt::format("{}{}", run.steps, sampled ? " run" : ""),
            number_or_dash(printed.milliseconds),
            digits(1e3 * run.seconds),
            sampled ? "-" : fmt::format("{:.1e}", run.residual),
            number_or_dash(run.passes),
            number_or_dash(run.reads),
            number_or_dash(run.waits)};
}

const std::vector<std::string> table_head{
    "form", "iterations, the paper", "here", "ms, the paper", "here", "|r|/|b|", "passes", "reads", "waits"};

void add_table(Section& section, const NamedDevice& device, const Grid& grid, const DeviceRuns& runs, int threads) {
    section.blocks.push_back(Heading{fmt::format("Table {}: {} ({} in the paper), {}", grid.printed.number, grid.rows(),
                                                 grid.printed.rows, device.name)});
    std::string words = fmt::format(
        "All from x = 0, with the same bounds, until |b - A x| <= {:.0e} |b| as the form itself knows it; the least "
        "time of {{}}, with b sent and x fetched. The residual is computed in double precision afterwards. Waits: how "
        "often the host waited for the device.",
        grid.system.rule.tolerance);
    words.replace(words.find("{}"), 2, "some rounds");
    if (std::isnan(runs.naive.residual)) {
        words += fmt::format(
            " This device is the processor, and would take minutes: {} steps were run here, and their time is scaled "
            "to "
            "the {} steps of the one core.",
            sample, grid.one.iterations);
    }
    section.blocks.push_back(Text{words});
    Table table{table_head};
    for (const auto& [run, printed] : runs.rows) table.rows.push_back(table_row(run, printed));
    table.rows.push_back(table_row(of_cores(grid, grid.one, "one core"), grid.printed.processor));
    table.rows.push_back(table_row(of_cores(grid, grid.all, fmt::format("{} cores", threads)), grid.printed.processor));
    section.blocks.push_back(table);
    for (const std::string& remark : runs.remarks) section.blocks.push_back(Text{remark});
}

void add_claims(Section& section, NamedDevice& device, const Grid& grid, const DeviceRuns& runs) {
    const PrintedTable& printed = grid.printed;
    const bool on_processor = device.device.backend().can().on_processor;
    const auto claim = [&](const std::string& what, double in_print, double found, bool timed, std::string remark) {
        section.claims.push_back(
            {fmt::format("{}, {}", what, grid.rows()), device.name, in_print, found, timed, std::move(remark)});
    };
    if (printed.number == 1) {
        claim(
            "optimised against naive", printed.naive.milliseconds / printed.optimised.milliseconds,
            runs.naive.seconds / runs.optimised.seconds, true,
            on_processor ? "the passes of the naive form are executed by the processor that would wait for them" : "");
    }
    claim("one core / optimised", printed.processor.milliseconds / printed.optimised.milliseconds,
          grid.one.seconds / runs.optimised.seconds, true, on_processor ? "this device is the processor itself" : "");
    if (std::isnan(runs.naive.residual)) return;
    const auto core = static_cast<double>(grid.one.iterations), naive = static_cast<double>(runs.naive.steps);
    claim("naive iterations, device and core: the fewer / the more (0.98 is asked for)", 0.98,
          std::min(core, naive) / std::max(core, naive), false, "");
    claim("(naive iterations + 32) / optimised iterations (1 is asked for)", 1,
          (naive + 32) / static_cast<double>(runs.optimised.steps), false, "");
    claim("chaotic: tolerance / residual (1 is asked for)", 1, grid.system.rule.tolerance / runs.chaotic->residual,
          false, "");
}

/// The paper's outlook: BiCGStab first, then the Chebyshev iteration.
void add_combination(Section& section, NamedDevice& device, const Grid& grid, int rounds) {
    ChadovSystem system = grid.system;
    system.rule.tolerance = fine_tolerance;
    section.blocks.push_back(Heading{fmt::format("The combination with BiCGStab: {}, {}", grid.rows(), device.name)});
    section.blocks.push_back(
        Text{fmt::format("The paper suggests BiCGStab to come near the solution, and the Chebyshev iteration to refine "
                         "it, and has no numbers for it. To {:.0e} |b|, beyond single precision, so that there is "
                         "something to refine: residuals of corrections are in double precision.",
                         fine_tolerance)});
    Table table{{"method", "iterations", "ms", "|r|/|b|", "passes", "reads", "waits"}};
    const auto add = [&](std::string name, Options options) {
        const ChadovRun run =
            run_solver(device.device, system, std::move(name), chadov_options(system, std::move(options)), rounds);
        table.rows.push_back({run.form, fmt::format("{}", run.steps), digits(1e3 * run.seconds),
                              fmt::format("{:.1e}", run.residual), number_or_dash(run.passes),
                              number_or_dash(run.reads), number_or_dash(run.waits)});
        return run;
    };
    add("BiCGStab alone", {.method = Method::bicgstab});
    add("Chebyshev alone, optimised", fused(16));
    const ChadovRun both = add("BiCGStab, then Chebyshev", {.method = Method::bicgstab_chebyshev});
    section.blocks.push_back(table);
    if (!both.remarks.empty()) section.blocks.push_back(Text{"The combination says: " + both.remarks + "."});
}

std::string about_systems(const Grid& small, const Grid& large) {
    return fmt::format(
        "The paper's matrices are problems of computer graphics that we do not have. 5-point grids of as many rows "
        "stand in their place ({} and {} rows here), with the exact bounds of D^-1 A, 1 -+ cos(pi / (n + 1)): with "
        "these the naive form takes about as many iterations as in the paper. b = A w with random w. The paper does "
        "not "
        "print its tolerance; here it is {:.0e} of |b|. 1e-6 is out of reach of the naive form on the larger grid: in "
        "single precision |b - A x| cannot fall much below the rounding of |A| |x|, which is 2e-6 |b| there (and for a "
        "smooth b, such as all ones, 1e-2 |b|). glsolve's forms correct x from residuals in double precision, and have "
        "no such limit. All forms on a device use the same format of the matrix.",
        small.system.A.rows, large.system.A.rows, tolerance);
}

}  // namespace

Section chadov(Bench& bench) {
    Section section{.paper = "chebyshev"};
    const Setting& setting = bench.setting;
    const Grid small(bench.pick(198, 48), printed_tables[0], setting),
        large(bench.pick(592, 64), printed_tables[1], setting);
    section.blocks.push_back(Text{about_systems(small, large)});
    for (NamedDevice& device : bench.devices) {
        progress(fmt::format("chebyshev: {}", device.name));
        const bool samples = device.device.backend().can().on_processor && !setting.quick;
        const DeviceRuns with_small = run_forms(device, small, setting.rounds);
        const DeviceRuns with_large = samples ? run_sample(device, large) : run_forms(device, large, setting.rounds);
        add_table(section, device, small, with_small, setting.threads);
        add_table(section, device, large, with_large, setting.threads);
        add_claims(section, device, small, with_small);
        add_claims(section, device, large, with_large);
        add_combination(section, device, small, samples ? 1 : setting.rounds);
        add_bounds(section, device, small.system);
        add_time_lines(section, device, small.system, with_small.naive, with_small.optimised);
        add_pass_shares(section, device, samples ? small.system : large.system);
    }
    return section;
}

}  // namespace glsolve::bench
