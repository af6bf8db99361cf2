/// How fast a device moves bytes that it does nothing with: what passes that move bytes are judged by.
#pragma once

#include <glsolve/csr.hpp>

#include "device/backend.hpp"

namespace glsolve::bench {

/// Bytes a second of a plain copy of n numbers, read and written.
double copied_bytes_per_second(Backend& backend, Index n);

}  // namespace glsolve::bench
