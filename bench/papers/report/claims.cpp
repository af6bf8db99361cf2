// The papers' numbers beside ours: a row for each, a column for each device of each run.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "writers.hpp"

namespace glsolve::bench {
namespace {

struct Cell {
    std::string number, words;
};
struct Row {
    const Claim* claim;
    std::vector<Cell> cells;  ///< of each column, as far as there are any
};

bool same_row(const Claim& a, const Claim& b) {
    return a.what == b.what && a.printed == b.printed && a.target == b.target;
}

/// The place of `text` in `list`, where it is put unless it is there.
std::size_t place_in(std::vector<std::string>& list, const std::string& text) {
    const auto at = std::ranges::find(list, text);
    const auto place = static_cast<std::size_t>(at - list.begin());
    if (at == list.end()) list.push_back(text);
    return place;
}

/// Why a headline is not reached; what a check is about.
std::string words_of(const Claim& claim, const Run& run) {
    if (claim.timed && claim.reached()) return "";
    return claim.remark.empty() && run.quick && claim.timed ? "a smaller size than the paper's" : claim.remark;
}

std::string number_of(const Claim& claim) {
    if (claim.reached()) return digits(claim.found);
    const std::string found = digits(claim.found);
    return (found == digits(claim.printed) ? fmt::format("{:.6g}", claim.found) : found) + " below";
}

Cell& cell_of(std::vector<Row>& rows, const Claim& claim, std::size_t column) {
    auto row = std::ranges::find_if(rows, [&](const Row& each) {
        return same_row(*each.claim, claim) && (each.cells.size() <= column || each.cells[column].number.empty());
    });
    if (row == rows.end()) row = rows.insert(rows.end(), Row{&claim, {}});
    row->cells.resize(std::max(row->cells.size(), column + 1));
    return row->cells[column];
}

}  // namespace

std::string letter(std::size_t run) { return std::string(1, static_cast<char>('A' + run)); }

ClaimsTable claims_table(const std::vector<Run>& runs, std::string_view paper, bool timed) {
    ClaimsTable made;
    std::vector<std::string> columns;
    std::vector<Row> rows;
    for (std::size_t r = 0; r < runs.size(); ++r) {
        for (const Section& section : runs[r].sections) {
            if (section.paper != paper) continue;
            for (const Claim& claim : section.claims) {
                if (claim.timed != timed || !std::isfinite(claim.found)) continue;
                cell_of(rows, claim, place_in(columns, letter(r) + ", " + claim.where)) = {number_of(claim),
                                                                                           words_of(claim, runs[r])};
            }
        }
    }
    made.table.head = {"", timed ? "the paper, or (aim)" : "at least"};
    made.table.head.insert(made.table.head.end(), columns.begin(), columns.end());
    for (Row& row : rows) {
        const std::string asked = digits(row.claim->printed);
        std::vector<std::string> line{row.claim->what, row.claim->target ? fmt::format("({})", asked) : asked};
        row.cells.resize(columns.size());
        for (const auto& [number, words] : row.cells) {
            line.push_back(number.empty() ? "-" : number);
            if (!words.empty()) line.back() += fmt::format(" [{}]", place_in(made.notes, words) + 1);
        }
        made.table.rows.push_back(std::move(line));
    }
    return made;
}

}  // namespace glsolve::bench
