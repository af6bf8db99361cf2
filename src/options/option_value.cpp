// What the rows of the table are walked for: values in words, and ranges.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <glsolve/error.hpp>

#include "base/read_number.hpp"
#include "base/suggestions.hpp"
#include "options/assignments.hpp"
#include "options/option_table.hpp"

namespace glsolve::inline v0_1 {
namespace {

constexpr std::string_view chosen = "chosen";

/// One function for each kind of value.
template <class... Functions>
struct Overloaded : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

/// Is `name` one of `names`, "tol,rtol"?
bool is_among(std::string_view names, std::string_view name) {
    while (!names.empty()) {
        const std::size_t end = std::min(names.find(','), names.size());
        if (names.substr(0, end) == name) return true;
        names.remove_prefix(std::min(end + 1, names.size()));
    }
    return false;
}

bool in_range(const OptionRow& row, std::int64_t value) {
    return value >= row.range.least && value <= row.range.most && (row.fits == nullptr || row.fits(value));
}

bool in_range(const OptionRow& row, double value) {
    return (value >= row.range.least_real && value <= row.range.most_real) || (row.zero_is_chosen && value == 0);
}

template <class Number>
std::string refused(const OptionRow& row, Number value, Number least, Number most) {
    if (!row.refusal.empty()) return fmt::format(fmt::runtime(row.refusal), value);
    return fmt::format("{}: {} is {}; it has to be from {} to {}", row.at.group->name, row.at.member, value, least,
                       most);
}

std::string refused(const OptionRow& row, std::int64_t value) {
    return refused(row, value, row.range.least, row.range.most);
}
std::string refused(const OptionRow& row, double value) {
    return refused(row, value, row.range.least_real, row.range.most_real);
}

template <class Number>
void require(const OptionRow& row, Number value) {
    if (!in_range(row, value)) throw InvalidInput(refused(row, value));
}

void check_range(const OptionRow& row, void* group) {
    std::visit(Overloaded{[&](int* value) { require(row, std::int64_t{*value}); },
                          [&](std::int64_t* value) { require(row, *value); },
                          [&](double* value) { require(row, *value); }, [](const auto&) {}},
               row.at.in(group));
}

std::string no_real_number(const OptionRow& row, std::string_view word) {
    double value = 0;
    const bool number = read_number(word, value) == std::errc();
    if (row.zero_is_chosen) {
        if (word == chosen || (number && value > 0 && std::isfinite(value))) return "";
        return fmt::format("'{}' is no number above 0; without this option the weight is chosen", word);
    }
    constexpr double most = std::numeric_limits<double>::max();
    if (row.range.least_real == -most) {
        return number && std::isfinite(value) ? "" : fmt::format("'{}' is no number", word);
    }
    return no_number_from(word, row.range.least_real, most);
}

const OptionRow& required_option(std::string_view name) {
    if (const OptionRow* row = find_option(name)) return *row;
    std::vector<std::string> names;
    each_option([&](const OptionRow& row) { names.emplace_back(row.name); });
    throw InvalidInput(fmt::format("options: {}", not_among(name, names)));
}

}  // namespace

const OptionRow* find_option(std::string_view name) {
    const OptionRow* found = nullptr;
    each_option([&](const OptionRow& row) {
        if (row.name == name || is_among(row.other_names, name)) found = &row;
    });
    return found;
}

OptionPointer pointer_to(const OptionRow& row, Options& options) { return row.at.in(row.at.group->of(options)); }

OptionValue value_of(const OptionRow& row, const Options& options) {
    // Nothing is written through the pointers.
    return std::visit(
        Overloaded{[](const int* value) { return OptionValue(std::int64_t{*value}); },
                   [](const std::string* value) { return OptionValue(std::string_view(*value)); },
                   [](const ChoicePointer& choice) { return OptionValue(choice.enumeration->name(*choice.value)); },
                   [](const auto* value) { return OptionValue(*value); }},
        pointer_to(row, const_cast<Options&>(options)));
}

std::string text_of(const OptionRow& row, const Options& options) {
    return std::visit(Overloaded{[](bool value) { return std::string(value ? "true" : "false"); },
                                 [&](double value) {
                                     return row.zero_is_chosen && value == 0 ? std::string(chosen)
                                                                             : fmt::format("{}", value);
                                 },
                                 [](const auto& value) { return fmt::format("{}", value); }},
                      value_of(row, options));
}

std::string misread(const OptionRow& row, std::string_view word) {
    Options defaults;
    return std::visit(
        Overloaded{[&](const int*) {
                       return no_number_from(word, static_cast<int>(row.range.least), static_cast<int>(row.range.most));
                   },
                   [&](const std::int64_t*) { return no_number_from(word, row.range.least, row.range.most); },
                   [&](const double*) { return no_real_number(row, word); },
                   [&](const bool*) {
                       return truth(word) ? std::string() : fmt::format("'{}' is neither true nor false", word);
                   },
                   [](const std::string*) { return std::string(); },
                   [&](const ChoicePointer& choice) { return not_among(word, choice.enumeration->names()); }},
        pointer_to(row, defaults));
}

void read_option(const OptionRow& row, Options& options, std::string_view word) {
    std::visit(Overloaded{[&](bool* value) { *value = truth(word).value_or(*value); },
                          [&](double* value) {
                              if (row.zero_is_chosen && word == chosen) {
                                  *value = 0;
                              } else {
                                  read_number(word, *value);
                              }
                          },
                          [&](std::string* value) { *value = word; },
                          [&](const ChoicePointer& choice) {
                              const std::vector<std::uint8_t> values = choice.enumeration->values();
                              *choice.value = values.at(place_among(word, choice.enumeration->names()));
                          },
                          [&](auto* value) { read_number(word, *value); }},
               pointer_to(row, options));
}

void set_option(Options& options, std::string_view name, std::string_view text) {
    const OptionRow& row = required_option(name);
    if (const std::string why = misread(row, text); !why.empty()) {
        throw InvalidInput(fmt::format("{}: {}", row.name, why));
    }
    Options alone;
    read_option(row, alone, text);
    check_range(row, row.at.group->of(alone));
    read_option(row, options, text);
}

std::string option_text(const Options& options, std::string_view name) {
    return text_of(required_option(name), options);
}

bool belongs_to(const OptionRow& row, const Options& options) {
    return row.methods.contains(options.method) || row.preconditioners.contains(options.preconditioner);
}

std::vector<std::string> takers(const OptionRow& row) {
    std::vector<std::string> names;
    for (const Method method : all_methods()) {
        if (row.methods.contains(method)) names.emplace_back(name(method));
    }
    for (const PreconditionerKind kind : all_preconditioners()) {
        if (row.preconditioners.contains(kind)) names.emplace_back(name(kind));
    }
    return names;
}

void check_ranges(const Options& options) {
    each_option([&](const OptionRow& row) { check_range(row, row.at.group->of(const_cast<Options&>(options))); });
}

void check_ranges(const AmgOptions& options) {
    each_option([&](const OptionRow& row) {
        if (row.at.group->name == "amg") check_range(row, const_cast<AmgOptions*>(&options));
    });
}

std::string refusal(const OptionRow& row, double value) { return refused(row, value); }

}  // namespace glsolve::inline v0_1
