/// The reference backend: every pass in plain C++, done at once. Other backends are tested against it.
#pragma once

#include <memory>

#include "core/backend.hpp"

namespace glsolve::inline v0_1 {

std::unique_ptr<Backend> make_host_backend();

}  // namespace glsolve::inline v0_1
