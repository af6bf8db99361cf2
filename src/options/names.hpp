/// Enumerations of the options by the names of their values, both ways.
#pragma once

#include <cstdint>
#include <glsolve/names.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/suggestions.hpp"

namespace glsolve::inline v0_1 {

/// "cg with jacobi", "direct"
GLSOLVE_API std::string in_words(Method method, PreconditionerKind preconditioner);

/// An enumeration, whatever its type: all of them are of one byte.
struct Enumeration {
    std::string_view (*name)(std::uint8_t value);
    std::vector<std::uint8_t> (*values)();

    std::vector<std::string> names() const {
        std::vector<std::string> all;
        for (const std::uint8_t value : values()) all.emplace_back(name(value));
        return all;
    }
};

template <class Choice>
inline constexpr Enumeration enumeration{[](std::uint8_t value) { return name(static_cast<Choice>(value)); },
                                         [] {
                                             std::vector<std::uint8_t> all;
                                             for (const Choice value : values_of<Choice>()) {
                                                 all.push_back(static_cast<std::uint8_t>(value));
                                             }
                                             return all;
                                         }};

}  // namespace glsolve::inline v0_1
