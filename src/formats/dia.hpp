#pragma once

#include <glsolve/csr.hpp>
#include <memory>
#include <span>
#include <vector>

#include "core/operator.hpp"

namespace glsolve::inline v0_1 {

/// The diagonals (column - row) that hold nonzeros, ascending; stops counting beyond `most` and returns nothing then.
std::vector<Index> diagonals(const CsrMatrix& A, std::size_t most);

/// How many diagonals a device can take: their offsets lie in one line of a texture.
std::size_t max_diagonals(const Backend& backend);

/// DIA: each tile of the texture holds one diagonal, the entry of row i at row i. Where the diagonals are few, those
/// that hold the same number everywhere are constants of the shader instead. Uploads S A S in single precision. A must
/// be square. Throws InvalidInput when A has more diagonals than a texture can hold.
std::unique_ptr<Operator> make_dia(Backend& backend, const CsrMatrix& A, std::span<const double> scale);

}  // namespace glsolve::inline v0_1
