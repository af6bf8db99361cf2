#pragma once

#include <memory>

#include "core/method.hpp"

namespace glsolve::inline v0_1 {

/// GMRES(m) and FGMRES(m), each restart a correction. See gmres.cpp. Throws InvalidInput when no texture holds the
/// basis.
std::unique_ptr<IterativeMethod> make_gmres(const System& system, const Options& options, std::int64_t max_iterations);

}  // namespace glsolve::inline v0_1
