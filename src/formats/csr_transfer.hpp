/// Transfers in CSR, as formats/csr.cpp has it for square matrices: no slot is padding, and teams share the rows of a
/// texel. For rows of very different lengths, and for coarse levels, whose few long rows leave a device idle.
#pragma once

#include "formats/transfer.hpp"

namespace glsolve::inline v0_1 {

/// What a product takes.
TransferCost cost_of_csr_transfer(const TransferInput& in, const std::optional<ProductCosts>& costs);

/// Throws InvalidInput where the device's textures cannot take it.
Transfer make_csr_transfer(Backend& backend, const TransferInput& in);

}  // namespace glsolve::inline v0_1
