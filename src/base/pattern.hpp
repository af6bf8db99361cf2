/// Regular expressions: <regex> takes long to compile, so one file includes it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace glsolve::inline v0_1 {

class Pattern {
  public:
    using Groups = std::vector<std::string>;  ///< what was found, and what each pair of parentheses found of it

    /// As std::regex, in ECMAScript's grammar.
    explicit Pattern(const std::string& expression);
    Pattern(const Pattern&) = delete;
    Pattern& operator=(const Pattern&) = delete;
    ~Pattern();

    std::optional<Groups> match(const std::string& text) const;  ///< all of the text
    bool is_in(const std::string& text) const;
    std::vector<Groups> all_in(const std::string& text) const;
    /// The text with `by` for all that is found; $1 in it is the first group.
    std::string replace_all(const std::string& text, const std::string& by) const;

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace glsolve::inline v0_1
