#include "base/pattern.hpp"

#include <regex>

namespace glsolve::inline v0_1 {
namespace {

Pattern::Groups groups_of(const std::smatch& found) { return {found.begin(), found.end()}; }

}  // namespace

struct Pattern::Impl {
    std::regex expression;
};

Pattern::Pattern(const std::string& expression) : impl_(std::make_unique<Impl>(Impl{std::regex(expression)})) {}
Pattern::~Pattern() = default;

std::optional<Pattern::Groups> Pattern::match(const std::string& text) const {
    std::smatch found;
    return std::regex_match(text, found, impl_->expression) ? std::optional(groups_of(found)) : std::nullopt;
}

bool Pattern::is_in(const std::string& text) const { return std::regex_search(text, impl_->expression); }

std::vector<Pattern::Groups> Pattern::all_in(const std::string& text) const {
    std::vector<Groups> all;
    for (std::sregex_iterator at(text.begin(), text.end(), impl_->expression), end; at != end; ++at) {
        all.push_back(groups_of(*at));
    }
    return all;
}

std::string Pattern::replace_all(const std::string& text, const std::string& by) const {
    return std::regex_replace(text, impl_->expression, by);
}

}  // namespace glsolve::inline v0_1
