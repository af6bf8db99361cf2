/// Whether rows and unknowns move on the device, and why (Options::reorder, Slicing::sort_window).
#pragma once

#include <glsolve/csr.hpp>
#include <glsolve/options.hpp>
#include <string>
#include <vector>

namespace glsolve::inline v0_1 {

/// Reordering::automatic becomes what it chooses: rcm or degree where the best format then fetches a tenth less,
/// else none.
Options with_reordering(const CsrMatrix& A, Options options);

/// The order on the device, and what is said of it.
struct RowOrder {
    std::vector<Index> order;  ///< entry k names the row that comes to place k; empty: as they are
    std::string reason;
};
RowOrder row_order(const CsrMatrix& A, const Options& options);

}  // namespace glsolve::inline v0_1
