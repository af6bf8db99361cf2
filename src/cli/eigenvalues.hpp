/// The extreme eigenvalues of a symmetric matrix, on the host and in double precision.
#pragma once

#include <glsolve/csr.hpp>
#include <memory>
#include <vector>

namespace glsolve::cli {

/// Lanczos' method finds values within the spectrum: the smallest eigenvalue is at most `smallest`, and the largest at
/// least `largest`. From A it soon finds those that are large in size. Those next to zero it finds from A^-1, which
/// takes factors of A.
struct ExtremeEigenvalues {
    double smallest = 0, largest = 0;
    int steps = 0, inverse_steps = 0;  ///< of Lanczos with A and with A^-1; 0: no factors, or A is not definite
    /// What the signs of all pivots say, up to rounding. `unknown`: no factors, for they would take too long.
    enum class Definite { unknown, positive, negative, neither } definite = Definite::unknown;
};

/// Looks for those of a symmetric A with at least one row, and of S A S, with the same factors.
class EigenvalueSearch {
  public:
    explicit EigenvalueSearch(CsrView A);
    ~EigenvalueSearch();

    /// Of S A S; `scale` holds the diagonal of S, all of it positive. In `steps` of Lanczos at most; 0: as many as
    /// usual.
    ExtremeEigenvalues find(const std::vector<double>& scale, int steps) const;

  private:
    struct Inside;
    std::unique_ptr<Inside> inside_;
};

}  // namespace glsolve::cli
