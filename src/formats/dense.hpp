#pragma once

#include "formats/format_table.hpp"

namespace glsolve::inline v0_1 {

FormatPrediction predict_dense(const FormatInput& in);

/// Dense: every entry, zeros included, in vector zones (dense/zones.hpp); no index anywhere, but two passes a product.
/// Uploads S A S in single precision. Throws InvalidInput when it does not fit.
std::unique_ptr<AssembledMatrix> make_dense(Backend& backend, const FormatInput& in);

}  // namespace glsolve::inline v0_1
