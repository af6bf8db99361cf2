/// What the program's exit codes mean; documented in --help and in the README.
#pragma once

namespace glsolve::cli {

inline constexpr int exit_converged = 0;
inline constexpr int exit_not_converged = 1;
inline constexpr int exit_bad_input = 2;
inline constexpr int exit_no_device = 3;
inline constexpr int exit_interrupted = 128;  ///< plus the number of the signal: 130 after Ctrl-C

}  // namespace glsolve::cli
