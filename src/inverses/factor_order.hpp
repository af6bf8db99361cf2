/// How rows and unknowns stand while they are factored. All of it is inside of the preconditioner: the system keeps its
/// order, and what M^-1 is given and gives is in that.
#pragma once

#include <glsolve/options.hpp>
#include <string>
#include <vector>

#include "matrix/moved_matrix.hpp"

namespace glsolve::inline v0_1 {

/// C = F A G with  F = Q^T P R  and  G = S Q  (MovedMatrix):  so  A^-1 = G C^-1 F.
struct MatrixToFactor : MovedMatrix {
    using MovedMatrix::MovedMatrix;

    bool moved = false;    ///< else F = G = I
    std::string remark{};  ///< what was done and why, or empty

    CsrMatrix F() const;
    CsrMatrix G() const;
    CsrMatrix times_F(CsrView W) const;  ///< W F
    CsrMatrix G_times(CsrView W) const;  ///< G W
};

CsrMatrix scaled_by(CsrView A, std::span<const double> scale);  ///< S A S

/// Of S A S. Where A is not to stay symmetric and rows have no pivot on the diagonal, a maximum-product matching brings
/// one there (src/matrix/matching.hpp); then the order that is asked for, or minimum degree where rows were matched.
/// Throws InvalidInput for a structurally singular A.
MatrixToFactor order_for_factors(CsrView A, std::span<const double> scale, bool symmetric,
                                 const PreconditionerOptions& options);

}  // namespace glsolve::inline v0_1
