#include <algorithm>
#include <cctype>
#include <charconv>
#include <glsolve/error.hpp>
#include <sstream>

#include "host/pass.hpp"

namespace glsolve::inline v0_1::host {
namespace {

/// All whole numbers of "ivec3(8,7,1), ivec3(0,0,0)", say, but those that belong to words.
std::vector<int> numbers_of(std::string_view text) {
    std::vector<int> numbers;
    const char *at = text.data(), *const end = at + text.size();
    while (at != end) {
        if (std::isalpha(static_cast<unsigned char>(*at)) != 0) {
            while (at != end && std::isalnum(static_cast<unsigned char>(*at)) != 0) ++at;
            continue;
        }
        int number = 0;
        const auto [behind, failure] = std::from_chars(at, end, number);
        if (failure == std::errc()) {
            numbers.push_back(number);
            at = behind;
        } else {
            ++at;
        }
    }
    return numbers;
}

}  // namespace

Definitions::Definitions(const std::string& text) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t name = std::min(line.find(' '), line.size());
        if (name > 0) numbers_.emplace(line.substr(0, name), numbers_of(line.substr(name)));
    }
}

const std::vector<int>& Definitions::numbers(std::string_view name) const {
    const auto found = numbers_.find(name);
    if (found == numbers_.end()) {
        throw Error("host backend: a kernel needs the definition of " + std::string(name) + " (Backend::variant)");
    }
    return found->second;
}

}  // namespace glsolve::inline v0_1::host
