#pragma once

#include <glsolve/options.hpp>

namespace glsolve::inline v0_1 {

/// Rows are not where the caller has them. Reordering::automatic does not count: it gives way where rows must stay.
inline bool moves_rows(const Options& options) {
    return options.slicing.sort_window > 1
           || (options.reorder != Reordering::none && options.reorder != Reordering::automatic);
}

}  // namespace glsolve::inline v0_1
