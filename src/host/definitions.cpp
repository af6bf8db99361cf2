#include <algorithm>
#include <charconv>
#include <glsolve/error.hpp>
#include <sstream>

#include "host/pass.hpp"

namespace glsolve::inline v0_1::GLSOLVE_HOST {
namespace {

/// The whole numbers of "COUNT 5" or "GAPS ivec3(8,7,1),ivec3(0,0,0)".
std::vector<int> numbers_of(const std::string& line, std::string_view text) {
    constexpr std::string_view vector = "ivec3", between = " ,()";
    std::vector<int> numbers;
    while (!text.empty()) {
        if (text.starts_with(vector)) {
            text.remove_prefix(vector.size());
        } else if (between.find(text.front()) != between.npos) {
            text.remove_prefix(1);
        } else {
            int number = 0;
            const auto [behind, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
            if (failure != std::errc()) throw Error("host backend: \"" + line + "\" defines no whole numbers");
            numbers.push_back(number);
            text.remove_prefix(static_cast<std::size_t>(behind - text.data()));
        }
    }
    return numbers;
}

}  // namespace

Definitions::Definitions(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t name = std::min(line.find(' '), line.size());
        if (name > 0) numbers_.emplace(line.substr(0, name), numbers_of(line, std::string_view(line).substr(name)));
    }
}

const std::vector<int>& Definitions::numbers(std::string_view name) const {
    const auto found = numbers_.find(name);
    if (found == numbers_.end()) {
        throw Error("host backend: a kernel needs the definition of " + std::string(name) + " (Backend::variant)");
    }
    return found->second;
}

}  // namespace glsolve::inline v0_1::GLSOLVE_HOST
