#include "amg_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <glsolve/error.hpp>
#include <nlohmann/json.hpp>
#include <utility>

#include "cli/gnuplot.hpp"

namespace glsolve::bench {
namespace {

/// Seconds in the unit that suits.
std::string time(double seconds) {
    if (seconds >= 1) return fmt::format("{:.2f} s", seconds);
    return fmt::format("{:.3g} ms", 1e3 * seconds);
}

void print_totals(const Setting& setting, const std::vector<HierarchyResult>& results) {
    fmt::print(
        "| hierarchy | levels | rows of the last | nonzeros of all over A's | {} cycles: device | one core | core / "
        "device | cycles to {:.0e}: device | one core | time: device | one core | core / device | "
        "with cg on the device: iterations | time |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
        setting.cycles, setting.tolerance);
    for (const HierarchyResult& r : results) {
        fmt::print("| {} | {} | {} | {:.2f} | {} | {} | {:.2f} | {} | {} | {} | {} | {:.2f} | {} | {} |\n", r.name,
                   r.hierarchy.levels.size(), r.hierarchy.levels.back().rows, r.hierarchy.operator_complexity(),
                   time(r.fixed.device.seconds), time(r.fixed.core.seconds), r.fixed.ratio(),
                   r.to_tolerance.device.cycles, r.to_tolerance.core.cycles, time(r.to_tolerance.device.seconds),
                   time(r.to_tolerance.core.seconds), r.to_tolerance.ratio(), r.gradients.cycles,
                   time(r.gradients.seconds));
    }
    for (const HierarchyResult& r : results) {
        const std::array<std::pair<const char*, const CycleRun*>, 3> runs{
            {{"on the device", &r.to_tolerance.device}, {"on one core", &r.to_tolerance.core}, {"cg", &r.gradients}}};
        for (const auto& [what, run] : runs) {
            if (run->residual <= setting.tolerance) continue;
            fmt::print("\n{}, {}: {} at {:.1e}\n", r.name, what, run->outcome, run->residual);
        }
        if (!reduce_alike(r)) fmt::print("\n{}: cycles on the device and on the core are not alike\n", r.name);
    }
    const HierarchyResult& first = results.front();
    fmt::print("\nOn the device, `{}` takes as many times as long as:\n\n", first.name);
    for (std::size_t i = 1; i < results.size(); ++i) {
        const HierarchyResult& other = results[i];
        fmt::print("- {}: {:.2f} for {} cycles, {:.2f} to {:.0e}, {:.2f} with cg\n", other.name,
                   first.fixed.device.seconds / other.fixed.device.seconds, setting.cycles,
                   first.to_tolerance.device.seconds / other.to_tolerance.device.seconds, setting.tolerance,
                   first.gradients.seconds / other.gradients.seconds);
    }
}

/// Device, core and their ratio; nothing where nothing is done.
std::string cells(const Part& part) {
    if (part.passes == 0) return "- | - | -";
    return fmt::format("{:.1f} | {:.1f} | {:.2f}", 1e6 * part.device, 1e6 * part.core, part.core / part.device);
}

std::string judged(const Part& part, double rate) {
    return fmt::format("{:.0f} | {:.2f} | {:.2f}", part.passes, 1e-6 * part.bytes, part.device / part.predicted(rate));
}

void print_levels(const HierarchyResult& r) {
    const double rate = r.costs.copied_bytes_per_second;
    fmt::print(
        "\n### {}\n\nPredicted: bytes at the {:.3g} GB/s of a copy, and {:g} us a pass.\n\n"
        "| level | rows | nonzeros | stored | smoothing, us: device | core | core / device | restriction, us: device | "
        "core | core / device | interpolation, us: device | core | core / device | level, us: device | core | core / "
        "device | passes | MB | measured / predicted |\n"
        "|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n",
        r.name, 1e-9 * rate, 1e6 * Part::pass_seconds);
    for (std::size_t k = 0; k < r.costs.levels.size(); ++k) {
        const LevelCosts& level = r.costs.levels[k];
        fmt::print("| {} | {} | {} | {} | {} | {} | {} | {} | {} |\n", k, level.rows, level.nonzeros,
                   level.stored.empty() ? "inverse" : level.stored, cells(level.smoothing), cells(level.restriction),
                   cells(level.interpolation), cells(level.sum()), judged(level.sum(), rate));
    }
    LevelCosts all;
    for (const LevelCosts& level : r.costs.levels) {
        all.nonzeros += level.nonzeros;
        all.smoothing += level.smoothing;
        all.restriction += level.restriction;
        all.interpolation += level.interpolation;
    }
    fmt::print("| sum | | {} | | {} | {} | {} | {} | {} |\n", all.nonzeros, cells(all.smoothing),
               cells(all.restriction), cells(all.interpolation), cells(all.sum()), judged(all.sum(), rate));
    fmt::print("| a cycle | | | | | | | | | | | | | {} | {} |\n", cells(r.costs.whole), judged(r.costs.whole, rate));
}

nlohmann::json to_json(const CycleRun& run) {
    return {{"seconds", run.seconds}, {"cycles", run.cycles}, {"residual", run.residual}, {"outcome", run.outcome}};
}

nlohmann::json to_json(const Part& part, double rate) {
    return {{"device_seconds", part.device},
            {"core_seconds", part.core},
            {"passes", part.passes},
            {"bytes", part.bytes},
            {"predicted_seconds", part.predicted(rate)}};
}

nlohmann::json to_json(const HierarchyResult& r) {
    const double rate = r.costs.copied_bytes_per_second;
    nlohmann::json levels = nlohmann::json::array();
    for (const LevelCosts& level : r.costs.levels) {
        levels.push_back({{"rows", level.rows},
                          {"nonzeros", level.nonzeros},
                          {"stored", level.stored},
                          {"smoothing", to_json(level.smoothing, rate)},
                          {"restriction", to_json(level.restriction, rate)},
                          {"interpolation", to_json(level.interpolation, rate)}});
    }
    return {{"name", r.name},
            {"coarsening", name(r.amg.coarsening)},
            {"smoother", name(r.amg.smoother)},
            {"steps", r.amg.steps},
            {"coarsest", r.hierarchy.coarsest},
            {"operator_complexity", r.hierarchy.operator_complexity()},
            {"fixed", {{"device", to_json(r.fixed.device)}, {"core", to_json(r.fixed.core)}}},
            {"to_tolerance", {{"device", to_json(r.to_tolerance.device)}, {"core", to_json(r.to_tolerance.core)}}},
            {"cg_on_device", to_json(r.gradients)},
            {"cycle", to_json(r.costs.whole, rate)},
            {"copied_bytes_per_second", rate},
            {"levels", levels}};
}

/// Rows and microseconds of each level; a level that takes no time has no place on a logarithmic axis.
std::string curve(const std::string& name, const CycleCosts& costs, double Part::*seconds) {
    std::string data = fmt::format("${} << EOD\n", name);
    for (const LevelCosts& level : costs.levels) {
        data += fmt::format("{} {:.6g}\n", level.rows, 1e6 * (level.sum().*seconds));
    }
    return data + "EOD\n";
}

}  // namespace

bool reduce_alike(const HierarchyResult& result) {
    return std::abs(result.to_tolerance.device.cycles - result.to_tolerance.core.cycles) <= 1;
}

void print(const Setting& setting, const std::vector<HierarchyResult>& results) {
    fmt::print(
        "poisson2d {}: {} rows; b = 1, x from 0, the cycle as the solver (richardson), medians of {}\n{}, {}, {} "
        "stage\n\n",
        setting.size, results.front().hierarchy.levels.front().rows, setting.rounds, setting.device.renderer,
        setting.device.version, name(setting.device.stage));
    print_totals(setting, results);
    for (const HierarchyResult& r : results) print_levels(r);
}

void write_json(const std::filesystem::path& file, const Setting& setting,
                const std::vector<HierarchyResult>& results) {
    nlohmann::json all = nlohmann::json::array();
    for (const HierarchyResult& r : results) all.push_back(to_json(r));
    std::ofstream stream(file);
    stream << nlohmann::json{{"renderer", setting.device.renderer},
                             {"stage", name(setting.device.stage)},
                             {"size", setting.size},
                             {"cycles", setting.cycles},
                             {"tolerance", setting.tolerance},
                             {"rounds", setting.rounds},
                             {"pass_seconds", Part::pass_seconds},
                             {"hierarchies", all}}
                  .dump(2)
           << '\n';
    if (!stream) throw Error(fmt::format("{}: cannot be written", file.string()));
}

void plot(const std::filesystem::path& file, const Setting& setting, const std::vector<HierarchyResult>& results) {
    const HierarchyResult &first = results.front(), &last = results.back();
    const Index most = first.costs.levels.front().rows;
    const Index least = std::min(first.costs.levels.back().rows, last.costs.levels.back().rows);
    const auto title = [](const HierarchyResult& r, const char* where) {
        return cli::gnuplot_string(fmt::format("{}, {}", r.name, where));
    };
    cli::draw(file, 860, 560,
              curve("device", first.costs, &Part::device) + curve("core", first.costs, &Part::core)
                  + curve("last", last.costs, &Part::device)
                  + fmt::format("set title {} noenhanced\n"
                                "set xlabel 'rows of the level, from fine to coarse'\n"
                                "set ylabel 'a cycle on this level, microseconds'\n"
                                "set logscale xy\nset xrange [{}:{}]\nset format x '10^{{%T}}'\n"
                                "set format y '10^{{%T}}'\nset key left bottom\nset grid\n"
                                "plot $core using 1:2 with linespoints lw 2 pt 5 title {},"
                                " $device using 1:2 with linespoints lw 2 pt 7 title {},"
                                " $last using 1:2 with linespoints lw 2 pt 9 title {}\n",
                                cli::gnuplot_string(fmt::format("poisson2d {}, {}, {} stage", setting.size,
                                                                setting.device.renderer, name(setting.device.stage))),
                                2 * most, 0.5 * least, title(first, "one CPU core"), title(first, "device"),
                                title(last, "device")));
}

}  // namespace glsolve::bench
