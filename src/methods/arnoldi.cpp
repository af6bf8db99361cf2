#include "methods/arnoldi.hpp"

#include "device/verbs.hpp"

namespace glsolve::inline v0_1 {

Arnoldi::Arnoldi(const System& system, int m, bool flexible, PartialSums& partial)
    : system_(system),
      partial_(partial),
      w_(system.backend, system.size, "w"),
      u_(system.backend, system.size, "u"),
      z_(system.backend, system.size, "z"),
      V_(system.backend, w_.layout(), m + 1, "V"),
      unity_(system.backend, "1") {
    fill(unity_, 1);
    if (flexible) Z_.emplace(system.backend, w_.layout(), m, "Z");
}

void Arnoldi::product(Vector& y, const Vector& x) {
    if (low_) {
        system_.A.multiply_two_float(y, *low_, x, partial_);
    } else {
        system_.A.multiply(y, x);
    }
}

const Vector& Arnoldi::combination(const BasisCoefficients& y, int count) {
    const Layers all{0, count};
    if (Z_) {
        Z_->combine(z_, y, all);
    } else if (applies_M()) {
        V_.combine(u_, y, all);
        system_.M->apply(z_, u_);
    } else {
        V_.combine(z_, y, all, system_.diagonal());
    }
    return z_;
}

}  // namespace glsolve::inline v0_1
