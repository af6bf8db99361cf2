/// A matrix with its rows and columns moved and scaled, as it is factored.
#pragma once

#include <glsolve/csr.hpp>
#include <span>
#include <vector>

namespace glsolve::inline v0_1 {

struct Matching;

/// C = Q^T P R A S Q, with diagonal R and S: R and S are of A's rows and columns, P moves the rows of R A S, and Q rows
/// and columns alike.
struct MovedMatrix {
    CsrMatrix C;
    std::vector<Index> rows, columns;             ///< entry k names the row, and the column, of A at place k of C
    std::vector<double> row_scale, column_scale;  ///< R and S

    MovedMatrix() = default;
    /// C = A. It must be square.
    explicit MovedMatrix(CsrMatrix A);

    /// Rows to columns, with its scaling: P, R and S. Before `reorder`; no row may be unmatched.
    void match(Matching matching);
    /// Q: entry k of `places` names the row that comes to place k.
    void reorder(std::span<const Index> places);
};

}  // namespace glsolve::inline v0_1
