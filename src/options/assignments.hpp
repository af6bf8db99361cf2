/// Texts that set options: "method=cg tolerance=1e-10".
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace glsolve::inline v0_1 {

/// set(name, value) for each name=value of a text. White space stands between them; a value with white space in it
/// stands in double quotes. Throws InvalidInput where a word is none.
void each_assignment(std::string_view text,
                     const std::function<void(std::string_view name, std::string_view value)>& set);

/// Of "true", "yes", "on", "1", and their opposites.
std::optional<bool> truth(std::string_view word);

}  // namespace glsolve::inline v0_1
