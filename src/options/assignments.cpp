#include "options/assignments.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <glsolve/error.hpp>
#include <glsolve/names.hpp>

#include "base/suggestions.hpp"
#include "options/option_table.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr std::string_view white_space = " \t\r\n";

/// Takes a value, quoted or not, off the front.
std::string_view take_value(std::string_view& rest, std::string_view name) {
    const bool quoted = rest.starts_with('"');
    if (quoted) rest.remove_prefix(1);
    std::size_t end = quoted ? rest.find('"') : rest.find_first_of(white_space);
    if (quoted && end == rest.npos) throw InvalidInput(fmt::format("option '{}': the closing quote is missing", name));
    end = std::min(end, rest.size());
    const std::string_view value = rest.substr(0, end);
    rest.remove_prefix(std::min(end + (quoted ? 1 : 0), rest.size()));
    return value;
}

}  // namespace

void each_assignment(std::string_view text,
                     const std::function<void(std::string_view name, std::string_view value)>& set) {
    std::string_view rest = text;
    for (;;) {
        rest.remove_prefix(std::min(rest.find_first_not_of(white_space), rest.size()));
        if (rest.empty()) return;
        const std::size_t end = std::min(rest.find_first_of(white_space), rest.size()), equals = rest.find('=');
        if (equals == 0 || equals >= end) {
            throw InvalidInput(
                fmt::format("options: '{}' is no name=value, \"tolerance=1e-10\" say", rest.substr(0, end)));
        }
        const std::string_view name = rest.substr(0, equals);
        rest.remove_prefix(equals + 1);
        set(name, take_value(rest, name));
    }
}

void set_options(Options& options, std::string_view text) {
    Options changed = options;  // all of them, or none
    each_assignment(text, [&](std::string_view name, std::string_view value) { set_option(changed, name, value); });
    options = std::move(changed);
}

std::vector<OptionInfo> all_options() {
    const Options usual;
    std::vector<OptionInfo> all;
    for (const OptionSection& section : option_sections()) {
        for (const OptionRow& row : section.rows) {
            OptionInfo info{.name = std::string(row.name),
                            .heading = std::string(section.heading),
                            .words = std::string(row.words),
                            .usual = text_of(row, usual),
                            .takers = takers(row)};
            Options some;
            const OptionPointer value = pointer_to(row, some);
            if (const auto* choice = std::get_if<ChoicePointer>(&value)) info.values = choice->enumeration->names();
            all.push_back(std::move(info));
        }
    }
    return all;
}

std::optional<bool> truth(std::string_view word) {
    const std::string said = lower_case(word);
    for (const char* yes : {"true", "yes", "on", "1"}) {
        if (said == yes) return true;
    }
    for (const char* no : {"false", "no", "off", "0"}) {
        if (said == no) return false;
    }
    return std::nullopt;
}

bool is_same_name(std::string_view a, std::string_view b) { return lower_case(a) == lower_case(b); }

}  // namespace glsolve::inline v0_1
