/// The format that was found by measuring, kept on disk: a matrix of the same structure on the same device gets it at
/// once.
#pragma once

#include <optional>
#include <string>

#include "device/backend.hpp"
#include "formats/format_table.hpp"

namespace glsolve::inline v0_1 {

/// What was measured.
struct KeptChoice {
    FormatKind format = FormatKind::ell;
    double seconds = 0;  ///< of a product
    int ell_width = -1;  ///< as FormatChoice has it
};

/// None where nothing is kept (FormatInput::kept_in is empty), or where the matrix or the device is another.
std::optional<KeptChoice> find_choice(const Backend& backend, const FormatInput& in);
void keep_choice(const Backend& backend, const FormatInput& in, const KeptChoice& choice);

}  // namespace glsolve::inline v0_1
