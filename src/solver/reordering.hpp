/// Whether rows and unknowns move on the device, and why (Options::reorder, Slicing::sort_window).
#pragma once

#include <glsolve/csr.hpp>
#include <glsolve/options.hpp>
#include <string>
#include <vector>

namespace glsolve::inline v0_1 {

/// Do method and preconditioner leave it to Reordering::automatic where the rows are? Some find neighbours by their
/// numbers.
bool may_move_rows(CsrView A, const Options& options);
/// What Reordering::automatic chooses where rows may move: rcm or degree where the best format then fetches a tenth
/// less, else none.
Reordering best_reordering(CsrView A);

/// The order on the device, and what is said of it.
struct RowOrder {
    std::vector<Index> order;  ///< entry k names the row that comes to place k; empty: as they are
    std::string reason;
};
RowOrder row_order(CsrView A, Reordering reorder, Index sort_window);

}  // namespace glsolve::inline v0_1
