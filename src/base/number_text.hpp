/// Numbers as text files spell them. The whole word has to be the number.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace glsolve::inline v0_1 {

/// Reads 1, +1.0, -1e3 or Fortran's 1.0D+03. Gives infinity for a number too large and for "inf", NaN for "nan".
std::optional<double> parse_real(std::string_view word);

/// Reads Fortran's 1.0-100: an exponent of three digits leaves no room for its letter. Of other lengths it is none:
/// Fortran does not write them so.
std::optional<double> parse_real_without_letter(std::string_view word);

/// Reads 1, +1 or -1. Gives the nearest 64-bit number for one that does not fit.
std::optional<std::int64_t> parse_integer(std::string_view word);

/// `word` between quotes for a message: shortened, and without bytes that could upset a terminal.
std::string quoted(std::string_view word);

}  // namespace glsolve::inline v0_1
