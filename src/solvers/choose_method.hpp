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

/// A method that has failed.
struct FailedMethod {
    Method method{};
    Outcome outcome{};
    PreconditionerKind asked{};    ///< the preconditioner that the caller wants
    bool direct_is_tried = false;  ///< before it
    bool is_exact = false;         ///< its claim that no x solves the system, if it makes one
};

/// What goes on where a method has failed, and the options for it; none: nothing is known that might do better. The
/// direct method comes before GMRES in two floats, and that before least squares, which are the last.
std::optional<MethodChoice> choose_second_method(const CsrMatrix& A, Options& options, const FailedMethod& failed,
                                                 const Capabilities& device);

/// The same after a short Lanczos run, for what was thought to be positive definite.
MethodChoice choose_method(const MethodChoice& before, const Spectrum& found, Options& options, Index rows);

}  // namespace glsolve::inline v0_1
