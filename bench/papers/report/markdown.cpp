// Markdown, as it is printed while a run goes on and as report.md has it.
#include <fmt/format.h>

#include <algorithm>

#include "writers.hpp"

namespace glsolve::bench {
namespace {

/// Bars end cells.
std::string cell(std::string text) {
    for (std::size_t at = 0; (at = text.find('|', at)) != std::string::npos; at += 2) text.insert(at, 1, '\\');
    return text;
}

std::string line(const std::vector<std::string>& cells) {
    std::string text = "|";
    for (const std::string& each : cells) text += fmt::format(" {} |", cell(each));
    return text + "\n";
}

}  // namespace

bool is_number(const std::string& text) {
    return !text.empty() && text.find_first_of("0123456789") != std::string::npos
           && (std::string_view("-+.0123456789").find(text.front()) != std::string_view::npos);
}

std::string to_markdown(const Table& table) {
    std::string text = line(table.head) + "|";
    for (std::size_t k = 0; k < table.head.size(); ++k) {
        const bool numbers = std::ranges::all_of(table.rows, [&](const std::vector<std::string>& row) {
            return k >= row.size() || row[k].empty() || row[k] == "-" || is_number(row[k]);
        });
        text += numbers ? "---:|" : "---|";
    }
    text += "\n";
    for (const auto& row : table.rows) text += line(row);
    return text;
}

std::string to_markdown(const Section& section) {
    std::string text;
    for (const Block& block : section.blocks) {
        if (const auto* heading = std::get_if<Heading>(&block)) text += fmt::format("#### {}\n\n", heading->title);
        if (const auto* words = std::get_if<Text>(&block)) text += words->words + "\n\n";
        if (const auto* table = std::get_if<Table>(&block)) text += to_markdown(*table) + "\n";
        if (const auto* figure = std::get_if<Figure>(&block)) {
            if (figure->curves.empty()) continue;
            text += figure->file.empty() ? fmt::format("(Figure: {}.)\n\n", figure->title)
                                         : fmt::format("![{}]({})\n\n", figure->title, figure->file);
        }
    }
    return text;
}

}  // namespace glsolve::bench
