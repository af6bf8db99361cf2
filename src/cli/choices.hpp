/// Options that take names of an enumeration, and what numbers have to be.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <charconv>
#include <limits>
#include <map>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "cli/suggestions.hpp"

namespace glsolve::cli {

/// The names of choices, joined.
template <class Choices>
std::string list_of(const Choices& choices, std::string_view separator) {
    std::string list;
    for (const auto& choice : choices) {
        if (!list.empty()) list += separator;
        list += name(choice);
    }
    return list;
}

/// The choices by their names, whatever the case of the letters.
template <class Choice>
class Names {
  public:
    template <class Choices>
    explicit Names(const Choices& choices) : list_(list_of(choices, ", ")) {
        for (const auto& choice : choices) {
            choices_.emplace(lower_case(name(choice)), choice);
            names_.emplace_back(name(choice));
        }
    }

    Choice of(std::string_view word) const { return choices_.at(lower_case(word)); }

    CLI::Validator validator() const {
        const auto complaint = [names = *this](const std::string& word) {
            if (names.choices_.contains(lower_case(word))) return std::string();
            return fmt::format("'{}' is not among them{} Accepted: {}", word, names.guess(word), names.list_);
        };
        return {complaint, ""};
    }

  private:
    std::string guess(std::string_view word) const {
        const std::string guess = did_you_mean(word, names_);
        return guess.empty() ? "." : guess;
    }

    std::map<std::string, Choice> choices_;
    std::vector<std::string> names_;
    std::string list_;
};

/// An option that takes one of the names of an enumeration.
template <class Choices>
CLI::Option* add_choice(CLI::App& app, const std::string& option, typename Choices::value_type& value,
                        const Choices& choices, const std::string& description) {
    const Names<typename Choices::value_type> names(choices);
    return app
        .add_option_function<std::string>(
            option, [&value, names](const std::string& text) { value = names.of(text); }, description)
        ->check(names.validator())
        ->type_name(list_of(choices, "|"))
        ->default_str(std::string(name(value)));
}

/// An option that takes several of them, with commas in between; naming one twice is naming it once.
template <class Choices>
CLI::Option* add_choices(CLI::App& app, const std::string& option, std::vector<typename Choices::value_type>& values,
                         const Choices& choices, const std::string& description) {
    const Names<typename Choices::value_type> names(choices);
    const auto take = [&values, names](const std::vector<std::string>& words) {
        values.clear();
        for (const std::string& word : words) {
            const auto value = names.of(word);
            if (std::find(values.begin(), values.end(), value) == values.end()) values.push_back(value);
        }
    };
    return app.add_option_function<std::vector<std::string>>(option, take, description)
        ->delimiter(',')
        ->allow_extra_args(false)
        ->check(names.validator())
        ->type_name(fmt::format("{},..", list_of(choices, "|")))
        ->default_str(list_of(values, ","));
}

/// What a word has to be to become a number from `least` to `most`. (CLI11 itself makes the largest number there is of
/// one that is larger, and prints bounds of 300 digits.)
template <class Number>
CLI::Validator number_from(Number least, Number most) {
    const auto complaint = [least, most](const std::string& word) -> std::string {
        Number value{};
        const char *begin = word.data() + (word.starts_with('+') ? 1 : 0), *end = word.data() + word.size();
        const auto [last, error] = std::from_chars(begin, end, value);
        if (error == std::errc() && last == end && value >= least && value <= most) return "";
        const bool bounded =
            most < std::numeric_limits<Number>::max() || error == std::errc::result_out_of_range || value > most;
        return fmt::format("'{}' is no {}number from {} {}", word, std::is_integral_v<Number> ? "whole " : "", least,
                           bounded ? fmt::format("to {}", most) : "on");
    };
    return {complaint, ""};
}

/// An option, or an argument, that takes a number from `least` to `most`.
template <class Number>
CLI::Option* add_number(CLI::App& app, const std::string& option, Number& value, const std::string& description,
                        std::type_identity_t<Number> least = 0,
                        std::type_identity_t<Number> most = std::numeric_limits<Number>::max()) {
    CLI::Option* added = app.add_option(option, value, description)->check(number_from<Number>(least, most));
    return option.starts_with('-') ? added->capture_default_str() : added;
}

}  // namespace glsolve::cli
