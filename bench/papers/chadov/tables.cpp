#include "tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kernel.hpp"

namespace glsolve::bench::chebyshev {
namespace {

constexpr double fine_tolerance = 1e-9;
constexpr int sample = 64;  // steps of what takes too long to be run to its end

Options fused(int every) { return {.method = Method::chebyshev, .test_every = every}; }

ChadovRun of_cores(const Grid& grid, const CoreChebyshev::Run& run, std::string form) {
    return {.form = std::move(form),
            .steps = run.iterations,
            .seconds = run.seconds,
            .residual = grid.system.residual(run.x)};
}

std::string printed_number(auto number) { return number > 0 ? fmt::format("{}", number) : "-"; }
/// Cores make no passes.
std::string counted(const ChadovRun& run, std::uint64_t number) {
    return run.passes > 0 ? fmt::format("{}", number) : "-";
}

std::vector<std::string> table_row(const ChadovRun& run, const Printed& printed) {
    const bool sampled = std::isnan(run.residual);
    return {run.form,
            printed_number(printed.iterations),
            fmt::format("{}{}", run.steps, sampled ? " run" : ""),
            printed_number(printed.milliseconds),
            digits(1e3 * run.seconds),
            sampled ? "-" : fmt::format("{:.1e}", run.residual),
            counted(run, run.passes),
            counted(run, run.reads),
            counted(run, run.waits)};
}

const std::vector<std::string> table_head{
    "form", "iterations, the paper", "here", "ms, the paper", "here", "|r|/|b|", "passes", "reads", "waits"};

}  // namespace

Grid::Grid(Index side, const PrintedTable& table, const Setting& setting)
    : printed(table), system(side, chadov_tolerance) {
    const CoreChebyshev cores(system.A);
    one = cores.run(system.b, system.rule, 1);
    all = cores.run(system.b, system.rule, setting.threads);
    // What has taken long has been timed well enough.
    for (int round = 1; round < setting.rounds && one.seconds < 1; ++round) {
        one.seconds = std::min(one.seconds, cores.run(system.b, system.rule, 1).seconds);
        all.seconds = std::min(all.seconds, cores.run(system.b, system.rule, setting.threads).seconds);
    }
}

std::string Grid::rows() const { return fmt::format("{} rows", system.A.rows); }

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
    const ChadovRun bicgstab = run_solver(device.device, grid.system, "BiCGStab",
                                          chadov_options(grid.system, {.method = Method::bicgstab}), 1);
    runs.rows = {
        {runs.naive, grid.printed.naive}, {runs.optimised, grid.printed.optimised}, {bicgstab, grid.printed.bicgstab}};
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
    chaotic.format = FormatKind::dia;  // which has that form, and is what grids get anyway
    runs.without_waits = solver("the same passes, tested on the device", published, {});
    runs.optimised = solver("optimised, tested every 16th step", fused(16), printed.optimised);
    solver("optimised, tested every 32nd step", fused(32), printed.optimised);
    runs.chaotic = solver("chaotic", chaotic, printed.stochastic);
    runs.remarks.push_back(
        "The chaotic form says: " + runs.chaotic->remarks
        + ". In a pass of several steps tiles read old values at their seams, and take more steps. The paper's took "
          "fewer; it gives no reason.");
    if (device.device.info().backend == BackendKind::cuda) {
        if (std::optional<ChadovRun> kernel = run_chaotic_kernel(system, rounds)) {
            if (!kernel->remarks.empty()) runs.remarks.push_back("The paper's kernel: " + kernel->remarks + ".");
            runs.rows.emplace_back(*std::move(kernel), printed.stochastic);
        }
    }
    solver("BiCGStab", {.method = Method::bicgstab}, printed.bicgstab);
    return runs;
}

void add_table(Section& section, const NamedDevice& device, const Grid& grid, const DeviceRuns& runs, int threads) {
    const bool on_processor = device.device.backend().can().on_processor;
    section.blocks.push_back(Heading{fmt::format("Table {}: {} ({} in the paper), {}", grid.printed.number, grid.rows(),
                                                 grid.printed.rows, device.name)});
    std::string words = fmt::format(
        "All from x = 0, with the same bounds, until |b - A x| <= {:.0e} |b| by the residual that the method computes; "
        "the least "
        "time of the rounds, with b sent and x fetched. |r|/|b| is computed in double precision afterwards. Reads: "
        "transfers "
        "to the host. Waits: those that the host had to wait for{}.",
        grid.system.rule.tolerance,
        on_processor ? "; on this device, which is the processor, most are there as soon as they are asked for" : "");
    if (std::isnan(runs.naive.residual)) {
        words += fmt::format(
            " All of it would take minutes here: {} steps of the first two forms were run, and their time is scaled to "
            "the {} steps of the one core.",
            sample, grid.one.iterations);
    }
    section.blocks.push_back(Text{words});
    Table table{table_head};
    for (const auto& [run, printed] : runs.rows) table.rows.push_back(table_row(run, printed));
    table.rows.push_back(table_row(of_cores(grid, grid.one, "one core"), grid.printed.processor));
    table.rows.push_back(table_row(of_cores(grid, grid.all, fmt::format("{} cores", threads)), {}));
    section.blocks.push_back(table);
    for (const std::string& remark : runs.remarks) section.blocks.push_back(Text{.words = remark, .finding = true});
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
    claim("naive iterations on device and core agree: smaller / larger", 0.98,
          std::min(core, naive) / std::max(core, naive), false, "");
    claim("the optimised form takes at most 32 iterations more: (naive + 32) / optimised", 1,
          (naive + 32) / static_cast<double>(runs.optimised.steps), false, "");
    claim("the chaotic form reaches the tolerance: tolerance / residual", 1,
          grid.system.rule.tolerance / runs.chaotic->residual, false, "");
}

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
                              fmt::format("{:.1e}", run.residual), counted(run, run.passes), counted(run, run.reads),
                              counted(run, run.waits)});
        return run;
    };
    add("BiCGStab alone", {.method = Method::bicgstab});
    add("Chebyshev alone, optimised", fused(16));
    const ChadovRun both = add("BiCGStab, then Chebyshev", {.method = Method::bicgstab_chebyshev});
    section.blocks.push_back(table);
    if (!both.remarks.empty())
        section.blocks.push_back(Text{.words = "The combination says: " + both.remarks + ".", .finding = true});
}

}  // namespace glsolve::bench::chebyshev
