#pragma once

#include <vector>

#include "formats/format_table.hpp"

namespace glsolve::inline v0_1 {

/// The diagonals (column - row) that hold nonzeros, ascending; stops counting beyond `most` and returns nothing then.
std::vector<Index> diagonals(const CsrMatrix& A, std::size_t most);

FormatPrediction predict_dia(const FormatInput& in);

/// DIA: each tile of the texture holds one diagonal, the entry of row i at row i. Where the diagonals are few, those
/// that hold the same number everywhere are constants of the shader instead. Uploads S A S in single precision.
/// Throws InvalidInput when A has more diagonals than a texture can hold.
std::unique_ptr<Operator> make_dia(Backend& backend, const FormatInput& in);

}  // namespace glsolve::inline v0_1
