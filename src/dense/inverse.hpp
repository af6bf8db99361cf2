/// The inverse of a dense matrix on a device, after Gauss and Jordan with partial pivoting, in place and without
/// reading anything back (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 14.4).
///
/// A solve with it is one product, where triangular factors would need n dependent passes. Columns are taken in panels
/// of 16: their steps run on a small texture, the rest of the matrix then gets one pass of rank 16. Rows are not
/// exchanged: `used` knows which step has taken a row for its pivot, and the order is put right at the end.
///
/// Passes: 5 a column (4 in the compute stage) and 3 a panel. Work: 2 n^3.
#pragma once

#include "dense/product.hpp"

namespace glsolve::inline v0_1 {

class Inverse {
  public:
    /// Takes A from the host, as ZoneMatrix::upload does, and inverts it; waits. `go_on` is asked after each panel:
    /// when it says no, the inverse stays unfinished and is good for nothing.
    Inverse(Backend& backend, Index n, const std::function<void(const ZoneMatrix::Entry&)>& place,
            const std::function<bool()>& go_on = {});
    Inverse(const Inverse&) = delete;  // the product knows where the matrix is
    Inverse& operator=(const Inverse&) = delete;

    void multiply(Vector& x, const Vector& b) { product_.multiply(x, b); }  // x <- A^-1 b
    std::int64_t bytes() const { return matrix_.bytes(); }
    bool finished() const { return finished_; }
    /// The inverse, column by column; waits.
    std::vector<float> download() const { return matrix_.download(); }

    /// The size of the smallest pivot over that of the largest one, 0 where a column had none: the matrix is singular
    /// in single precision.
    double pivot_ratio() const { return pivot_ratio_; }

  private:
    ZoneMatrix matrix_;
    double pivot_ratio_ = 0;
    bool finished_ = false;
    DenseProduct product_;
};

}  // namespace glsolve::inline v0_1
