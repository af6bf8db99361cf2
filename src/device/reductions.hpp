/// Reductions of vectors of any length to one texel: sums, inner products, norms, extremes; in single precision or in
/// two floats. Each goes through the stages of one plan (device/reduction_plan.hpp), whatever the stage of the device:
/// the first reads the vectors, the others what the one before has left.
#pragma once

#include <optional>

#include "device/vectors.hpp"

namespace glsolve::inline v0_1 {

/// Sum and norms of a vector, made in one go.
struct Measures {
    float sum = 0, one_norm = 0, squares = 0, infinity_norm = 0;
};

/// A number of a vector, and where it is; index -1: the vector holds no number.
struct Extreme {
    float value = 0;
    Offset index = -1;
};
struct Extremes {
    Extreme smallest, largest;  ///< of equal ones the first; NaN does not count
};

/// Room for the stages of reductions of vectors of one length.
class Reductions {
  public:
    Reductions(Backend& backend, Offset length);

    // Into texels on the device; nothing waits.
    void sum(Scalar& s, const Vector& x);                   // s <- the sum of x, four times
    void dot(Scalar& s, const Vector& x, const Vector& y);  // s <- (x, y), four times
    void measures(Scalar& s, const Vector& x);              // s <- (sum, |x|_1, |x|_2^2, |x|_inf)
    /// low, high <- (value, 4 column + component, row, 1) of the texel that holds the extreme
    void extremes(Scalar& low, Scalar& high, const Vector& x);
    /// A stage: the pass that writes `to` from `from`, what the stage before has left, which covers `extent`. A first
    /// stage reads vectors instead.
    using States = std::array<StorageId, 2>;
    using Stage = std::function<PassCall(const States& to, const States& from, Extent extent)>;
    /// The same of what another first stage reads.
    void extremes(Scalar& low, Scalar& high, const Stage& first);
    /// s.x + s.y <- the sum of x, or (x, y), in two floats: as exact as 48 bits are. Where the device fails its
    /// self-test (DeviceInfo::two_float_fault says how) it is only as exact as a plain sum.
    void compensated_sum(Scalar& s, const Vector& x);
    void compensated_dot(Scalar& s, const Vector& x, const Vector& y);

    // The same, read back; these wait.
    Measures read_measures(const Vector& x);
    Extremes read_extremes(const Vector& x);
    double read_compensated_sum(const Vector& x);
    double read_compensated_dot(const Vector& x, const Vector& y);

  private:
    void run(const Stage& first, const Stage& next, const Stage& last, const States& results);
    std::array<float, 4> read(const Scalar& s) const;

    Backend& backend_;
    Layout layout_;
    std::array<std::vector<Storage>, 2> stages_;  // for one texel of results, and for a second; none: all at once
    Scalar a_, b_;
};

}  // namespace glsolve::inline v0_1
