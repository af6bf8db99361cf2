/// The chaotic kernel of Chadov's paper, on CUDA.
#pragma once

#include <optional>

#include "forms.hpp"

namespace glsolve::bench::chebyshev {

/// A step each launch, tested every 16th step by the host. Where it diverges it begins anew with four times l_min, as
/// the library's form does; all steps count, and `remarks` says how often. For matrices of one number on the diagonal.
/// Nothing where there is no CUDA.
std::optional<ChadovRun> run_chaotic_kernel(const ChadovSystem& system, int rounds);

}  // namespace glsolve::bench::chebyshev
