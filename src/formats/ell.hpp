/// ELL with fewer slots than the longest row has nonzeros: what has no slot is left to others (formats/hybrid.cpp).
#pragma once

#include "formats/diagonal_part.hpp"
#include "formats/stored_matrix.hpp"

namespace glsolve::inline v0_1 {

/// What a product with so many slots fetches, and what they take on the device.
FormatPrediction predict_ell(const FormatInput& in, int slots);

/// The fewest bytes that a product may fetch, however the nonzeros lie, in ELL and in what takes what it has no slot
/// for.
double least_bytes_of_ell(const FormatInput& in);

/// The first nonzeros of each row beside the diagonal, and the diagonal.
std::unique_ptr<StoredMatrix> make_ell(Backend& backend, const FormatInput& in, int slots,
                                       const DiagonalPart& diagonal);

/// The first `slots` nonzeros of each row beside the diagonal are in "ell", the others in `rest`.
std::vector<StoredNumber> ell_parts(const FormatInput& in, int slots, std::string_view rest);

}  // namespace glsolve::inline v0_1
