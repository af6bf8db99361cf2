/// How a sparse matrix is factored on the host: in which order, and what that takes.
#pragma once

#include <cstdint>
#include <glsolve/export.hpp>
#include <string>

#include "matrix/moved_matrix.hpp"

namespace glsolve::inline v0_1 {

/// Time and memory of triangular factors, for pivots on the diagonal.
struct GLSOLVE_API FactorCost {
    enum class Kind : std::uint8_t { lu, ldlt };

    Kind kind = Kind::lu;
    double entries = 0;     ///< of the factors
    double operations = 0;  ///< the sum of the squares of their columns' lengths, each below the diagonal
    Index rows = 0;

    static constexpr double bytes_each = 12;  ///< a number and its place

    double seconds() const;  ///< on one core
    double bytes() const { return bytes_each * entries; }
    std::string in_words() const;  ///< "about 0.2 s and 15 MB"
};

/// Rows are matched to columns and scaled by powers of two (matching.hpp), then both stand in the order of minimum
/// degree. Of what may be positive definite rows stay with their columns, and the diagonal is near 1.
struct FactorPlan : MovedMatrix {
    using MovedMatrix::MovedMatrix;

    FactorCost cost = {};
    bool is_definite = false;     ///< planned for: all pivots stay on the diagonal
    std::string impossible = {};  ///< why there are no factors, in words; empty: there are, as far as places decide

    bool possible() const { return impossible.empty(); }
};

/// Factors of more than `most_bytes` are impossible. An empty row counts as x_j = b_i (empty_lines.hpp). `definite`: A
/// is symmetric and may be positive definite. A must be square. `known`, or null: order and cost of a matrix with other
/// values in the same places; they are kept where the same rows are matched to columns.
GLSOLVE_API FactorPlan plan_factors(CsrView A, bool definite, double most_bytes, const FactorPlan* known = nullptr);

/// What factors may take where so many megabytes are allowed (Options::memory); 0: half of the memory that there is.
double most_bytes_of_factors(double megabytes);

/// Seconds that `plan_factors` takes, by the number of entries; to match rows to columns takes half as much again.
GLSOLVE_API double seconds_to_plan(CsrView A, bool definite);

}  // namespace glsolve::inline v0_1
