/// Numbers as somebody has typed them.
#pragma once

#include <fmt/format.h>

#include <charconv>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>

namespace glsolve::inline v0_1 {

/// The value of a word that is a number, and nothing else; or why it is none.
template <class Number>
std::errc read_number(std::string_view word, Number& value) {
    const bool plus = word.starts_with('+') && !word.starts_with("+-");
    const char *begin = word.data() + (plus ? 1 : 0), *end = word.data() + word.size();
    const auto [last, error] = std::from_chars(begin, end, value);
    return error == std::errc() && last != end ? std::errc::invalid_argument : error;
}

/// What a word has to be to become a number from `least` to `most`; empty if it is.
template <class Number>
std::string no_number_from(std::string_view word, Number least, Number most) {
    Number value{};
    const std::errc error = read_number(word, value);
    if (error == std::errc() && value >= least && value <= most) return "";
    const bool bounded =
        most < std::numeric_limits<Number>::max() || error == std::errc::result_out_of_range || value > most;
    return fmt::format("'{}' is no {}number from {} {}", word, std::is_integral_v<Number> ? "whole " : "", least,
                       bounded ? fmt::format("to {}", most) : "on");
}

}  // namespace glsolve::inline v0_1
