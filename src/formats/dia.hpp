#pragma once

#include "formats/format_table.hpp"

namespace glsolve::inline v0_1 {

FormatPrediction predict_dia(const FormatInput& in);

/// DIA: each tile of the texture holds one diagonal, the entry of row i at row i. Where the diagonals are few, those
/// that hold one number, everywhere or with regular gaps, are constants of the shader instead: of a grid with constant
/// coefficients nothing is left to be fetched but x. Uploads S A S in single precision.
/// Throws InvalidInput when A has more diagonals than a texture can hold.
std::unique_ptr<AssembledMatrix> make_dia(Backend& backend, const FormatInput& in);

}  // namespace glsolve::inline v0_1
