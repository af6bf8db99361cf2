/// Handles may be empty: default-made, or moved from. Using one ends in the same words everywhere.
#pragma once

#include <fmt/format.h>

#include <glsolve/error.hpp>
#include <string_view>

namespace glsolve::inline v0_1 {

/// What stands behind a handle, which holds a pointer to it. Throws InvalidInput where nothing does; `remedy`: what
/// makes one.
template <class Pointer>
auto& require_made(const Pointer& made, std::string_view handle, std::string_view remedy) {
    if (made) return *made;
    throw InvalidInput(
        fmt::format("{}: this one is empty, default-made or moved from; assign it one made by {}", handle, remedy));
}

}  // namespace glsolve::inline v0_1
