#include "cli/complaint.hpp"
#include "cli/choices.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <vector>

#include "base/suggestions.hpp"

namespace glsolve::cli {
namespace {

/// The command that was chosen, in one word or two.
const CLI::App& chosen_command(const CLI::App& app) {
    const CLI::App* command = &app;
    while (!command->get_subcommands().empty()) command = command->get_subcommands().front();
    return *command;
}

/// "glsolve generate poisson2d"
std::string path_of(const CLI::App& command) {
    const CLI::App* parent = command.get_parent();
    return parent == nullptr ? command.get_name() : path_of(*parent) + " " + command.get_name();
}

Words commands_of(const CLI::App& app) {
    Words names;
    for (const CLI::App* command : app.get_subcommands({})) names.push_back(command->get_name());
    return names;
}

/// The options of a command, without their dashes.
Words options_of(const CLI::App& command) {
    Words names;
    for (const CLI::Option* option : command.get_options()) {
        for (const std::string& name : option->get_lnames()) names.push_back(name);
    }
    return names;
}

bool is_option(const std::string& word) { return word.size() > 1 && word.front() == '-'; }

std::string about_option(const CLI::App& command, const std::string& word) {
    const std::string option = word.substr(0, word.find('='));
    if (command.get_option_no_throw(option) != nullptr) {  // it was there, but nobody looked
        return fmt::format("{} stands before the command; options of {} stand behind it", option, path_of(command));
    }
    const std::string bare = option.substr(std::min(option.find_first_not_of('-'), option.size()));
    Words near = nearest(bare, options_of(command));
    for (std::string& name : near) name = "--" + name;
    return fmt::format("{} is no option of {}{}", option, path_of(command),
                       near.empty() ? "" : fmt::format("; did you mean {}?", joined(near, " or ")));
}

/// About words that nothing was made of, in the order typed.
std::string not_understood(const CLI::App& command, const Words& words) {
    std::string text;
    for (const std::string& word : words) {
        if (is_option(word)) text += (text.empty() ? "" : "\nglsolve: ") + about_option(command, word);
    }
    // Other words may belong to an option that was mistyped.
    if (!text.empty()) return text;
    return fmt::format("{} has no use for '{}'", path_of(command), joined(words, "', '"));
}

/// In words, where CLI11 names a type of C++.
std::string kind_of_value(const std::string& type) {
    return type == "INT" || type == "UINT" ? "a whole number" : type == "FLOAT" ? "a number" : type;
}

/// What is wrong with an option's value, where CLI11's words would not be understood; empty: they will do.
std::string about_value(const CLI::App& command, const CLI::Error& error) {
    const std::string text = error.what(), unconverted = "Could not convert: ";
    if (text.starts_with(unconverted)) {  // "Could not convert: --velocity = abc"
        const std::size_t equals = text.find(" = ");
        if (equals == std::string::npos) return "";
        return fmt::format("{}: '{}' is no number", text.substr(unconverted.size(), equals - unconverted.size()),
                           text.substr(equals + 3));
    }
    if (error.get_exit_code() != static_cast<int>(CLI::ExitCodes::ArgumentMismatch)) return "";
    const CLI::Option* option = command.get_option_no_throw(text.substr(0, text.find(':')));
    if (option == nullptr) return "";
    const std::size_t given = option->results().size(),
                      wanted = static_cast<std::size_t>(option->get_items_expected_min());
    if (given < wanted) {
        return fmt::format("{} needs {}: {}", option->get_name(),
                           wanted == 1 ? "a value" : fmt::format("{} values", wanted),
                           kind_of_value(option->get_type_name()));
    }
    return fmt::format("{} is given {} times, and takes one value", option->get_name(), given);
}

bool needs_command(const CLI::App& command) { return command.get_require_subcommand_min() > 0; }

std::string what_is_wrong(const CLI::App& app, const CLI::Error& error) {
    const CLI::App& command = chosen_command(app);
    if (const std::optional<std::string> word = wrong_command(app)) {
        const Words names = commands_of(command);
        return fmt::format("'{}' is no command of {}{} There are: {}", *word, path_of(command),
                           nearest(*word, names).empty() ? "." : did_you_mean(*word, names), joined(names, ", "));
    }
    const Words left = app.remaining(true);
    const bool options_left = std::any_of(left.begin(), left.end(), is_option);
    const auto is = [&](CLI::ExitCodes code) { return error.get_exit_code() == static_cast<int>(code); };
    const bool required = is(CLI::ExitCodes::RequiredError);
    // What is missing may be there, under a name that was mistyped.
    if (is(CLI::ExitCodes::ExtrasError) || (required && options_left)) return not_understood(command, left);
    if (required && needs_command(command)) {
        return fmt::format("{} needs a command: {}", path_of(command), joined(commands_of(command), ", "));
    }
    const std::string words = about_value(command, error);
    return words.empty() ? error.what() : words;
}

}  // namespace

std::optional<std::string> wrong_command(const CLI::App& app) {
    const CLI::App& command = chosen_command(app);
    if (!needs_command(command)) return std::nullopt;
    const Words left = command.remaining();
    const auto word = std::find_if_not(left.begin(), left.end(), is_option);
    return word == left.end() ? std::nullopt : std::optional(*word);
}

std::string complaint(const CLI::App* app, const CLI::Error& error) {
    return fmt::format("glsolve: {}\n{} --help lists what there is.\n", what_is_wrong(*app, error),
                       path_of(chosen_command(*app)));
}

}  // namespace glsolve::cli
