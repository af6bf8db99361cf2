#include "cli/choices.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <glsolve/csr.hpp>
#include <limits>
#include <string_view>

#include "base/read_number.hpp"
#include "base/suggestions.hpp"
#include "cli/switches.hpp"

namespace glsolve::cli {

std::string joined(const Words& words, std::string_view separator) {
    return fmt::format("{}", fmt::join(words, separator));
}

namespace {

CLI::Validator among(const Words& names) {
    return {[names](const std::string& word) { return not_among(word, names); }, ""};
}

/// What a word has to be to become a number from `least` to `most`. (CLI11 itself makes the largest number there is of
/// one that is larger, and prints bounds of 300 digits.)
template <class Number>
CLI::Validator number_from(Number least, Number most) {
    return {[least, most](const std::string& word) { return no_number_from(word, least, most); }, ""};
}

CLI::Validator any_number() {
    const auto complaint = [](const std::string& word) {
        double value = 0;
        return read_number(word, value) == std::errc() ? std::string() : fmt::format("'{}' is no number", word);
    };
    return {complaint, ""};
}

template <class Number>
CLI::Option* add_checked(CLI::App& app, const std::string& option, Number& value, const std::string& description,
                         const CLI::Validator& check) {
    const auto take = [&value](const std::string& word) { read_number(word, value); };
    CLI::Option* added =
        add_word(app, option, take, description)->check(check)->type_name(std::is_integral_v<Number> ? "INT" : "FLOAT");
    return option.starts_with('-') ? added->default_str(fmt::format("{}", value)) : added;
}

}  // namespace

CLI::Option* add_word(CLI::App& app, const std::string& option, const std::function<void(const std::string&)>& take,
                      const std::string& description) {
    const auto take_first = [take](const Words& words) {
        take(words.front());
        return true;
    };
    return app.add_option(option, take_first, description);
}

CLI::Option* add_name(CLI::App& app, const std::string& option, const Words& names, const std::string& by_default,
                      const std::function<void(std::size_t)>& choose, const std::string& description) {
    const auto take = [names, choose](const std::string& word) { choose(place_among(word, names)); };
    return add_word(app, option, take, description)
        ->check(among(names))
        ->type_name(joined(names, "|"))
        ->default_str(by_default);
}

CLI::Option* add_names(CLI::App& app, const std::string& option, const Words& names, const Words& by_default,
                       const std::function<void(const std::vector<std::size_t>&)>& choose,
                       const std::string& description) {
    const auto take = [names, choose](const Words& words) {
        std::vector<std::size_t> places;
        for (const std::string& word : words) {
            const std::size_t place = place_among(word, names);
            if (std::find(places.begin(), places.end(), place) == places.end()) places.push_back(place);
        }
        choose(places);
        return true;
    };
    return app.add_option(option, take, description)
        ->expected(1, CLI::detail::expected_max_vector_size)
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(among(names))
        ->type_name(fmt::format("{},..", joined(names, "|")))
        ->default_str(joined(by_default, ","));
}

template <class Number>
CLI::Option* add_number(CLI::App& app, const std::string& option, Number& value, const std::string& description,
                        std::type_identity_t<Number> least, std::type_identity_t<Number> most) {
    return add_checked(app, option, value, description, number_from<Number>(least, most));
}

template CLI::Option* add_number(CLI::App&, const std::string&, int&, const std::string&, int, int);
template CLI::Option* add_number(CLI::App&, const std::string&, Offset&, const std::string&, Offset, Offset);
template CLI::Option* add_number(CLI::App&, const std::string&, double&, const std::string&, double, double);

CLI::Option* add_any_number(CLI::App& app, const std::string& option, double& value, const std::string& description) {
    return add_checked(app, option, value, description, any_number());
}

namespace {

/// Of a number; where its value is not one yet, of what stands for it.
CLI::Option* add_number_of(CLI::App& app, const std::string& switches, const OptionRow& row, Options& options,
                           const char* type, const std::string& description) {
    const auto take = [&row, &options](const std::string& word) { read_option(row, options, word); };
    const CLI::Validator check([&row](const std::string& word) { return misread(row, word); }, "");
    return add_word(app, switches, take, description)
        ->check(check)
        ->type_name(type)
        ->default_str(text_of(row, options));
}

/// As CLI11 wants them: "--tolerance,--tol,--rtol", or "!--amg-no-half" for a flag that it makes false.
std::string switches_of(const OptionRow& row) {
    std::string switches = (row.unset_by.empty() ? "" : "!") + switch_of(row);
    for (std::string_view others = row.other_names; !others.empty();) {
        const std::size_t end = std::min(others.find(','), others.size());
        switches.append(",--").append(others.substr(0, end));
        others.remove_prefix(std::min(end + 1, others.size()));
    }
    return switches;
}

/// What it is, and for which methods or preconditioners.
std::string description_of(const OptionRow& row) {
    const Words kinds = takers(row);
    return std::string(row.words) + (kinds.empty() ? "" : fmt::format(" (for {})", joined(kinds, ", ")));
}

}  // namespace

CLI::Option* add_row(CLI::App& app, const OptionRow& row, Options& options) {
    const std::string switches = switches_of(row);
    const std::string description = description_of(row);
    const OptionPointer value = pointer_to(row, options);
    if (const auto* flag = std::get_if<bool*>(&value)) return app.add_flag(switches, **flag, description);
    if (const auto* choice = std::get_if<ChoicePointer>(&value)) {
        const Words names = choice->enumeration->names();
        const auto choose = [&row, &options, names](std::size_t place) { read_option(row, options, names[place]); };
        return add_name(app, switches, names, text_of(row, options), choose, description);
    }
    const bool real = std::holds_alternative<double*>(value);
    return add_number_of(app, switches, row, options, real ? "FLOAT" : "INT", description);
}

}  // namespace glsolve::cli
