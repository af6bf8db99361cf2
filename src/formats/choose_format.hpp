/// Which format a matrix gets: predicted from its structure, or measured on the device.
#pragma once

#include <optional>

#include "formats/format_table.hpp"

namespace glsolve::inline v0_1 {

/// The possible format whose product should be the fastest (by its seconds where FormatInput::costs are known, else by
/// the bytes that it fetches), or the one that is asked for. The reason says how many:
/// of those that cannot be the best ones a bound only, unless `all` of them are to be known.
FormatChoice choose_format(const FormatInput& in, FormatKind wanted, bool all = false);

/// A matrix on the device, and why it is stored as it is.
struct ChosenFormat {
    FormatChoice choice;
    std::unique_ptr<AssembledMatrix> matrix;
};

/// With what this device costs, and how numbers are stored there.
FormatInput for_device(const Backend& backend, const FormatInput& in);

/// The same, and made. FormatKind::measure: every format that is not hopeless is made and its product timed. `known`:
/// the choice for other numbers in the same places, which is kept; none: it is made.
ChosenFormat make_format(Backend& backend, const FormatInput& in, FormatKind wanted,
                         const std::optional<FormatChoice>& known = {});

}  // namespace glsolve::inline v0_1
