/// Coarse equations that read 0 = 0.
#pragma once

#include <glsolve/csr.hpp>

namespace glsolve::inline v0_1 {

/// `coarse` is P^T A P. A region of A that is closed (its rows sum to zero, and nothing leads out of it) may have
/// become one unknown, or a few: what is interpolated from them are null vectors of A, so that their rows are zero, or
/// noise. No x_c does anything there. These rows get a diagonal entry of the size that their neighbours' have, and
/// nothing else: smoothers can divide by it, and x_c stays what it is multiplied with, P^T r, which is zero where b has
/// an answer.
void anchor_null_rows(CsrMatrix& coarse, const CsrMatrix& A, const CsrMatrix& Pt);

}  // namespace glsolve::inline v0_1
