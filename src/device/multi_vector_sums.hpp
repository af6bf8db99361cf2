/// The sums that an iteration for four right-hand sides ends in: (r,z), (r,r) and (y,y) of each, in one reduction. Of
/// vectors they fit side by side into one texel (PartialSums); here each is a texel of its own.
#pragma once

#include <array>
#include <optional>

#include "device/vectors.hpp"

namespace glsolve::inline v0_1 {

class MultiVectorSums {
  public:
    /// For MultiVectors of n numbers each. `of_terms`: the pass that makes r and y leaves the terms of the sums in
    /// `terms`, for which only stages that add up in work groups are good (three texels for each group, instead of each
    /// texel); else vectors are read once more.
    MultiVectorSums(Backend& backend, Index n, bool of_terms);

    /// rz, rr, yy <- the sums, a component for each right-hand side.
    void operator()(const MultiVector& r, const MultiVector& z, const MultiVector& y);
    /// The same with z = m * r, for a vector m.
    void operator()(const MultiVector& r, const Vector& m, const MultiVector& y);
    /// The same of the terms.
    void operator()();

    /// Storages for those terms: outputs `sum` of a pass over a MultiVector.
    std::array<StorageId, 3> terms() const;

    Scalar rz, rr, yy;

  private:
    using Three = std::array<Storage, 3>;

    using Ids = std::array<StorageId, 3>;
    void add_up(const std::function<PassCall(const Ids& to, Extent extent)>& first, Extent extent);

    Backend& backend_;
    std::optional<Three> terms_;
    std::vector<Three> stages_;  // before the last
};

}  // namespace glsolve::inline v0_1
