/// What somebody may have meant who mistyped a name.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace glsolve::cli {

/// The names that are nearest to a word: by the letters to insert, leave out, exchange or swap (in restricted
/// Damerau-Levenshtein distance at most one in three, and of a very short word one), whatever their case; or those that
/// begin with it. None where none is near.
std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& names);

/// "; did you mean this or that?", or nothing.
std::string did_you_mean(std::string_view word, const std::vector<std::string>& names);

/// The letters in lower case: ASCII, as all names are.
std::string lower_case(std::string_view word);

}  // namespace glsolve::cli
