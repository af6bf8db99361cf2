/// CSR whose numbers passes compute on the device: the host knows only where they stand. (Made in csr.cpp, as CSR is.)
#pragma once

#include <memory>
#include <vector>

#include "formats/stored_matrix.hpp"

namespace glsolve::inline v0_1 {

struct CsrOfPasses {
    std::unique_ptr<StoredMatrix> matrix;
    StorageId values{};               ///< to be filled
    Layout layout;                    ///< of that storage
    std::vector<std::int32_t> entry;  ///< for each of its numbers which entry of A it is; -1: none, it is a zero
};

/// For a square A without entries on the diagonal, whose values do not matter. Throws InvalidInput where rows are too
/// long for a shader's loop.
CsrOfPasses csr_of_passes(Backend& backend, CsrView A);

}  // namespace glsolve::inline v0_1
