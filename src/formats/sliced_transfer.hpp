/// Transfers of any pattern, in sliced ELL, as formats/sliced.hpp has it for square matrices: texels of four rows, in
/// slices of some texels with as many slots as their longest row needs. Cost: 8 bytes for each slot of a row, and x.
#pragma once

#include "formats/transfer.hpp"

namespace glsolve::inline v0_1 {

/// What a product takes.
TransferCost cost_of_sliced_transfer(const TransferInput& in, const std::optional<ProductCosts>& costs);

/// Throws InvalidInput where the device's textures cannot take it.
Transfer make_sliced_transfer(Backend& backend, const TransferInput& in);

}  // namespace glsolve::inline v0_1
