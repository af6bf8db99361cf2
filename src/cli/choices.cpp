#include "cli/choices.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <glsolve/csr.hpp>
#include <string_view>
#include <system_error>

#include "cli/suggestions.hpp"

namespace glsolve::cli {
namespace {

std::string joined(const Words& words, std::string_view separator) {
    return fmt::format("{}", fmt::join(words, separator));
}

/// Where a word is among `names`; their number if it is not.
std::size_t place_of(std::string_view word, const Words& names) {
    const auto same = [small = lower_case(word)](const std::string& name) { return lower_case(name) == small; };
    return static_cast<std::size_t>(std::find_if(names.begin(), names.end(), same) - names.begin());
}

CLI::Validator among(const Words& names) {
    const auto complaint = [names](const std::string& word) {
        if (place_of(word, names) < names.size()) return std::string();
        const std::string guess = did_you_mean(word, names);
        return fmt::format("'{}' is not among them{} Accepted: {}", word, guess.empty() ? "." : guess,
                           joined(names, ", "));
    };
    return {complaint, ""};
}

/// The value of a word that is a number, and nothing else; or why it is none.
template <class Number>
std::errc read(const std::string& word, Number& value) {
    const bool plus = word.starts_with('+') && !word.starts_with("+-");
    const char *begin = word.data() + (plus ? 1 : 0), *end = word.data() + word.size();
    const auto [last, error] = std::from_chars(begin, end, value);
    return error == std::errc() && last != end ? std::errc::invalid_argument : error;
}

/// What a word has to be to become a number from `least` to `most`. (CLI11 itself makes the largest number there is of
/// one that is larger, and prints bounds of 300 digits.)
template <class Number>
CLI::Validator number_from(Number least, Number most) {
    const auto complaint = [least, most](const std::string& word) -> std::string {
        Number value{};
        const std::errc error = read(word, value);
        if (error == std::errc() && value >= least && value <= most) return "";
        const bool bounded =
            most < std::numeric_limits<Number>::max() || error == std::errc::result_out_of_range || value > most;
        return fmt::format("'{}' is no {}number from {} {}", word, std::is_integral_v<Number> ? "whole " : "", least,
                           bounded ? fmt::format("to {}", most) : "on");
    };
    return {complaint, ""};
}

CLI::Validator any_number() {
    const auto complaint = [](const std::string& word) {
        double value = 0;
        return read(word, value) == std::errc() ? std::string() : fmt::format("'{}' is no number", word);
    };
    return {complaint, ""};
}

CLI::Validator weight() {
    const auto complaint = [](const std::string& word) {
        double value = 0;
        const bool positive = read(word, value) == std::errc() && value > 0 && std::isfinite(value);
        return positive ? std::string()
                        : fmt::format("'{}' is no number above 0; without this option the weight is chosen", word);
    };
    return {complaint, ""};
}

template <class Number>
CLI::Option* add_checked(CLI::App& app, const std::string& option, Number& value, const std::string& description,
                         const CLI::Validator& check) {
    const auto take = [&value](const std::string& word) { read(word, value); };
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
    const auto take = [names, choose](const std::string& word) { choose(place_of(word, names)); };
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
            const std::size_t place = place_of(word, names);
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

CLI::Option* add_weight(CLI::App& app, const std::string& option, double& value, const std::string& description) {
    return add_checked(app, option, value, description, weight())->default_str("chosen");
}

}  // namespace glsolve::cli
