#pragma once

#include <glsolve/choice.hpp>
#include <glsolve/report.hpp>
#include <glsolve/spectrum.hpp>
#include <optional>
#include <string>

#include "device/backend.hpp"

namespace glsolve::inline v0_1 {

/// Which method suits a matrix, from what the host sees: symmetry, diagonal, size. Takes a preconditioner away
/// that the matrix cannot have.
MethodChoice choose_method(const CsrMatrix& A, Options& options);

/// What takes a matrix that single precision cannot hold in the scaling of `before`; `why` is in words.
MethodChoice choose_for_range(const CsrMatrix& A, Options& options, const MethodChoice& before, const std::string& why,
                              const Capabilities& device);

/// What takes the place of `chosen`, which reads numbers back on its way, where nothing may be read: gmres. Throws
/// InvalidInput where A is not square.
MethodChoice choose_without_reads(const CsrMatrix& A, Options& options, PreconditionerKind asked,
                                  const MethodChoice& chosen);

/// What goes on where `first` has failed, and the options for it; none: nothing is known that might do better.
std::optional<MethodChoice> choose_second_method(const CsrMatrix& A, Options& options, Method first, Outcome outcome,
                                                 const Capabilities& device);

/// The same after a short Lanczos run, for what was thought to be positive definite.
MethodChoice choose_method(const MethodChoice& before, const Spectrum& found, const Options& options);

}  // namespace glsolve::inline v0_1
