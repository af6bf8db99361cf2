/// Memory of this program: what it has taken, and what it can have.
#pragma once

#include <cstdint>

namespace glsolve::cli {

/// The most memory the program has had so far, in bytes; 0 where the system does not say.
std::int64_t peak_memory();

/// What the program can have at most, in bytes: what the machine has, or less where a limit is set. The largest number
/// where the system does not say.
std::uint64_t memory_limit();

}  // namespace glsolve::cli
