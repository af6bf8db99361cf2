/// K of the hybrid formats, by measurement (EllWidth::measure).
#pragma once

#include "device/backend.hpp"
#include "formats/format_table.hpp"

namespace glsolve::inline v0_1 {

/// `in`, with the width whose product is the fastest in this format. As it is where nothing is to be measured.
FormatInput with_measured_width(Backend& backend, const FormatInput& in, FormatKind format);

}  // namespace glsolve::inline v0_1
