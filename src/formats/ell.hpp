#pragma once

#include <glsolve/csr.hpp>
#include <memory>
#include <span>

#include "core/operator.hpp"

namespace glsolve::inline v0_1 {

/// ELL: as many slots for each row as the longest row has nonzeros; tile k of the textures holds slot k of all rows,
/// its values and its columns. Uploads S A S in single precision. A must be square.
std::unique_ptr<Operator> make_ell(Backend& backend, const CsrMatrix& A, std::span<const double> scale);

}  // namespace glsolve::inline v0_1
