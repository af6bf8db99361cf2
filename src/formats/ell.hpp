#pragma once

#include "formats/format_table.hpp"

namespace glsolve::inline v0_1 {

FormatPrediction predict_ell(const FormatInput& in);

/// ELL: as many slots for each row as the longest row has nonzeros; tile k of the textures holds slot k of all rows,
/// its values and its columns. Uploads S A S in single precision. Throws InvalidInput when it does not fit.
std::unique_ptr<AssembledMatrix> make_ell(Backend& backend, const FormatInput& in);

}  // namespace glsolve::inline v0_1
