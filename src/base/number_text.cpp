#include "base/number_text.hpp"

#include <fast_float/fast_float.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <system_error>

namespace glsolve::inline v0_1 {
namespace {

/// Neither from_chars reads a plus sign. One before another sign stays, so that it is refused.
std::string_view without_plus(std::string_view word) {
    const bool plus = word.size() > 1 && word[0] == '+' && word[1] != '-' && word[1] != '+';
    return plus ? word.substr(1) : word;
}

std::optional<double> parse_plain_real(std::string_view word) {
    double value = 0;
    const char* const end = word.data() + word.size();
    const auto [stop, error] = fast_float::from_chars(word.data(), end, value);
    // Out of range is no error here: versions of fast_float differ about it, and the value is 0 or infinity anyway.
    if (stop != end || error == std::errc::invalid_argument) return std::nullopt;
    return value;
}

std::string with_e_exponent(std::string_view word) {
    std::string result(word);
    std::replace_if(
        result.begin(), result.end(), [](char c) { return c == 'D' || c == 'd'; }, 'e');
    return result;
}

}  // namespace

std::optional<double> parse_real(std::string_view word) {
    const std::string_view number = without_plus(word);
    if (const std::optional<double> value = parse_plain_real(number)) return value;
    return parse_plain_real(with_e_exponent(number));
}

std::optional<double> parse_real_without_letter(std::string_view word) {
    constexpr std::size_t exponent = 4;  // its sign and its digits
    const std::string_view number = without_plus(word);
    if (number.size() <= exponent) return std::nullopt;
    const std::string_view mantissa = number.substr(0, number.size() - exponent),
                           power = number.substr(number.size() - exponent);
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const bool one = (power[0] == '+' || power[0] == '-') && std::all_of(power.begin() + 1, power.end(), is_digit)
                     && mantissa.find('.') != std::string_view::npos
                     && mantissa.find_first_not_of("0123456789.", mantissa[0] == '-' ? 1 : 0) == std::string_view::npos;
    if (!one) return std::nullopt;
    return parse_plain_real(std::string(mantissa) + 'e' + std::string(power));
}

std::optional<std::int64_t> parse_integer(std::string_view word) {
    const std::string_view number = without_plus(word);
    std::int64_t value = 0;
    const char* const end = number.data() + number.size();
    const auto [stop, error] = std::from_chars(number.data(), end, value);
    if (stop != end || error == std::errc::invalid_argument) return std::nullopt;
    if (error == std::errc::result_out_of_range) {
        using Limits = std::numeric_limits<std::int64_t>;
        return number.starts_with('-') ? Limits::min() : Limits::max();
    }
    return value;
}

std::string quoted(std::string_view word) {
    constexpr std::size_t longest = 40;
    std::string result(word.substr(0, longest));
    std::replace_if(
        result.begin(), result.end(), [](char c) { return c < ' ' || c > '~'; }, '?');
    return "'" + result + (word.size() > longest ? "...'" : "'");
}

}  // namespace glsolve::inline v0_1
