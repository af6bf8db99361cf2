/// Factors of a matrix on the host, in double precision.
#pragma once

#include <span>
#include <vector>

namespace glsolve::inline v0_1 {

class HostFactors {
  public:
    virtual ~HostFactors() = default;
    /// x with B x = r
    virtual std::vector<double> solve(std::span<const double> r) const = 0;
};

}  // namespace glsolve::inline v0_1
