/// Reports for people.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "report.hpp"

namespace glsolve::bench {

/// Does the cell begin like a number? Then it is aligned to the right.
bool is_number(const std::string& text);

std::string to_markdown(const Table& table);
/// A section of one run. Figures that have not been drawn are told by their titles.
std::string to_markdown(const Section& section);
std::string to_html(const Table& table);
std::string to_html(const Section& section);
/// &, < and > as HTML has them; `code` in backticks.
std::string html_text(std::string_view text);

/// A, B, ...: how the report calls its runs.
std::string letter(std::size_t run);

struct ClaimsTable {
    Table table;                     ///< a row for each number of the paper's, a column for each device of each run
    std::vector<std::string> notes;  ///< "[1]" in a cell: the first one
};
/// Those that were timed, or those that were counted or computed. No rows: there are none of that paper.
ClaimsTable claims_table(const std::vector<Run>& runs, std::string_view paper, bool timed);

/// Writes report.html, report.md and pictures/*.svg into the folder: runs one after the other, paper by paper. Without
/// gnuplot there are no pictures, and the report says so. Throws Error where a file cannot be written.
void write_report(const std::filesystem::path& folder, std::vector<Run> runs);

/// Draws a figure. Throws Error where gnuplot fails.
void draw(const std::filesystem::path& file, const Figure& figure);

}  // namespace glsolve::bench
