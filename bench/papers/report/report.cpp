#include "report.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <glsolve/error.hpp>
#include <nlohmann/json.hpp>
#include <stdexcept>

namespace glsolve::bench {

using nlohmann::json;

NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Heading, title)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Text, words, finding)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Table, head, rows)
NLOHMANN_JSON_SERIALIZE_ENUM(FigureKind,
                             {{FigureKind::lines, "lines"}, {FigureKind::bars, "bars"}, {FigureKind::spans, "spans"}})
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Curve, name, points, beside)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE(Figure, title, kind, x_label, y_label, log_x, log_y, categories, curves)
NLOHMANN_DEFINE_TYPE_NON_INTRUSIVE_WITH_DEFAULT(Claim, what, where, printed, found, timed, remark, target)

namespace {

/// The names of the blocks in JSON, in the order of Block's types.
constexpr std::array block_names{"heading", "text", "table", "figure"};

/// JSON has no number for a point that could not be measured.
Block without_unknown(Block block) {
    auto* figure = std::get_if<Figure>(&block);
    if (figure == nullptr) return block;
    for (Curve& curve : figure->curves) {
        if (figure->kind == FigureKind::bars) {  // the others stay over their categories
            for (auto& [x, y] : curve.points) y = std::isfinite(y) ? y : 0;
        } else {
            std::erase_if(curve.points, [](const auto& p) { return !std::isfinite(p.first + p.second); });
        }
    }
    return block;
}

json block_to_json(const Block& block) {
    return std::visit([&](const auto& b) { return json{{block_names[block.index()], b}}; }, block);
}

Block block_of(const json& j) {
    if (j.contains("heading")) return j["heading"].get<Heading>();
    if (j.contains("text")) return j["text"].get<Text>();
    if (j.contains("table")) return j["table"].get<Table>();
    return j.at("figure").get<Figure>();
}

json section_to_json(const Section& section) {
    json blocks = json::array();
    for (const Block& block : section.blocks) blocks.push_back(block_to_json(without_unknown(block)));
    std::vector<Claim> claims;
    std::ranges::copy_if(section.claims, std::back_inserter(claims),
                         [](const Claim& claim) { return std::isfinite(claim.found); });
    return {{"paper", section.paper}, {"blocks", blocks}, {"claims", claims}};
}

Section section_of(const json& j) {
    Section section{.paper = j.at("paper"), .claims = j.at("claims").get<std::vector<Claim>>()};
    for (const json& block : j.at("blocks")) section.blocks.push_back(block_of(block));
    return section;
}

}  // namespace

std::string to_json(const Run& run) {
    json sections = json::array();
    for (const Section& section : run.sections) sections.push_back(section_to_json(section));
    return json{{"date", run.date},   {"command", run.command}, {"machine", run.machine}, {"devices", run.devices},
                {"quick", run.quick}, {"seconds", run.seconds}, {"sections", sections}}
        .dump(1);
}

Run read_run(const std::string& file) {
    std::ifstream stream(file);
    if (!stream) throw Error(fmt::format("{}: cannot be read", file));
    try {
        const json j = json::parse(stream);
        Run run{.date = j.at("date"),
                .command = j.at("command"),
                .machine = j.at("machine"),
                .devices = j.at("devices"),
                .quick = j.at("quick"),
                .seconds = j.at("seconds")};
        for (const json& section : j.at("sections")) run.sections.push_back(section_of(section));
        return run;
    } catch (const json::exception& failed) {
        throw Error(fmt::format("{}: not what bench_papers writes as results.json: {}", file, failed.what()));
    }
}

Run continued(Run earlier, const Run& now) {
    if (earlier.machine != now.machine || earlier.quick != now.quick) {
        throw Error(fmt::format("--add: results.json is of {}{}, this run of {}{}", earlier.machine,
                                earlier.quick ? ", quick" : "", now.machine, now.quick ? ", quick" : ""));
    }
    if (earlier.date != now.date) earlier.date += ", " + now.date;
    earlier.command += "; " + now.command;
    for (const std::string& line : now.devices) {
        if (std::ranges::find(earlier.devices, line) == earlier.devices.end()) earlier.devices.push_back(line);
    }
    return earlier;
}

std::string digits(double number) {
    if (!std::isfinite(number)) return "-";
    const double size = std::abs(number);
    if (size >= 100 && size < 1e7) return fmt::format("{:.0f}", number);
    return fmt::format("{:.3g}", number);
}

std::string in_seconds(double seconds) {
    if (!std::isfinite(seconds) || seconds <= 0) return "-";
    if (seconds >= 1) return digits(seconds) + " s";
    if (seconds >= 1e-3) return digits(1e3 * seconds) + " ms";
    return digits(1e6 * seconds) + " us";
}

}  // namespace glsolve::bench
