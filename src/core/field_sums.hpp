/// The sums that an iteration for four right-hand sides ends in, in one reduction: (r,z), (r,r) and (y,y) of each. They
/// read r, z and y once; what leaves the terms of a sum behind has room for one sum a component, and these are three.
#pragma once

#include <array>

#include "core/vectors.hpp"

namespace glsolve::inline v0_1 {

class FieldSums {
  public:
    /// For Fields of n numbers each.
    FieldSums(Backend& backend, Index n);

    /// rz, rr, yy <- the sums, a component for each right-hand side.
    void operator()(const Field& r, const Field& z, const Field& y);

    Scalar rz, rr, yy;

  private:
    Backend& backend_;
    std::vector<std::array<Storage, 3>> stages_;  // before the last
};

}  // namespace glsolve::inline v0_1
