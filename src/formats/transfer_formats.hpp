/// The formats of transfers, between which make_transfer chooses.
#pragma once

#include "formats/transfer.hpp"

namespace glsolve::inline v0_1 {

// Transfers between the points of two lattices, where each row's columns are those of a small box. A box is read as
// lines of consecutive numbers, a texel of them at a time, and no column is stored: of four neighbouring rows, whose
// boxes lie side by side, only where they begin.
//
// Cost: restriction from blocks of 3 x 3 points fetches 51 texels for four rows instead of the 150 of slices,
// interpolation 11 instead of 24. Texels of rows whose numbers are alike share one record of them, so where
// coefficients are constant memory gives 4 bytes a row beside x and y; elsewhere 4 bytes more for each slot.
//
// What a box holds beside a row's columns is multiplied by 0, so that what is not finite spreads to rows nearby.

/// What a product takes; impossible where rows are no boxes.
TransferCost cost_of_box_transfer(const TransferInput& in, const std::optional<ProductCosts>& costs);

/// Throws InvalidInput where rows are no boxes, or the device's textures cannot take them.
Transfer make_box_transfer(Backend& backend, const TransferInput& in);

// Transfers of any pattern, in sliced ELL, as formats/sliced.hpp has it for square matrices: texels of four rows, in
// slices of some texels with as many slots as their longest row needs. Cost: 8 bytes for each slot of a row, and x.

/// What a product takes.
TransferCost cost_of_sliced_transfer(const TransferInput& in, const std::optional<ProductCosts>& costs);

/// Throws InvalidInput where the device's textures cannot take it.
Transfer make_sliced_transfer(Backend& backend, const TransferInput& in);

// Transfers in CSR, as formats/csr.cpp has it for square matrices: no slot is padding, and teams share the rows of a
// texel. For rows of very different lengths, and for coarse levels, whose few long rows leave a device idle.

/// What a product takes.
TransferCost cost_of_csr_transfer(const TransferInput& in, const std::optional<ProductCosts>& costs);

/// Throws InvalidInput where the device's textures cannot take it.
Transfer make_csr_transfer(Backend& backend, const TransferInput& in);

}  // namespace glsolve::inline v0_1
