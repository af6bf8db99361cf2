/// What of an interpolation's rows is left out, so that coarser levels stay sparse.
#pragma once

#include <glsolve/csr.hpp>
#include <vector>

namespace glsolve::inline v0_1 {

/// The rest is scaled, so that the sum of the row stays.
struct Truncation {
    double factor = 0;  ///< entries smaller than this times the largest one of the row
    int most = 0;       ///< ... and all but so many of the largest; 0: none
};

struct RowEntry {
    Index column;
    double value;
};
using Row = std::vector<RowEntry>;

/// Leaves the rest of the row in ascending columns. Of equal entries those in the first columns stay.
void truncate(Row& row, Truncation truncation);

}  // namespace glsolve::inline v0_1
