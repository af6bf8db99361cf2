#include "solver/scaled_preconditioner.hpp"

#include <cmath>

#include "base/parallel.hpp"
#include "device/verbs.hpp"

namespace glsolve::inline v0_1 {

ScaledPreconditioner::ScaledPreconditioner(const System& system, bool identity)
    : system_(system),
      scale_(system.scale),
      identity_(identity),
      r_(system.backend, system.size, "b of M"),
      z_(system.backend, system.size, "x of M"),
      zero_(system.backend, "zero") {}

void ScaledPreconditioner::apply(std::span<const double> b, std::span<double> x, double factor) {
    if (identity_) {
        parallel_each(x.size(), [&](std::size_t i) { x[i] = b[i]; });
        return;
    }
    // A power of two, which rounds nothing, brings S b to where single precision has room.
    const double largest = parallel_max(b.size(), [&](std::size_t i) { return std::abs(scale_[i] * b[i]); });
    const double unit = largest > 0 && std::isfinite(largest) ? std::ldexp(1.0, -std::ilogb(largest)) : 1;
    upload_floats(r_, b.size(), [&](std::size_t i) { return unit * (scale_[i] * b[i]); });
    if (system_.M != nullptr) system_.M->apply(z_, r_);
    const double back = factor * system_.unit / unit;
    download_numbers(system_.M != nullptr ? z_ : r_, x.size(),
                     [&](std::size_t i, double z_i) { x[i] = back * (scale_[i] * z_i); });
}

Vector& ScaledPreconditioner::solution(double factor) {
    if (identity_) return r_;
    const bool scales = !scale_.alike() || scale_[0] != 1;
    if (scales && !S_) {
        S_ = std::make_unique<Vector>(system_.backend, system_.size, "S");
        upload_floats(*S_, scale_.size(), [&](std::size_t i) { return scale_[i]; });
    }
    if (scales) hadamard(r_, r_, *S_);
    if (system_.M != nullptr) {
        system_.M->apply(z_, r_);
    } else {
        copy(z_, r_);
    }
    const auto unit = static_cast<float>(factor * system_.unit);
    if (scales) {
        hadamard(z_, z_, *S_, scalar_arg(unit));
    } else if (unit != 1) {
        scale(z_, scalar_arg(unit), z_);
    }
    return z_;
}

}  // namespace glsolve::inline v0_1
