/// The way from a matrix on the device to that of the next level: aggregates of strongly coupled unknowns, smoothed
/// interpolation from them, P^T A P.
#pragma once

#include "multigrid/device_rows.hpp"
#include "multigrid/row_facts.hpp"

namespace glsolve::inline v0_1 {

/// d <- 1 / a_ii,  0 where that is not positive. The bound is that of T^-1 A T, with the diagonal t; null: ones. Reads
/// one texel back.
RowFacts look_at_rows(const RowTextures& A, Vector& d, const Vector* t);

/// Strong entries in the places of all: columns, and the row's own number for weak ones (Strength in amg/strength.hpp).
Storage strong_columns(const RowTextures& A, const Vector& d, double threshold);

/// Of each unknown its aggregate, as `around_roots` (amg/aggregation.hpp) makes them.
struct DeviceAggregates {
    Index count = 0;
    Storage of;
    Storage numbers;  ///< how many roots there are before each unknown
};
DeviceAggregates aggregates_around_roots(const RowTextures& A, StorageId strong);

/// P and P^T.
struct DeviceInterpolation {
    DeviceRows P, Pt;
};
/// As `smoothed` (amg/interpolation.hpp) makes it, from a tentative one that has t_i in row i; null: ones.
DeviceInterpolation smoothed_interpolation(const RowTextures& A, const Vector& d, StorageId strong,
                                           const DeviceAggregates& aggregates, double omega, const Vector* t);

/// The entries of A B, where all of A is among its entries.
DeviceRows product_of_patterns(const RowTextures& A, const RowTextures& B);

/// The entries of P^T A P beside its diagonal; its row sums are to be put in front of them. None where its rows are too
/// long for merges: their time grows with the square of what rows hold, and the host's does not.
std::optional<DeviceRows> galerkin_rows(const DeviceInterpolation& interpolation, const RowTextures& A,
                                        const Vector& d);

}  // namespace glsolve::inline v0_1
