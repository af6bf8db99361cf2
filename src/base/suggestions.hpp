/// What somebody may have meant who mistyped a name.
#pragma once

#include <cstddef>
#include <glsolve/export.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace glsolve::inline v0_1 {

/// The names that are nearest to a word: by the letters to insert, leave out, exchange or swap (in restricted
/// Damerau-Levenshtein distance at most one in three, and of a very short word one), whatever their case; or those that
/// begin with it. None where none is near.
GLSOLVE_API std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& names);

/// "; did you mean this or that?", or nothing.
GLSOLVE_API std::string did_you_mean(std::string_view word, const std::vector<std::string>& names);

/// The letters in lower case: ASCII, as all names are.
GLSOLVE_API std::string lower_case(std::string_view word);

/// Where a word is among `names`, whatever the case of its letters; their number if it is not.
GLSOLVE_API std::size_t place_among(std::string_view word, const std::vector<std::string>& names);

/// Why a word is none of `names`, with those that there are; empty if it is one.
GLSOLVE_API std::string not_among(std::string_view word, const std::vector<std::string>& names);

/// "cg, gmres and idr"
GLSOLVE_API std::string listed(const std::vector<std::string>& names);

}  // namespace glsolve::inline v0_1
