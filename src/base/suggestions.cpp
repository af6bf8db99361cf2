#include "base/suggestions.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <limits>

namespace glsolve::inline v0_1 {
namespace {

/// Levenshtein's distance, and two neighbours that have changed places count once (R. A. Wagner and R. Lowrance,
/// An extension of the string-to-string correction problem, J. ACM 22 (1975)). Three rows of its table are enough.
std::size_t distance(std::string_view a, std::string_view b) {
    std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            row[j] = std::min({last[j] + 1, row[j - 1] + 1, last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)});
            const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped) row[j] = std::min(row[j], before[j - 2] + 1);
        }
        before.swap(last);
        last.swap(row);
    }
    return last[b.size()];
}

}  // namespace

std::string lower_case(std::string_view word) {
    std::string lower(word);
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return lower;
}

std::vector<std::string> nearest(std::string_view word, const std::vector<std::string>& names) {
    constexpr std::size_t longest = 64;  // no name is as long
    if (word.empty() || word.size() > longest) return {};
    const std::string wanted = lower_case(word);
    std::size_t least = std::max<std::size_t>(1, wanted.size() / 3);
    std::vector<std::string> found;
    for (const std::string& name : names) {
        const std::string lower = lower_case(name);
        const bool begins = wanted.size() > 1 && lower.starts_with(wanted);
        const std::size_t steps = begins ? 1 : distance(wanted, lower);
        if (steps >= std::min(wanted.size(), lower.size()) || steps > least) continue;  // shares next to nothing
        if (steps < least) found.clear();
        least = steps;
        found.push_back(name);
    }
    return found;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : nearest(word, names)) list += (list.empty() ? "" : " or ") + name;
    return list.empty() ? "" : fmt::format("; did you mean {}?", list);
}

std::size_t place_among(std::string_view word, const std::vector<std::string>& names) {
    const auto same = [small = lower_case(word)](const std::string& name) { return lower_case(name) == small; };
    return static_cast<std::size_t>(std::find_if(names.begin(), names.end(), same) - names.begin());
}

std::string not_among(std::string_view word, const std::vector<std::string>& names) {
    if (place_among(word, names) < names.size()) return "";
    const std::string guess = did_you_mean(word, names);
    return fmt::format("'{}' is not among them{} Accepted: {}", word, guess.empty() ? "." : guess,
                       fmt::join(names, ", "));
}

std::string listed(const std::vector<std::string>& names) {
    std::string list;
    for (std::size_t i = 0; i < names.size(); ++i) {
        if (i > 0) list += i + 1 < names.size() ? ", " : " and ";
        list += names[i];
    }
    return list;
}

}  // namespace glsolve::inline v0_1
