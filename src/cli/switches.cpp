#include "cli/switches.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "options/option_table.hpp"

namespace glsolve::cli {
namespace {

/// What the library says, and what is said here.
struct Saying {
    std::string library, program;
};

/// Switches with their values, and members that no switch of their own sets.
const Saying others[] = {
    {"apply sweeps and apply isai", "--apply sweeps and --apply isai"},
    {"amg: near_null_space", "--amg-coordinates"},
    {"near_null_space", "--amg-coordinates"},
    {"chebyshev: bounds", "--smallest and --largest"},
    {"relaxation is", "--relaxation is"},
    {"reorder none", "--reorder none"},
    {"sort_window and reorder", "--sort-window and --reorder"},
    {"fixed_iterations and seconds", "--fixed-iterations and --seconds"},
    {"slice height", "--slice-height"},
    {"preconditioner none", "--preconditioner none"},
    {"precision single", "--precision single"},
    {"precision two-float", "--precision two-float"},
    {"format auto", "--format auto"},
};

/// The longest come first, since some begin with others.
std::vector<Saying> sayings() {
    std::vector<Saying> all(std::begin(others), std::end(others));
    each_option([&](const OptionRow& row) {
        if (!row.in_program) return;
        const std::string member(row.at.member), typed = switch_of(row);
        all.push_back({std::string(row.at.group->name) + ": " + member, typed});
        std::string joined(row.name);
        std::replace(joined.begin(), joined.end(), '-', '_');
        // One word may mean anything; with an underscore it is a member.
        if (member.find('_') != std::string::npos) all.push_back({member, typed});
        if (joined != member && joined.find('_') != std::string::npos) all.push_back({joined, typed});
    });
    std::stable_sort(all.begin(), all.end(),
                     [](const Saying& a, const Saying& b) { return a.library.size() > b.library.size(); });
    return all;
}

bool is_part_of_word(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' || c == '/' || c == '.';
}

}  // namespace

std::string switch_of(const OptionRow& row) {
    return "--" + std::string(row.unset_by.empty() ? row.name : row.unset_by);
}

std::string in_switches(std::string_view complaint) {
    static const std::vector<Saying> all = sayings();
    std::string said;
    const auto member_at = [&](std::size_t at) -> const Saying* {
        if (at > 0 && is_part_of_word(complaint[at - 1])) return nullptr;
        for (const Saying& each : all) {
            const std::size_t end = at + each.library.size();
            const bool whole = end >= complaint.size() || complaint[end] == '.' || !is_part_of_word(complaint[end]);
            if (complaint.substr(at).starts_with(each.library) && whole) return &each;
        }
        return nullptr;
    };
    for (std::size_t at = 0; at < complaint.size();) {
        if (const auto* member = member_at(at)) {
            said += member->program;
            at += member->library.size();
        } else {
            said += complaint[at++];
        }
    }
    return said;
}

}  // namespace glsolve::cli
