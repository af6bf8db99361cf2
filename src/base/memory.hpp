/// Memory of this process: what it has taken, and what it can have.
#pragma once

#include <cstdint>
#include <glsolve/export.hpp>

namespace glsolve::inline v0_1 {

/// The most memory the process has had so far, in bytes; 0 where the system does not say.
GLSOLVE_API std::int64_t peak_memory();

/// What the process can have at most, in bytes: what the machine has, or less where a limit is set. The largest number
/// where the system does not say.
GLSOLVE_API std::uint64_t memory_limit();

}  // namespace glsolve::inline v0_1
