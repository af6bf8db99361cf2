#include "tables.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <ranges>

#include "printed.hpp"

namespace glsolve::bench::amg {
namespace {

using Row = std::vector<std::string>;

std::string ratio(double numerator, double denominator) { return digits(numerator / denominator); }
std::string microseconds(double seconds) { return digits(1e6 * seconds); }

void append(Row& row, const Row& cells) { row.insert(row.end(), cells.begin(), cells.end()); }

/// The level of the paper with about as many rows: on a logarithmic scale, as levels are.
std::size_t nearest_level(Index rows) {
    const auto distance = [&](std::size_t k) {
        return std::abs(std::log(static_cast<double>(printed::levels[k].rows) / static_cast<double>(rows)));
    };
    return std::ranges::min(std::views::iota(std::size_t{0}, printed::levels.size()), {}, distance);
}

std::string ratio(const printed::Times& times) {
    return times.device > 0 ? ratio(times.core, times.device) : std::string("-");
}

/// Device, core, their ratio and the paper's; nothing where nothing is done.
Row part_cells(const Part& device, const Part& core, const std::string& paper) {
    if (device.passes == 0) return {"-", "-", "-", paper};
    return {microseconds(device.seconds), microseconds(core.seconds), ratio(core.seconds, device.seconds), paper};
}

/// Without the columns of the paper, which are marked as such.
Table without_paper(Table table) {
    for (std::size_t k = table.head.size(); k-- > 0;) {
        if (!table.head[k].starts_with("the paper")) continue;
        table.head.erase(table.head.begin() + static_cast<std::ptrdiff_t>(k));
        for (Row& row : table.rows) row.erase(row.begin() + static_cast<std::ptrdiff_t>(k));
    }
    return table;
}

/// Not a number for a level that does no such work.
double rate(double operations, double seconds) { return seconds > 0 ? 1e-6 * operations / seconds : NAN; }

std::string with_outcome(const CycleRun& run, const Aim& aim) {
    if (run.residual <= aim.tolerance) return std::to_string(run.cycles);
    return fmt::format("{} ({} at {:.1e})", run.cycles, run.outcome, run.residual);
}

Curve printed_curve(const char* name, double printed::Times::*side) {
    Curve curve{.name = name};
    for (const printed::LevelTimes& level : printed::levels)
        curve.points.emplace_back(level.rows, 1e3 * level.sum().*side);
    return curve;
}

Curve curve(const std::string& name, const CycleCosts& costs) {
    Curve made{.name = name};
    for (const LevelCosts& level : costs.levels) made.points.emplace_back(level.rows, 1e6 * level.sum().seconds);
    return made;
}

}  // namespace

Table fixed_table(const Aim& aim, const std::vector<AmgResult>& results) {
    Table table{{"hierarchy", "levels", "rows of the last", "nonzeros of all levels over A's", "device", "one core",
                 fmt::format("all cores ({})", aim.threads), "one core / device", "all cores / device"}};
    table.rows.push_back({"the paper (Tesla C2050; 1 and 4 processes on a Xeon X5650)",
                          std::to_string(printed::levels.size()), std::to_string(printed::levels.back().rows), "-",
                          in_seconds(printed::device_seconds), in_seconds(printed::core_seconds),
                          in_seconds(printed::cores_seconds), digits(printed::core_over_device),
                          digits(printed::cores_over_device)});
    for (const AmgResult& r : results) {
        const HierarchyReport& levels = r.device.hierarchy;
        const double device = r.device.fixed.seconds, one = r.peer.one.fixed.seconds, all = r.peer.all.fixed.seconds;
        table.rows.push_back({r.name(), std::to_string(levels.levels.size()), std::to_string(levels.levels.back().rows),
                              fmt::format("{:.2f}", levels.operator_complexity()), in_seconds(device), in_seconds(one),
                              in_seconds(all), ratio(one, device), ratio(all, device)});
    }
    return table;
}

Table tolerance_table(const Aim& aim, const std::vector<AmgResult>& results) {
    Table table{{"hierarchy", "cycles: device", "cycles: core", "device", "one core",
                 fmt::format("all cores ({})", aim.threads), "one core / device", "all cores / device",
                 "with cg on the device: iterations", "with cg on the device: time"}};
    table.rows.push_back({"the paper (GeForce GTX 480; Core i7, 1 and 4 threads)",
                          std::to_string(printed::cycles_to_tolerance), std::to_string(printed::cycles_to_tolerance),
                          "-", "-", "-", digits(printed::core_over_device_to_tolerance),
                          digits(printed::cores_over_device_to_tolerance), "-", "-"});
    for (const AmgResult& r : results) {
        const CycleRun &device = r.device.to_tolerance, &one = r.peer.one.to_tolerance, &all = r.peer.all.to_tolerance;
        table.rows.push_back({r.name(), with_outcome(device, aim), with_outcome(one, aim), in_seconds(device.seconds),
                              in_seconds(one.seconds), in_seconds(all.seconds), ratio(one.seconds, device.seconds),
                              ratio(all.seconds, device.seconds), with_outcome(r.device.gradients, aim),
                              in_seconds(r.device.gradients.seconds)});
    }
    return table;
}

Table parts_table(const AmgResult& result, bool with_paper) {
    Table table{{"level", "rows", "the paper's rows"}};
    for (const char* part : {"smoothing", "restriction", "interpolation"}) {
        append(table.head,
               {fmt::format("{}, us: device", part), "one core", "core / device", "the paper's core / GPU"});
    }
    const CycleCosts &device = result.device.costs, &core = result.peer.costs;
    for (std::size_t k = 0; k < device.levels.size(); ++k) {
        const LevelCosts &there = device.levels[k], &here = core.levels[k];
        const printed::LevelTimes& paper = printed::levels[nearest_level(there.rows)];
        Row row{std::to_string(k), std::to_string(there.rows), std::to_string(paper.rows)};
        append(row, part_cells(there.smoothing, here.smoothing, ratio(paper.smoothing())));
        append(row, part_cells(there.restriction, here.restriction, ratio(paper.restriction)));
        append(row, part_cells(there.interpolation, here.interpolation, ratio(paper.interpolation)));
        table.rows.push_back(std::move(row));
    }
    const LevelCosts there = device.sum(), here = core.sum();
    Row row{"sum", "", ""};
    append(row, part_cells(there.smoothing, here.smoothing, ""));
    append(row, part_cells(there.restriction, here.restriction, ""));
    append(row, part_cells(there.interpolation, here.interpolation, ""));
    table.rows.push_back(std::move(row));
    return with_paper ? table : without_paper(std::move(table));
}

Table levels_table(const AmgResult& result, bool with_paper) {
    Table table{{"level", "rows", "nonzeros", "stored", "device, us", "one core, us", "core / device",
                 "the paper's rows", "the paper's GPU, us", "the paper's core, us", "the paper's core / GPU", "passes",
                 "MB", "measured / predicted"}};
    const CycleCosts &device = result.device.costs, &core = result.peer.costs;
    const auto judged = [&](const Part& part) -> Row {
        return {fmt::format("{:.0f}", part.passes), fmt::format("{:.2f}", 1e-6 * part.bytes),
                ratio(part.seconds, part.predicted(device.copied_bytes_per_second))};
    };
    const auto add = [&](Row row, const Part& there, const Part& here, const Row& paper) {
        append(row, {microseconds(there.seconds), microseconds(here.seconds), ratio(here.seconds, there.seconds)});
        append(row, paper);
        append(row, judged(there));
        table.rows.push_back(std::move(row));
    };
    for (std::size_t k = 0; k < device.levels.size(); ++k) {
        const LevelCosts& level = device.levels[k];
        const printed::LevelTimes& paper = printed::levels[nearest_level(level.rows)];
        add({std::to_string(k), std::to_string(level.rows), std::to_string(level.nonzeros),
             level.stored.empty() ? "inverse" : level.stored},
            level.sum(), core.levels[k].sum(),
            {std::to_string(paper.rows), fmt::format("{:.0f}", 1e3 * paper.sum().device),
             fmt::format("{:.0f}", 1e3 * paper.sum().core), ratio(paper.sum())});
    }
    printed::Times all{};
    for (const printed::LevelTimes& level : printed::levels) {
        all.core += level.sum().core;
        all.device += level.sum().device;
    }
    const LevelCosts sum = device.sum();
    add({"sum", "", std::to_string(sum.nonzeros), ""}, sum.sum(), core.sum().sum(),
        {"", fmt::format("{:.0f}", 1e3 * all.device), fmt::format("{:.0f}", 1e3 * all.core), ratio(all)});
    add({"a cycle at one go", "", "", ""}, device.whole, core.whole,
        {"", fmt::format("{:.0f}", 1e6 * printed::cycle_seconds), "-", "-"});
    return with_paper ? table : without_paper(std::move(table));
}

int first_slower_level(const AmgResult& result) {
    const std::vector<LevelCosts>&device = result.device.costs.levels, &core = result.peer.costs.levels;
    std::size_t first = device.size();
    while (first > 0 && core[first - 1].sum().seconds < device[first - 1].sum().seconds) --first;
    return first == device.size() ? -1 : static_cast<int>(first);
}

Table rates_table(const AmgResult& result) {
    Table table{{"level", "rows", "relaxation: device", "one core", "product: device", "one core", "the paper's rows",
                 "its relaxation: GPU", "core", "its product: GPU", "core"}};
    const int steps = result.peer.candidate.amg.steps;
    const CycleCosts &device = result.device.costs, &core = result.peer.costs;
    for (std::size_t k = 0; k + 1 < device.levels.size(); ++k) {
        const LevelCosts &there = device.levels[k], &here = core.levels[k];
        const double product = 2.0 * static_cast<double>(there.nonzeros), sweeps = steps * product;
        // The paper's last level has no rates.
        const std::size_t at = std::min(nearest_level(there.rows), printed::rates.size() - 1);
        const printed::LevelRates& paper = printed::rates[at];
        table.rows.push_back({std::to_string(k), std::to_string(there.rows), digits(rate(sweeps, there.sweeps.seconds)),
                              digits(rate(sweeps, here.sweeps.seconds)), digits(rate(product, there.product.seconds)),
                              digits(rate(product, here.product.seconds)), std::to_string(printed::levels[at].rows),
                              digits(paper.device_relax), digits(paper.core_relax), digits(paper.device_product),
                              digits(paper.core_product)});
    }
    return table;
}

Table phases_table(const std::vector<AmgResult>& results) {
    Table table{{"phase", "the paper"}};
    std::vector<Row> rows{
        {"set-up: levels on the host", in_seconds(printed::setup_seconds)},
        {"set-up: the rest, formats and upload", in_seconds(printed::upload_seconds)},
        {"solve to 1e-6", in_seconds(printed::solve_seconds)},
        {"a cycle", in_seconds(printed::cycle_seconds)},
        {"... smoothing (relax), and the coarsest level", in_seconds(printed::relax_seconds)},
        {"... coarsening: residuals and restriction", in_seconds(printed::coarsening_seconds)},
        {"... interpolation", in_seconds(printed::interpolation_seconds)},
        {"x back to the host, after each cycle", in_seconds(printed::transfer_seconds)},
    };
    for (const AmgResult& r : results) {
        if (!r.peer.candidate.by_level) continue;
        table.head.push_back(r.name());
        const DeviceRuns& runs = r.device;
        const LevelCosts sum = runs.costs.sum();
        const double host = runs.hierarchy_seconds();
        const std::array seconds{host,
                                 runs.setup_seconds - host,
                                 runs.to_tolerance.seconds,
                                 runs.costs.whole.seconds,
                                 sum.smoothing.seconds,
                                 sum.restriction.seconds,
                                 sum.interpolation.seconds,
                                 runs.costs.transfer_seconds};
        for (std::size_t k = 0; k < rows.size(); ++k) rows[k].push_back(in_seconds(seconds[k]));
    }
    table.rows = std::move(rows);
    return table;
}

Figure levels_figure(const std::string& where, const AmgResult& published, const AmgResult& own) {
    return {.title = fmt::format("What each level of a cycle takes, {}", where),
            .x_label = "rows of the level",
            .y_label = "a cycle on this level, us",
            .log_x = true,
            .log_y = true,
            .curves = {printed_curve("the paper's GPU", &printed::Times::device),
                       printed_curve("the paper's core", &printed::Times::core),
                       curve(published.name() + ", " + where, published.device.costs),
                       curve(published.name() + ", one core", published.peer.costs),
                       curve(own.name() + ", " + where, own.device.costs)}};
}

Table appendix_table() {
    Table table{{"level", "rows"}};
    for (const char* part : {"smoothing", "restriction", "interpolation", "level"}) {
        append(table.head, {fmt::format("{}, us: GPU", part), "core", "core / GPU"});
    }
    for (std::size_t k = 0; k < printed::levels.size(); ++k) {
        const printed::LevelTimes& level = printed::levels[k];
        Row row{std::to_string(k), std::to_string(level.rows)};
        for (const printed::Times& times : {level.smoothing(), level.restriction, level.interpolation, level.sum()}) {
            if (times.device == 0) {
                append(row, {"-", "-", "-"});
            } else {
                append(row, {fmt::format("{:.0f}", 1e3 * times.device), fmt::format("{:.0f}", 1e3 * times.core),
                             ratio(times)});
            }
        }
        table.rows.push_back(std::move(row));
    }
    return table;
}

}  // namespace glsolve::bench::amg
