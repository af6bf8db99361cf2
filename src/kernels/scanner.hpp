/// Goes through a text piece by piece, for those who read and translate kernels, at build time too: nothing else is
/// included.
#pragma once

#include <string_view>

namespace glsolve::inline v0_1 {

struct Scanner {
    std::string_view rest;  ///< what is left; all that is taken is taken from its front

    static bool is_digit(char c) { return c >= '0' && c <= '9'; }
    static bool is_word(char c) { return is_digit(c) || c == '_' || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

    std::string_view take(std::size_t count) {
        const std::string_view taken = rest.substr(0, count);
        rest.remove_prefix(taken.size());
        return taken;
    }
    bool take(std::string_view piece) {
        const bool there = rest.starts_with(piece);
        if (there) take(piece.size());
        return there;
    }
    std::string_view take_word() {
        std::size_t end = 0;
        while (end < rest.size() && is_word(rest[end])) ++end;
        return take(end);
    }
    /// What is in front of `piece`, which goes as well; all, where there is none.
    std::string_view take_until(std::string_view piece) {
        const std::string_view taken = take(rest.find(piece));
        take(piece.size());
        return taken;
    }
    std::string_view take_line() { return take_until("\n"); }
    void skip_spaces() {
        while (rest.starts_with(' ') || rest.starts_with('\t')) rest.remove_prefix(1);
    }
};

}  // namespace glsolve::inline v0_1
