/// Factors on the device: by levels of rows, by sweeps, or by sparse approximate inverses of the factors; or on the
/// host.
#pragma once

#include <memory>
#include <string>

#include "device/preconditioner.hpp"
#include "inverses/factor_order.hpp"
#include "inverses/triangular_factors.hpp"
#include "refinement/method.hpp"

namespace glsolve::inline v0_1 {

/// An approximation of A^-1 on the device, and in words how it was made and is applied.
struct MadeInverse {
    std::unique_ptr<Preconditioner> M;
    std::string remark;
};

/// What decides between ways to apply factors, where nobody asks for one.
enum class ChosenBy : std::uint8_t {
    time,   ///< the measured time of an application, beside that of a product, and how exact it is
    passes  ///< the fewest passes that come near the factors: nothing is measured
};

/// M^-1 = G (I + U)^-1 D^-1 (I + L)^-1 F  for the factors of `ordered.C`, applied as options.apply says; A is the
/// system's matrix on the host. Throws InvalidInput where the way that is asked for takes too many products.
MadeInverse apply_factors(const AssembledSystem& system, CsrView A, const MatrixToFactor& ordered,
                          const TriangularFactors& factors, const PreconditionerOptions& options, ChosenBy by);

/// The same without approximations: by levels, or on the host where that is quicker and nothing is to be read by
/// textures.
MadeInverse apply_exactly(const AssembledSystem& system, CsrView A, const MatrixToFactor& ordered,
                          const TriangularFactors& factors);

}  // namespace glsolve::inline v0_1
