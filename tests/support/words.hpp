/// What texts say.
#pragma once

#include <string>

#include "support/catch.hpp"

namespace glsolve::test {

inline void check_has(const std::string& text, const char* words) {
    CAPTURE(text, words);
    CHECK(text.find(words) != std::string::npos);
}

}  // namespace glsolve::test
