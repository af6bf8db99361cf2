#include "smoothers/inverse_smoother.hpp"

#include <algorithm>

#include "device/verbs.hpp"
#include "spectrum/lanczos.hpp"

namespace glsolve::inline v0_1 {

InverseSmoother::InverseSmoother(const AssembledSystem& system, CsrView A, MadeInverse inverse)
    : system_(system),
      inverse_(std::move(inverse)),
      r_(system.backend, system.size, "r of a smoother"),
      z_(system.backend, system.size, "M^-1 r of a smoother") {
    if (!system.symmetric) return;
    constexpr int lanczos_steps = 12;
    System preconditioned = system;
    preconditioned.M = inverse_.M.get();
    preconditioned.unit = 1;
    const double largest = estimate_spectrum(preconditioned, A, lanczos_steps).largest;
    if (largest > 4.0 / 3.0) weight_ = static_cast<float>(4.0 / 3.0 / largest);
}

void InverseSmoother::smooth(Vector& x, const Vector& b, int steps, StorageId status) {
    for (int k = 0; k < steps; ++k) {
        system_.A.residual(r_, b, x);
        inverse_.M->apply(z_, r_);
        axpy(x, scalar_arg(weight_), z_, status);
    }
}

void InverseSmoother::smooth_from_zero(Vector& x, const Vector& b, int steps) {
    inverse_.M->apply(z_, b);
    scale(x, scalar_arg(weight_), z_);
    smooth(x, b, steps - 1);
}

}  // namespace glsolve::inline v0_1
