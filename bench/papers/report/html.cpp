// HTML, as report.html has it.
#include <fmt/format.h>

#include <algorithm>

#include "writers.hpp"

namespace glsolve::bench {

std::string html_text(std::string_view text) {
    std::string made;
    bool code = false;
    for (const char c : text) {
        if (c == '&') {
            made += "&amp;";
        } else if (c == '<') {
            made += "&lt;";
        } else if (c == '>') {
            made += "&gt;";
        } else if (c == '`') {
            made += code ? "</code>" : "<code>";
            code = !code;
        } else {
            made += c;
        }
    }
    return made;
}

std::string to_html(const Table& table) {
    std::string text = "<table>\n<tr>";
    for (const std::string& each : table.head) text += fmt::format("<th>{}</th>", html_text(each));
    text += "</tr>\n";
    for (const auto& row : table.rows) {
        text += "<tr>";
        for (const std::string& each : row) {
            text += fmt::format("<td{}>{}</td>", is_number(each) ? "" : " class=\"words\"", html_text(each));
        }
        text += "</tr>\n";
    }
    return text + "</table>\n";
}

std::string to_html(const Section& section) {
    std::string text;
    for (const Block& block : section.blocks) {
        if (const auto* heading = std::get_if<Heading>(&block))
            text += fmt::format("<h4>{}</h4>\n", html_text(heading->title));
        if (const auto* words = std::get_if<Text>(&block)) text += fmt::format("<p>{}</p>\n", html_text(words->words));
        if (const auto* table = std::get_if<Table>(&block)) text += to_html(*table);
        if (const auto* figure = std::get_if<Figure>(&block)) {
            if (figure->file.empty()) continue;
            text += fmt::format("<p><img src=\"{}\" alt=\"{}\"></p>\n", figure->file, html_text(figure->title));
        }
    }
    return text;
}

}  // namespace glsolve::bench
