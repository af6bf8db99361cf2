/// How far loops of shaders may go.
#pragma once

#include <cstdint>

namespace glsolve::inline v0_1 {

/// Mesa's llvmpipe ends all loops of a shader after 65,535 rounds.
inline constexpr std::int64_t most_loop_rounds = 65'000;

}  // namespace glsolve::inline v0_1
