#include "formats/format_table.hpp"

#include <algorithm>

namespace glsolve::inline v0_1 {

const FormatRow& format_row(FormatKind kind) { return **std::ranges::find(format_table, kind, &FormatRow::kind); }

std::string_view name(FormatKind format) {
    if (format == FormatKind::automatic) return "auto";
    if (format == FormatKind::measure) return "measure";
    return format_row(format).name;
}

std::vector<FormatKind> all_formats() {
    std::vector<FormatKind> all{FormatKind::automatic, FormatKind::measure};
    for (const FormatRow* row : format_table) all.push_back(row->kind);
    return all;
}

}  // namespace glsolve::inline v0_1
