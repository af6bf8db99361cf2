/// The Chebyshev iteration on one core or on several, in single precision over compressed rows: the peer of a device's,
/// with the norm of the residual looked at after each step.
///
/// Cost:    a step reads A once, in the second of two loops over the rows; the first has all that is done with vectors.
#pragma once

#include <glsolve/csr.hpp>
#include <span>
#include <vector>

#include "papers/methods/published.hpp"

namespace glsolve::bench::chebyshev {

class CoreChebyshev {
  public:
    /// M is the diagonal of A, which must not be zero.
    explicit CoreChebyshev(CsrView A);

    struct Run {
        int iterations = 0;
        double seconds = 0;
        double relative_residual = 1;  ///< |r| / |b| at the last test
        std::vector<float> x;
    };
    /// From x = 0; `b` has one number for each row. Without OpenMP it is one core, whatever `threads` says.
    Run run(std::span<const float> b, const PublishedChebyshevRule& rule, int threads) const;

  private:
    std::vector<int> offsets_, columns_;
    std::vector<float> values_, reciprocal_;  // A, and 1 / a_ii
};

}  // namespace glsolve::bench::chebyshev
