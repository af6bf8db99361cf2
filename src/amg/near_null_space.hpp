/// Vectors that A nearly maps to zero, which every level has to represent well: constants for scalar problems, the
/// motions of a rigid body for elastic ones.
#pragma once

#include <span>
#include <vector>

#include "amg/aggregation.hpp"

namespace glsolve::inline v0_1 {

/// `vectors` numbers for each unknown, one unknown after the other.
struct NearNullSpace {
    int vectors = 1;
    std::vector<double> values;

    bool is_constant() const;
};

/// Ones; where several unknowns stand at a point, a vector for each of them, which is 1 there and 0 at the others.
NearNullSpace constants(Index unknowns, int unknowns_a_point = 1);

/// What the tentative prolongation is, and the near-null space of the level it leads to: T B_coarse = B, T^T T = 1.
struct Tentative {
    CsrMatrix T;
    NearNullSpace coarse;
    std::vector<Index> aggregate_of;  ///< each unknown of the coarser level: those of one stand together
};

/// In each aggregate an orthonormal basis of what B is there (Gram and Schmidt's process; vectors that depend on the
/// others are left out, so small aggregates get fewer unknowns). One constant vector: ones, not scaled. `aggregate_of`:
/// the aggregate of each unknown, Aggregates::none for those without.
Tentative tentative_prolongation(const NearNullSpace& B, std::span<const Index> aggregate_of, Index aggregates);

}  // namespace glsolve::inline v0_1
