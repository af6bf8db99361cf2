// The papers' numbers beside ours: a row for each, a column for each device of each run.
#include <fmt/format.h>

#include <algorithm>

#include "writers.hpp"

namespace glsolve::bench {
namespace {

struct Row {
    const Claim* claim;
    std::vector<std::string> cells;  ///< of each column, as far as there are any
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

std::string& cell_of(std::vector<Row>& rows, const Claim& claim, std::size_t column) {
    auto row = std::ranges::find_if(rows, [&](const Row& each) {
        return same_row(*each.claim, claim) && (each.cells.size() <= column || each.cells[column].empty());
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
                if (claim.timed != timed) continue;
                std::string& cell = cell_of(rows, claim, place_in(columns, letter(r) + ", " + claim.where));
                cell = digits(claim.found) + (claim.reached() ? "" : " below");
                if (const std::string words = words_of(claim, runs[r]); !words.empty())
                    cell += fmt::format(" [{}]", place_in(made.notes, words) + 1);
            }
        }
    }
    made.table.head = {"", timed ? "the paper, or (aim)" : "at least"};
    made.table.head.insert(made.table.head.end(), columns.begin(), columns.end());
    for (Row& row : rows) {
        const std::string asked = digits(row.claim->printed);
        row.cells.resize(columns.size());
        std::ranges::replace(row.cells, "", "-");
        row.cells.insert(row.cells.begin(), {row.claim->what, row.claim->target ? "(" + asked + ")" : asked});
        made.table.rows.push_back(std::move(row.cells));
    }
    return made;
}

}  // namespace glsolve::bench
