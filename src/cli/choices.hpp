/// Options that take a word, a name of an enumeration or a number. CLI11 could make them of any type, by templates that
/// take longer to compile than all else here.
#pragma once

#include <functional>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "options/option_table.hpp"

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace glsolve::cli {

using Words = std::vector<std::string>;
std::string joined(const Words& words, std::string_view separator);

/// An option, or an argument, that takes one word.
CLI::Option* add_word(CLI::App& app, const std::string& option, const std::function<void(const std::string&)>& take,
                      const std::string& description);

/// The same, where the word is a text, or names a file.
template <class Text>
CLI::Option* add_text(CLI::App& app, const std::string& option, Text& text, const std::string& description) {
    return add_word(
        app, option, [&text](const std::string& word) { text = word; }, description);
}

/// An option that takes one of `names`, whatever the case of the letters; `choose` gets its place among them.
CLI::Option* add_name(CLI::App& app, const std::string& option, const Words& names, const std::string& by_default,
                      const std::function<void(std::size_t)>& choose, const std::string& description);

/// An option that takes several of them, with commas in between; naming one twice is naming it once.
CLI::Option* add_names(CLI::App& app, const std::string& option, const Words& names, const Words& by_default,
                       const std::function<void(const std::vector<std::size_t>&)>& choose,
                       const std::string& description);

template <class Choices>
Words names_of(const Choices& choices) {
    Words names;
    for (const auto& choice : choices) names.emplace_back(name(choice));
    return names;
}

/// An option that takes one of the names of an enumeration.
template <class Choices>
CLI::Option* add_choice(CLI::App& app, const std::string& option, typename Choices::value_type& value,
                        const Choices& choices, const std::string& description) {
    const auto choose = [&value, choices](std::size_t place) { value = choices[place]; };
    return add_name(app, option, names_of(choices), std::string(name(value)), choose, description);
}

/// An option that takes several of them.
template <class Choices>
CLI::Option* add_choices(CLI::App& app, const std::string& option, std::vector<typename Choices::value_type>& values,
                         const Choices& choices, const std::string& description) {
    const auto choose = [&values, choices](const std::vector<std::size_t>& places) {
        values.clear();
        for (const std::size_t place : places) values.push_back(choices[place]);
    };
    return add_names(app, option, names_of(choices), names_of(values), choose, description);
}

/// An option, or an argument, that takes a number from `least` to `most`: an int, an Offset or a double.
template <class Number>
CLI::Option* add_number(CLI::App& app, const std::string& option, Number& value, const std::string& description,
                        std::type_identity_t<Number> least = 0,
                        std::type_identity_t<Number> most = std::numeric_limits<Number>::max());

/// The same for any number.
CLI::Option* add_any_number(CLI::App& app, const std::string& option, double& value, const std::string& description);

/// The switch of a row of the table of options. `options` has to live as long as `app`.
CLI::Option* add_row(CLI::App& app, const OptionRow& row, Options& options);

}  // namespace glsolve::cli
